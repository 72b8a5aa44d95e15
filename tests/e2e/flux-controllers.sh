#!/usr/bin/env bash
# Builds Flux's real controllers and Flux Operator from the Go module proxy, for the end-to-end tests.
#   flux-controllers.sh DIRECTORY     some minutes for each the first time, nothing to do when they are there
# Leaves DIRECTORY/PROGRAM of each and, in DIRECTORY/flux-crds, the CRDs that they read.
set -euo pipefail
directory=$(mkdir -p "${1:?directory}" && cd "$1" && pwd)
# Its CRDs are all that is needed of it: the tests write what source-controller would.
source=github.com/fluxcd/source-controller@v1.9.6
export CGO_ENABLED=0 GOFLAGS=-buildvcs=false GOTOOLCHAIN=auto

work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
unpacked() { (cd "$work" && go mod download -json "$1" | sed -n 's/.*"Dir": "\(.*\)".*/\1/p'); }

# build PROGRAM MODULE@VERSION PACKAGE [REPLACED=REPLACEMENT]
build() {
  [ ! -x "$directory/$1" ] || return 0
  command -v go >/dev/null || { echo "$0: needs Go" >&2; exit 1; }
  echo "building $2 in $directory: some minutes, once" >&2
  cp -r "$(unpacked "$2")" "$work/$1"
  chmod -R u+w "$work/$1"
  mkdir -p "$directory/flux-crds"
  cp -f "$work/$1"/config/crd/bases/*.yaml "$(unpacked "$source")"/config/crd/bases/*.yaml "$directory/flux-crds/"
  cd "$work/$1"
  # A relative `replace` names a module that the archive lacks; its release is required already.
  sed -i -E '/=>\s*\.\.?\//d' go.mod
  # The page of Flux Operator, which npm builds and nobody here asks for.
  [ ! -f web/embed.go ] || { mkdir -p web/dist && touch web/dist/index.html; }
  [ $# -lt 4 ] || go mod edit -replace "$4"
  go build -mod=mod -trimpath -ldflags='-s -w' -o "$directory/$1" "$3"
}

build kustomize-controller github.com/fluxcd/kustomize-controller@v1.9.5 .
# v1.10.1 lacks parts that the proxy does not have. What reads and evaluates expressions is its cel-go.
cel=github.com/google/cel-go
build kustomize-controller-cel-go-0.31 github.com/fluxcd/kustomize-controller@v1.9.5 . "$cel=$cel@v0.31.0"
build helm-controller github.com/fluxcd/helm-controller@v1.6.4 .
# The proxy lacks the release of a module that it requires, for the credentials of registries; it has an older one.
authn=github.com/google/go-containerregistry/pkg/authn/kubernetes
build flux-operator github.com/controlplaneio-fluxcd/flux-operator@v0.59.0 ./cmd/operator \
  "$authn=$authn@v0.0.0-20250613215107-59a4b8593039"
