"""Years of renewal under a virtual clock, with restarts, pauses and failures in between."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from cryptography import x509
from hypothesis import given
from hypothesis import strategies as st

from celvet.certs.pki.bundle import Bundle
from celvet.certs.pki.material import decode, encode
from celvet.certs.pki.names import Names
from celvet.certs.pki.policy import RenewalPolicy
from celvet.certs.rotation.renewal import announce, renew
from tests.certs.acceptance import verifies
from tests.certs.virtual_time import START
from tests.properties import examples

NAME = "webhook.celvet.svc"
NAMES = Names.parse([NAME])
DAY = timedelta(days=1)
POLICY = RenewalPolicy(leaf_validity=30 * DAY, authority_validity=120 * DAY, propagation=2 * DAY)
MARGIN = POLICY.leaf_validity / 3

Roots = tuple[x509.Certificate, ...]


@dataclass
class World:
    """One store, one published `caBundle`, and everything that was ever served or published."""

    now: datetime = START
    stored: dict[str, bytes] = field(default_factory=dict)
    published: list[tuple[datetime, Roots]] = field(default_factory=list)
    leaves: list[x509.Certificate] = field(default_factory=list)
    signers: set[x509.Certificate] = field(default_factory=set)

    def step(self, *, publish: bool) -> None:
        """The steps of a replica in its turn; it may have just started."""
        bundle = renew(decode(self.stored)[0], self.now, POLICY, NAMES).bundle
        assert renew(bundle, self.now, POLICY, NAMES).reasons == ()
        if publish:
            repaired = self.now_published() != bundle.trusted
            self.published.append((self.now, bundle.trusted))
            bundle = announce(bundle, self.now, anew=repaired)
        self.stored = encode(bundle)
        assert decode(self.stored) == (bundle, ())
        if bundle.serving and bundle.serving.certificate not in self.leaves:
            self.leaves.append(bundle.serving.certificate)
        if bundle.signer:
            self.signers.add(bundle.signer.certificate)

    def now_published(self) -> Roots:
        return self.published[-1][1] if self.published else ()

    def published_at(self, moment: datetime) -> Roots:
        """What was published at that time, or at first."""
        before = [roots for at, roots in self.published if at <= moment]
        return before[-1] if before else self.published[0][1]

    def assert_served(self) -> None:
        """By each client, up to date or a propagation period behind, for each replica."""
        stale = self.published_at(self.now - POLICY.propagation)
        assert verifies(self.leaves[-1], self.now_published(), NAME, self.now)
        assert verifies(self.leaves[-1], stale, NAME, self.now)
        for leaf in self.leaves[-6:-1]:  # of replicas that do not know the newer ones
            if self.now < leaf.not_valid_after_utc:
                assert verifies(leaf, self.now_published(), NAME, self.now)


gaps = st.integers(1, int(MARGIN.total_seconds()) - 1).map(
    lambda seconds: timedelta(seconds=seconds)
)
turns = st.lists(st.tuples(gaps, st.booleans()), min_size=30, max_size=60)


@examples(10)
@given(turns)
def test_every_client_is_served_at_every_moment(turns: list[tuple[timedelta, bool]]) -> None:
    """Steps at any time less than a leaf's margin apart, half of them unable to publish."""
    world = World()
    world.step(publish=True)
    world.assert_served()
    for gap, publish in turns:
        # Just before its turn the replica still serves what it had.
        world.now += gap - timedelta(seconds=1)
        world.assert_served()
        world.now += timedelta(seconds=1)
        world.step(publish=publish)
        world.assert_served()


def test_two_years_rotate_everything_many_times() -> None:
    world = World()
    for _ in range(0, 730, 2):
        world.step(publish=True)
        world.assert_served()
        world.now += 2 * DAY
    assert len(world.leaves) >= 730 // 20
    assert len(world.signers) >= 730 // 85
    assert all(len(roots) <= 3 for _, roots in world.published)


long_gaps = st.integers(1, 400 * 86_400).map(lambda seconds: timedelta(seconds=seconds))


@examples(12)
@given(st.lists(st.tuples(long_gaps, st.booleans()), min_size=1, max_size=25))
def test_after_any_pause_it_serves_again(turns: list[tuple[timedelta, bool]]) -> None:
    """However long no replica ran, also for clients that know only an older authority."""
    world = World()
    world.step(publish=True)
    for gap, publish in turns:
        world.now += gap
        before = decode(world.stored)[0]
        stale = world.published_at(world.now - POLICY.propagation)
        world.step(publish=publish)
        after = decode(world.stored)[0]
        assert after.serving
        assert verifies(after.serving.certificate, after.trusted, NAME, world.now)
        if _can_sign(before, stale, world.now):
            assert verifies(after.serving.certificate, stale, NAME, world.now)


def _can_sign(bundle: Bundle, known: Roots, now: datetime) -> bool:
    signer = bundle.signer
    return bool(
        signer and signer.certificate in known and now < signer.certificate.not_valid_after_utc
    )


losses = st.sampled_from(
    [("ca.key",), ("next-ca.key",), ("state.json",), ("ca.key", "next-ca.key")]
)


@examples(12)
@given(st.lists(st.tuples(st.integers(1, 48), losses), min_size=5, max_size=14))
def test_lost_keys_and_times_are_replaced_unnoticed(
    turns: list[tuple[int, tuple[str, ...]]],
) -> None:
    """As long as the leaf lasts, which no authority without a key can renew."""
    world = World()
    world.step(publish=True)
    for hours, lost in turns:
        world.now += timedelta(hours=hours)
        for entry in lost:
            world.stored.pop(entry, None)
        world.step(publish=True)
        world.assert_served()
