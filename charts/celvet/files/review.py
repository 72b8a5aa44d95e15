"""Create a wrong Kustomization, as a dry run, and fail unless celvet sees it.

    review.py URL [NAMESPACE [MODE]]

The way is that of every user: through the API server, whose trust, rules and client certificate
decide whether celvet is asked at all. Without Flux's CRDs, or outside of a cluster, the Service at
URL is asked directly. `deny`, `warn` or `audit` says what celvet must do with errors.
"""

import json
import os
import ssl
import sys
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

ACCOUNT = Path(os.environ.get("ACCOUNT", "/var/run/secrets/kubernetes.io/serviceaccount"))
GROUP, VERSION, RESOURCE = "kustomize.toolkit.fluxcd.io", "v1", "kustomizations"
FOUND = "[celvet: cel-syntax]"

service = sys.argv[1]
namespace = "".join(sys.argv[2:3]) or "default"
mode = "".join(sys.argv[3:4])
wrong = {
    "apiVersion": f"{GROUP}/{VERSION}",
    "kind": "Kustomization",
    "metadata": {"name": "helm-test", "namespace": namespace},
    "spec": {
        "interval": "1h",
        "prune": False,
        "suspend": True,
        "sourceRef": {"kind": "GitRepository", "name": "helm-test"},
        "healthCheckExprs": [{"apiVersion": "v1", "kind": "Pod", "current": "status.a =="}],
    },
}


def through_api_server() -> bool:
    """Whether the API server was asked; ends the program if celvet did not do its work."""
    host = os.environ.get("KUBERNETES_SERVICE_HOST")
    if not host or not (ACCOUNT / "token").is_file():
        return False
    host = f"[{host}]" if ":" in host else host
    port = os.environ.get("KUBERNETES_SERVICE_PORT", "443")
    path = f"apis/{GROUP}/{VERSION}/namespaces/{namespace}/{RESOURCE}?dryRun=All"
    headers = {
        "Authorization": f"Bearer {(ACCOUNT / 'token').read_text().strip()}",
        "Content-Type": "application/json",
    }
    trust = ssl.create_default_context(cafile=str(ACCOUNT / "ca.crt"))
    post = Request(f"https://{host}:{port}/{path}", json.dumps(wrong).encode(), headers)
    try:
        with urlopen(post, context=trust, timeout=30) as answer:  # noqa: S310
            warnings = " ".join(answer.headers.get_all("Warning") or [])
            code, message = answer.status, ""
    except HTTPError as error:
        code, warnings = error.code, ""
        message = json.loads(error.read() or b"{}").get("message", "")
    print(f"the API server answers {code} {message or warnings}")  # noqa: T201
    if code == 404 or (code == 403 and FOUND not in message):
        return False  # Flux is not installed, or this account may not create its objects
    if FOUND in message and mode not in ("", "deny"):
        sys.exit(f"celvet denied the wrong expression, although it should {mode}")
    if FOUND not in message + warnings and mode != "audit":
        sys.exit(
            "the API server did not ask celvet, or got no answer: look at the caBundle of the "
            "webhook configuration, at /readyz?verbose of the pods and at their logs"
        )
    if FOUND in warnings and mode == "deny":
        sys.exit("celvet did not deny the wrong expression")
    return mode != "audit"  # which only the webhook itself shows


def directly() -> None:
    """Ask the Service; ends the program if celvet did not do its work."""
    request = {
        "uid": "helm-test",
        "operation": "CREATE",
        "kind": {"group": GROUP, "version": VERSION, "kind": "Kustomization"},
        "resource": {"group": GROUP, "version": VERSION, "resource": RESOURCE},
        "name": "helm-test",
        "namespace": namespace,
        "userInfo": {"username": "helm-test"},
        "object": wrong,
        "dryRun": True,
    }
    review = {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": request}
    headers = {"Content-Type": "application/json"}
    post = Request(f"{service}/validate", json.dumps(review).encode(), headers)  # noqa: S310
    try:
        with urlopen(post, context=ssl._create_unverified_context(), timeout=30) as answer:  # noqa: S310, S323
            response = json.load(answer)["response"]
    except (URLError, OSError) as error:
        sys.exit(f"{service} cannot be asked directly: {getattr(error, 'reason', error)}")
    print(json.dumps(response))  # noqa: T201
    causes = response.get("status", {}).get("details", {}).get("causes", [])
    refused = [cause["field"] for cause in causes]
    if response["uid"] != request["uid"]:
        sys.exit("this is the answer to another review")
    if mode and "cel-syntax" not in response.get("auditAnnotations", {}).get("rules", ""):
        sys.exit("celvet did not find the wrong expression")
    if mode == "deny" and response["allowed"]:
        sys.exit("celvet did not deny the wrong expression")
    if mode == "warn" and FOUND not in "".join(response.get("warnings", [])):
        sys.exit("celvet did not warn about the wrong expression")
    if not response["allowed"] and refused != ["spec.healthCheckExprs[0].current"]:
        sys.exit(f"celvet denied it for another reason: {response['status']['message']}")


if not through_api_server():
    directly()
