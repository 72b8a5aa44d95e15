"""What the protocol asks for when a session ends, and pygls leaves out."""

from __future__ import annotations

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcInvalidRequest
from pygls.protocol import LanguageServerProtocol
from pygls.protocol.json_rpc import RPCMessage, RPCRequest


class Protocol(LanguageServerProtocol):
    """Refuses requests after `shutdown`; `status` is 1 once `exit` came without it, else 0."""

    status = 0

    def handle_message(self, message: RPCMessage) -> None:
        """Take a message of the client."""
        if self._shutdown and isinstance(message, RPCRequest):
            error = JsonRpcInvalidRequest("the server has been shut down")
            self._send_response(message.id, error=error.to_response_error())
            return
        if getattr(message, "method", "") == lsp.EXIT and not self._shutdown:
            self.status = 1
        super().handle_message(message)
