"""The server: a tool for each question, with errors that say what to do next.

Nothing is written, and no tool reads a file outside of the roots. The engine keeps its budgets for
each expression, and calls run one after the other, since its caches are not made for threads.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from threading import Lock
from typing import ParamSpec, TypeVar

from click import ClickException
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations

from celvet.lint.mcp import answers, checks, kinds
from celvet.lint.mcp.inputs import Session
from celvet.version import __version__
from celvet.wrong_input import WrongInputError

_INSTRUCTIONS = """\
celvet checks the CEL and JSONPath expressions that decide in GitOps manifests when an object is \
ready. To write a check, call `suggest` with the kind and paste `entry`; do not write one from \
memory. To mend one, call `lint` with the manifest and `fix`, or replace the entry by that of \
`suggest`. Then call `explain` with the whole manifest: no state may be `wrong`, and each must \
have the verdict that `suggest` lists in `life`."""
_P = ParamSpec("_P")
_T = TypeVar("_T")


def server(session: Session) -> MCPServer[None]:
    """The server with its tools; `run` serves it."""
    mcp: MCPServer[None] = MCPServer(
        "celvet", version=__version__, instructions=_INSTRUCTIONS, log_level="CRITICAL"
    )
    reading = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)
    lock = Lock()
    for tool in _tools(session):
        mcp.add_tool(_guarded(tool, lock), annotations=reading, structured_output=True)
    return mcp


def _tools(session: Session) -> list[Callable[..., object]]:
    """The tools; their signatures and descriptions are what the agent sees."""

    def lint(text: str = "", path: str = "", fix: checks.FixLevel = "none") -> answers.LintAnswer:
        """Find mistakes in the expressions of Kubernetes manifests.

        Give the YAML as `text`, or the `path` of a file or directory. `fix=safe` also returns the
        text after fixes that change no right verdict, `fix=unsafe` after all; write it yourself.
        """
        return checks.lint(session, text, path, fix)

    def eval(  # noqa: A001 - the name of the command
        object: str = "",  # noqa: A002
        object_path: str = "",
        text: str = "",
        path: str = "",
        expression: str = "",
    ) -> answers.EvalAnswer:
        """Judge an object as the controller does, and say which part of an expression decides.

        `object` (or the file `object_path`) is the YAML of the object with its status. Its checks
        are in the manifest `text` or `path`; or give one CEL `expression` to see its value.
        """
        return checks.evaluate(session, (text, path), (object, object_path), expression)

    def explain(text: str = "", path: str = "") -> answers.ExplainAnswer:
        """Show the verdict of each check in each state of an object, from creation to failure.

        `text` is the whole YAML of the object with the checks, or `path` its file.
        """
        return checks.explain(session, text, path)

    def suggest(
        kind: str = "", variant: str = "", text: str = "", path: str = ""
    ) -> answers.SuggestAnswer:
        """Get the health check entry for a kind, proved on its life where celvet knows the kind.

        `kind` is a name such as `Certificate.cert-manager.io`. For an unknown kind, give its CRD
        or an object with a status as `text` or `path`. `variant` selects one of `variants`.
        """
        return kinds.suggest(session, kind, variant, text, path)

    def why(
        names: list[str] = [],  # noqa: B006 - never changed
        namespace: str = "",
        text: str = "",
        path: str = "",
        at: str = "",
    ) -> answers.WhyAnswer:
        """Find which object holds up the Kustomizations and HelmReleases of a cluster.

        `text` or `path` has what `kubectl get -A -o yaml` prints of them and of what they apply;
        `at` is when, if not now. `names` such as `kustomization/apps` select some.
        """
        selection = kinds.Selection(names, namespace)
        return kinds.why(session, selection, text, path, at)

    def forecast(
        waiter: str, text: str = "", path: str = "", condition: str = ""
    ) -> answers.ForecastAnswer:
        """Predict what a waiter does with rendered objects: ends too early, never, or in error.

        `waiter` is flux, kstatus, helm4, helm4-legacy, helm3, timoni, or kubectl-wait with a
        `condition` such as `condition=Ready`.
        """
        return kinds.forecast_waits(session, waiter, condition, text, path)

    return [lint, eval, explain, suggest, why, forecast]


def _guarded(tool: Callable[_P, _T], lock: Lock) -> Callable[_P, _T]:
    """The tool, one call at a time, whose errors are for the agent; a bug says that it is one."""

    @wraps(tool)
    def guarded(*args: _P.args, **kwargs: _P.kwargs) -> _T:
        with lock:
            try:
                return tool(*args, **kwargs)
            except ClickException as error:
                raise ToolError(error.message) from None
            except WrongInputError as error:
                raise ToolError(str(error)) from None
            except OSError as error:
                reason = error.strerror or str(error)
                raise ToolError(f"{error.filename or 'a file'}: {reason}") from None
            except Exception as error:
                message = f"{type(error).__name__}: {error}"
                raise ToolError(f"internal error, please report it: {message}") from None

    return guarded
