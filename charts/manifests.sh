#!/usr/bin/env bash
# Prints what the chart renders for the namespace celvet, for users without Helm.
#   manifests.sh VALUES
# Uses the helm of the PATH or of the end-to-end tests; otherwise it builds helm with Go.
set -euo pipefail
values=$(realpath "${1:?values}")
cd "$(dirname "$0")/.."
cache=${CELVET_E2E_CACHE:-$HOME/.cache/celvet-e2e}
PATH=$PATH:$cache
command -v helm >/dev/null || tests/e2e/control-plane.sh "$cache" helm
printf 'apiVersion: v1\nkind: Namespace\nmetadata:\n  name: celvet\n'
helm template celvet charts/celvet --namespace celvet --kube-version 1.30.0 --values "$values" --no-hooks
