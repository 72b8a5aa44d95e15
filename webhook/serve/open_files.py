"""The limit on open files, each connection being one."""

from __future__ import annotations

import resource

_OTHER_FILES = 112
"""Open files other than client connections: listeners, logs, scrapes of the metrics."""

_PROCESS_FILES = 4
"""Open files of a judging process: its connection and the pipes of the fork server."""

_MOST_FILES = 1 << 16
"""Open files to ask for where the system has no limit."""


class TooFewFilesError(Exception):
    """The system allows too few open files; the message says how many are needed."""


def allow_files(*, clients: int, processes: int) -> None:
    """Raise the limit on open files as far as the system lets; raises `TooFewFilesError`.

    systemd and containerd 2 set 1,024 for programs that use `select`, which celvet does not.
    """
    wanted = clients + _OTHER_FILES + _PROCESS_FILES * processes
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return
    most = _MOST_FILES if hard == resource.RLIM_INFINITY else hard
    if most < wanted:
        message = f"only {most} files may be open; {wanted} are needed, see `ulimit -n`"
        raise TooFewFilesError(message)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(most, _MOST_FILES)), hard))
