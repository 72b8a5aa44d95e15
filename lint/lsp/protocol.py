"""What pygls lacks of the protocol."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException, JsonRpcInvalidRequest
from pygls.protocol import LanguageServerProtocol
from pygls.protocol.json_rpc import RPCMessage, RPCRequest

Plain: TypeAlias = dict[str, Any]
"""A value of the protocol as JSON has it."""


class Protocol(LanguageServerProtocol):
    """Adds to pygls: every request is answered, also after `shutdown`, and an exit status is set.

    `status` is 1 after an `exit` without `shutdown`, else 0. pygls's own copies of texts are not
    updated: nothing reads them, and each update splits the text into lines.
    """

    status = 0
    lsp_text_document__did_change = None  # type: ignore[assignment]

    def structure_message(self, data: dict[str, Any]) -> Any:
        """Decode a message; pygls does not answer a request with invalid parameters."""
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            if "method" in data and isinstance(data.get("id"), int | str):
                self._send_response(data["id"], error=error.to_response_error())
            raise

    def handle_message(self, message: RPCMessage) -> None:
        """Handle a message of the client."""
        if self._shutdown and isinstance(message, RPCRequest):
            error = JsonRpcInvalidRequest("the server has been shut down")
            self._send_response(message.id, error=error.to_response_error())
            return
        if getattr(message, "method", "") == lsp.EXIT and not self._shutdown:
            self.status = 1
        super().handle_message(message)

    def plain(self, diagnostics: Sequence[lsp.Diagnostic]) -> list[Plain]:
        """Diagnostics in the form in which they are sent."""
        return [self._converter.unstructure(diagnostic) for diagnostic in diagnostics]

    def publish(self, uri: str, diagnostics: Sequence[Plain], version: int | None) -> None:
        """Replace the diagnostics of a file; pygls would convert all of them again."""
        params: Plain = {"uri": uri, "diagnostics": diagnostics}
        if version is not None:
            params["version"] = version
        method = lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS
        self._send_data({"jsonrpc": self.VERSION, "method": method, "params": params})
