"""Shell completion beyond click's own: values after `=` in bash."""

from __future__ import annotations

from click import shell_completion


class BashComplete(shell_completion.BashComplete):
    """Accepts `--format=sa` as bash passes it: in three words, of which `=` is one."""

    def get_completion_args(self) -> tuple[list[str], str]:
        """The words before the one to complete, and that one."""
        words, incomplete = super().get_completion_args()
        return [word for word in words if word != "="], incomplete


def install() -> None:
    """Register this class with click."""
    shell_completion.add_completion_class(BashComplete)
