#!/usr/bin/env bash
# Builds the engines as DIRECTORY/engines.
#   build.sh DIRECTORY [BOXCUTTER]
# kubectl does not export its tests of an object, so the sources of its package go beside wait/met.go. With
# BOXCUTTER, a checkout of package-operator/boxcutter, it has the probes of OLM too.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
directory=$(mkdir -p "${1:?directory}" && cd "$1" && pwd)
boxcutter=${2:+$(cd "$2" && pwd)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$here/." "$work"
cd "$work"
version=$(sed -n 's/^\tk8s.io\/kubectl //p' go.mod)
sources=$(go mod download -json "k8s.io/kubectl@$version" | sed -n 's/.*"Dir": "\(.*\)".*/\1/p')/pkg/cmd/wait
install -m 644 "$sources"/{condition,create,delete,json,wait}.go wait/
if [ -n "$boxcutter" ]; then
  mkdir -p probing/types
  cp "$boxcutter"/probing/*.go probing/
  cp "$boxcutter"/machinery/types/probing.go probing/types/
  rm -f probing/*_test.go
  sed -i 's#pkg.package-operator.run/boxcutter/machinery/types#celvet.dev/engines/probing/types#' probing/*.go
fi
CGO_ENABLED=0 go build -mod=mod ${boxcutter:+-tags boxcutter} -o "$directory/engines" .
