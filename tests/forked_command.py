"""A program in a fork of `tests.fork_server`, as a command: SOCKET CODE ARGUMENT..."""

from __future__ import annotations

import json
import os
import socket
import sys

with socket.socket(socket.AF_UNIX) as connection:
    connection.connect(sys.argv[1])
    request = {
        "code": sys.argv[2],
        "arguments": sys.argv[3:],
        "directory": os.getcwd(),  # noqa: PTH109 - pathlib takes longer to load than the rest
        "environment": dict(os.environ),
        "limits": [],
    }
    data = json.dumps(request).encode() + b"\n"
    sent = socket.send_fds(connection, [data], [0, 1, 2])
    connection.sendall(data[sent:])
    status = int(connection.recv(64))
sys.exit(status)
