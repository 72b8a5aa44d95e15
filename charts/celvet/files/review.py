"""Send a wrong expression to the webhook at the URL given; fail unless it answers.

With what it does with errors (`deny`, `warn`, `audit`) as a second argument, it has to do that.
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
    sys.exit("the answer is to another review")
mode = "".join(sys.argv[2:])
if mode and "cel-syntax" not in response.get("auditAnnotations", {}).get("rules", ""):
    sys.exit("a wrong expression was not found")
if mode == "deny" and response["allowed"]:
    sys.exit("a wrong expression was not refused")
if mode == "warn" and "[celvet: cel-syntax]" not in "".join(response.get("warnings", [])):
    sys.exit("nobody was warned of a wrong expression")
if not response["allowed"] and refused != ["spec.healthCheckExprs[0].current"]:
    sys.exit(f"refused for another reason: {response['status']['message']}")
