"""Single decisions of the state machine; test_years.py runs it over years."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from celvet.certs.pki.bundle import Bundle, Incoming, Renewal
from celvet.certs.pki.names import Names
from celvet.certs.pki.policy import RenewalPolicy
from celvet.certs.rotation.renewal import announce, begin_rotation, reissue, renew
from tests.certs.acceptance import verifies
from tests.certs.virtual_time import START

NAME = "webhook.celvet.svc"
NAMES = Names.parse([NAME])
DAY = timedelta(days=1)
POLICY = RenewalPolicy(leaf_validity=90 * DAY, authority_validity=900 * DAY, propagation=DAY)
FRESH = renew(Bundle(), START, POLICY, NAMES).bundle


def accepted(bundle: Bundle, now: datetime, name: str = NAME) -> bool:
    assert bundle.serving
    return verifies(bundle.serving.certificate, bundle.trusted, name, now)


def test_the_first_bundle() -> None:
    renewal = renew(Bundle(), START, POLICY, NAMES)
    reason = "a serving certificate was issued: there was no usable one"
    assert renewal.reasons == (reason,)
    assert accepted(renewal.bundle, START)
    assert renewal.bundle.incoming is None
    assert renewal.bundle.retired == ()


def test_nothing_is_done_before_it_is_due() -> None:
    for at in (START, START + 59 * DAY):
        assert renew(FRESH, at, POLICY, NAMES) == Renewal(FRESH)


def test_the_leaf_is_renewed_after_two_thirds_of_its_life() -> None:
    due = START + 60 * DAY
    assert renew(FRESH, due - timedelta(minutes=1), POLICY, NAMES).bundle == FRESH
    renewal = renew(FRESH, due + timedelta(minutes=1), POLICY, NAMES)
    assert renewal.bundle.signer == FRESH.signer
    assert renewal.bundle.serving != FRESH.serving
    assert renewal.reasons == (
        "a serving certificate was issued: the former one expires at 2026-04-01T00:00:00Z",
    )


class TestRotationOfTheAuthority:
    due = START + 601 * DAY

    def prepared(self) -> Bundle:
        served = renew(FRESH, self.due - 2 * DAY, POLICY, NAMES).bundle
        return renew(served, self.due, POLICY, NAMES).bundle

    def test_first_the_next_one_is_trusted_only(self) -> None:
        bundle = self.prepared()
        assert bundle.incoming
        assert bundle.signer == FRESH.signer
        assert bundle.incoming.authority.certificate in bundle.trusted

    def test_it_signs_nothing_before_it_is_announced(self) -> None:
        bundle = self.prepared()
        later = renew(bundle, self.due + 20 * DAY, POLICY, NAMES).bundle
        assert later.signer == FRESH.signer

    def test_it_signs_a_propagation_period_after(self) -> None:
        bundle = announce(self.prepared(), self.due)
        early = renew(bundle, self.due + DAY - timedelta(seconds=1), POLICY, NAMES).bundle
        assert early == bundle
        promoted = renew(bundle, self.due + DAY, POLICY, NAMES)
        assert bundle.incoming
        assert promoted.bundle.signer == bundle.incoming.authority
        assert promoted.bundle.incoming is None
        assert accepted(promoted.bundle, self.due + DAY)
        assert "has been published since" in promoted.reasons[0]

    def test_the_former_is_trusted_until_its_last_certificate_is_gone(self) -> None:
        bundle = announce(self.prepared(), self.due)
        promoted = renew(bundle, self.due + DAY, POLICY, NAMES).bundle
        (retired,) = promoted.retired
        assert bundle.serving
        assert retired.until >= bundle.serving.certificate.not_valid_after_utc
        kept = renew(promoted, retired.until - DAY, POLICY, NAMES).bundle
        assert retired in kept.retired
        gone = renew(kept, retired.until, POLICY, NAMES)
        assert gone.bundle.retired == ()
        assert any("a former authority is no longer trusted" in why for why in gone.reasons)

    def test_it_is_trusted_for_the_longest_policy_and_for_replicas_unheard_of(self) -> None:
        """A leaf of an earlier, longer policy, and one that others may still serve."""
        bundle = announce(self.prepared(), self.due)
        assert bundle.serving
        now = self.due + DAY
        shorter = replace(POLICY, leaf_validity=DAY)
        (retired,) = renew(bundle, now, shorter, NAMES).bundle.retired
        assert retired.until == bundle.serving.certificate.not_valid_after_utc
        (retired,) = renew(replace(bundle, serving=None), now, POLICY, NAMES).bundle.retired
        assert retired.until == now + POLICY.leaf_validity

    def test_a_repaired_ca_bundle_starts_the_wait_again(self) -> None:
        bundle = announce(self.prepared(), self.due)
        assert announce(bundle, self.due + DAY / 2) == bundle
        again = announce(bundle, self.due + DAY / 2, anew=True)
        assert renew(again, self.due + DAY, POLICY, NAMES).bundle == again

    def test_an_announcement_from_the_future_is_not_an_announcement(self) -> None:
        bundle = announce(self.prepared(), self.due + 400 * DAY)
        renewal = renew(bundle, self.due, POLICY, NAMES)
        assert renewal.bundle.incoming
        assert renewal.bundle.incoming.announced is None
        assert renewal.reasons == ("a clock far in the future announced the next authority",)

    def test_nobody_ever_announced_it(self) -> None:
        """A step is skipped only if nothing else can serve."""
        bundle = self.prepared()
        assert bundle.incoming
        assert bundle.signer
        end = bundle.signer.certificate.not_valid_after_utc
        almost = renew(bundle, end - timedelta(seconds=1), POLICY, NAMES).bundle
        assert almost.signer == FRESH.signer
        assert accepted(almost, end - timedelta(seconds=1))
        over = renew(almost, end, POLICY, NAMES)
        assert over.bundle.signer == bundle.incoming.authority
        assert accepted(over.bundle, end)
        assert any(why.startswith("the authority cannot be used") for why in over.reasons)

    def test_a_leaf_that_cannot_last_longer_is_left(self) -> None:
        """It ends with its signer: another from the same signer would be due again at once."""
        bundle = self.prepared()
        assert bundle.signer
        end = bundle.signer.certificate.not_valid_after_utc
        last = renew(bundle, end - 20 * DAY, POLICY, NAMES).bundle
        assert last.serving
        assert last.serving.certificate.not_valid_after_utc == end
        assert renew(last, end - DAY, POLICY, NAMES).bundle == last


class TestWrongDates:
    def test_an_expired_leaf_is_replaced_by_the_same_authority(self) -> None:
        now = START + 100 * DAY
        renewal = renew(FRESH, now, POLICY, NAMES)
        assert renewal.bundle.signer == FRESH.signer
        assert accepted(renewal.bundle, now)
        assert "the former one cannot be used: it expired at 2026-04-01" in renewal.reasons[0]

    def test_all_expired(self) -> None:
        now = START + 5000 * DAY
        renewal = renew(FRESH, now, POLICY, NAMES)
        assert accepted(renewal.bundle, now)
        assert len(renewal.bundle.trusted) == 1
        assert [why.partition(":")[0] for why in renewal.reasons] == [
            "the authority cannot be used",
            "a serving certificate was issued",
        ]

    def test_nothing_is_valid_yet_by_a_clock_that_was_set_back(self) -> None:
        now = START - 2 * DAY
        renewal = renew(FRESH, now, POLICY, NAMES)
        assert accepted(renewal.bundle, now)
        assert "the authority cannot be used: it is not valid before" in renewal.reasons[0]

    def test_a_clock_slightly_behind_changes_nothing(self) -> None:
        assert renew(FRESH, START - POLICY.backdate, POLICY, NAMES).bundle == FRESH

    def test_an_incoming_authority_that_expired_is_dropped(self) -> None:
        short = replace(POLICY, leaf_validity=DAY, authority_validity=9 * DAY)
        bundle = begin_rotation(FRESH, START, short).bundle
        renewal = renew(bundle, START + 10 * DAY, POLICY, NAMES)
        assert renewal.bundle.incoming is None
        assert "the next authority cannot be used: it expired" in renewal.reasons[0]


class TestNames:
    more = Names.parse([NAME, "other.celvet.svc"], ["10.0.0.1"])

    def test_a_new_name_is_added_at_once_by_the_same_authority(self) -> None:
        renewal = renew(FRESH, START, POLICY, self.more)
        assert renewal.bundle.signer == FRESH.signer
        assert accepted(renewal.bundle, START, "other.celvet.svc")
        assert "is not for `other.celvet.svc, 10.0.0.1`" in renewal.reasons[0]


class TestAskedFor:
    def test_a_new_leaf(self) -> None:
        renewal = reissue(FRESH, START, POLICY, NAMES)
        assert renewal.bundle.serving != FRESH.serving
        assert renewal.bundle.signer == FRESH.signer
        assert renewal.reasons == ("a serving certificate was issued: on request",)

    def test_a_new_authority_once(self) -> None:
        renewal = begin_rotation(FRESH, START, POLICY)
        assert isinstance(renewal.bundle.incoming, Incoming)
        assert begin_rotation(renewal.bundle, START, POLICY).bundle == renewal.bundle
        assert renew(renewal.bundle, START, POLICY, NAMES).bundle == renewal.bundle
