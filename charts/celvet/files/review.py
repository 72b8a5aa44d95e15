"""Send a wrong expression to the webhook at a URL; fail unless it answers.

An optional second argument (`deny`, `warn`, `audit`) says what it must do with errors.
"""

import json
import ssl
import sys
from urllib.request import Request, urlopen

request = {
    "uid": "helm-test",
    "operation": "CREATE",
    "kind": {"group": "kustomize.toolkit.fluxcd.io", "version": "v1", "kind": "Kustomization"},
    "resource": {
        "group": "kustomize.toolkit.fluxcd.io",
        "version": "v1",
        "resource": "kustomizations",
    },
    "name": "helm-test",
    "namespace": "default",
    "userInfo": {"username": "helm-test"},
    "object": {
        "apiVersion": "kustomize.toolkit.fluxcd.io/v1",
        "kind": "Kustomization",
        "metadata": {"name": "helm-test", "namespace": "default"},
        "spec": {
            "healthCheckExprs": [{"apiVersion": "v1", "kind": "Pod", "current": "status.a =="}]
        },
    },
    "dryRun": True,
}
review = {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": request}
headers = {"Content-Type": "application/json"}
post = Request(f"{sys.argv[1]}/validate", json.dumps(review).encode(), headers)  # noqa: S310
with urlopen(post, context=ssl._create_unverified_context(), timeout=30) as answer:  # noqa: S310, S323
    response = json.load(answer)["response"]
sys.stdout.write(json.dumps(response) + "\n")
causes = response.get("status", {}).get("details", {}).get("causes", [])
refused = [cause["field"] for cause in causes]
if response["uid"] != request["uid"]:
    sys.exit("this is the answer to another review")
mode = "".join(sys.argv[2:])
if mode and "cel-syntax" not in response.get("auditAnnotations", {}).get("rules", ""):
    sys.exit("celvet did not find the wrong expression")
if mode == "deny" and response["allowed"]:
    sys.exit("celvet did not deny the wrong expression")
if mode == "warn" and "[celvet: cel-syntax]" not in "".join(response.get("warnings", [])):
    sys.exit("celvet did not warn about the wrong expression")
if not response["allowed"] and refused != ["spec.healthCheckExprs[0].current"]:
    sys.exit(f"celvet denied it for another reason: {response['status']['message']}")
