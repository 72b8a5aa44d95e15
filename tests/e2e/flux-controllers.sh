#!/usr/bin/env bash
# Builds the real kustomize-controller from the Go module proxy, for the end-to-end tests.
#   flux-controllers.sh DIRECTORY     a quarter of an hour the first time, nothing to do when it is there
# Leaves DIRECTORY/kustomize-controller and, in DIRECTORY/flux-crds, the CRDs that it reads.
set -euo pipefail
directory=$(mkdir -p "${1:?directory}" && cd "$1" && pwd)
program=kustomize-controller
version=v1.9.5
# Its CRDs are all that is needed of it: the tests write what source-controller would.
source=github.com/fluxcd/source-controller@v1.9.6

[ ! -x "$directory/$program" ] || exit 0
command -v go >/dev/null || { echo "$0: needs Go" >&2; exit 1; }
export CGO_ENABLED=0 GOFLAGS=-buildvcs=false GOTOOLCHAIN=auto

work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
cd "$work"
unpacked() { go mod download -json "$1" | sed -n 's/.*"Dir": "\(.*\)".*/\1/p'; }

echo "building $program $version in $directory: a quarter of an hour, once" >&2
cp -r "$(unpacked "github.com/fluxcd/$program@$version")" controller
chmod -R u+w controller
mkdir -p "$directory/flux-crds"
cp -f controller/config/crd/bases/*.yaml "$(unpacked "$source")"/config/crd/bases/*.yaml "$directory/flux-crds/"
cd controller
# A relative `replace` names a module that the archive lacks; its release is required already.
sed -i -E '/=>\s*\.\.?\//d' go.mod
go build -mod=mod -trimpath -ldflags='-s -w' -o "$directory/$program" .
