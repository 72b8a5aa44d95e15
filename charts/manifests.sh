#!/usr/bin/env bash
# Prints what the chart renders into the namespace celvet, for those without Helm.
#   manifests.sh VALUES
# Takes helm from the PATH or from the programs of the end-to-end tests; without either Go builds it.
set -euo pipefail
values=$(realpath "${1:?values}")
cd "$(dirname "$0")/.."
cache=${CELVET_E2E_CACHE:-$HOME/.cache/celvet-e2e}
PATH=$PATH:$cache
command -v helm >/dev/null || tests/e2e/control-plane.sh "$cache" helm
printf 'apiVersion: v1\nkind: Namespace\nmetadata:\n  name: celvet\n'
helm template celvet charts/celvet --namespace celvet --kube-version 1.30.0 --values "$values" --no-hooks
