#!/usr/bin/env bash
# Builds Flux's real controllers and Flux Operator from the Go module proxy, for the end-to-end tests.
#   flux-controllers.sh DIRECTORY     some minutes for each the first time, nothing to do when they are there
# Leaves DIRECTORY/PROGRAM of each and, in DIRECTORY/flux-crds, the CRDs that they read.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
directory=$(mkdir -p "${1:?directory}" && cd "$1" && pwd)
# Its CRDs are all that is needed of it: the tests write what source-controller would.
source=github.com/fluxcd/source-controller@v1.9.6
export CGO_ENABLED=0 GOFLAGS=-buildvcs=false GOTOOLCHAIN=auto

work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
unpacked() { (cd "$work" && go mod download -json "$1" | sed -n 's/.*"Dir": "\(.*\)".*/\1/p'); }

# unpack PROGRAM MODULE@VERSION: its sources, in $work/PROGRAM, where it goes on
unpack() {
  command -v go >/dev/null || { echo "$0: needs Go" >&2; exit 1; }
  echo "building $2 in $directory: some minutes, once" >&2
  cp -r "$(unpacked "$2")" "$work/$1"
  chmod -R u+w "$work/$1"
  mkdir -p "$directory/flux-crds"
  cd "$work/$1"
  # A relative `replace` names a module that the archive lacks; its release is required already.
  sed -i -E '/=>\s*\.\.?\//d' go.mod
}

# compile PROGRAM PACKAGE
compile() {
  go build -mod=mod -trimpath -ldflags='-s -w' -o "$directory/$1" "$2"
}

# build PROGRAM MODULE@VERSION PACKAGE [REPLACED=REPLACEMENT]
build() {
  [ ! -x "$directory/$1" ] || return 0
  unpack "$1" "$2"
  cp -f config/crd/bases/*.yaml "$(unpacked "$source")"/config/crd/bases/*.yaml "$directory/flux-crds/"
  # The page of Flux Operator, which npm builds and nobody here asks for.
  [ ! -f web/embed.go ] || { mkdir -p web/dist && touch web/dist/index.html; }
  [ $# -lt 4 ] || go mod edit -replace "$4"
  compile "$1" "$3"
}

# The proxy lacks modules that v1.10.1 requires: for decryption, and for the identities of SPIFFE and
# of clouds. flux/stubs has what takes their place; the tests use none of it.
build_newest() {
  unpack "$1" github.com/fluxcd/kustomize-controller@v1.10.1
  local stubs fetch=github.com/fluxcd/pkg/http/fetch
  stubs=$here/flux/stubs
  for each in auth masktoken spiffe; do
    cp -r "$stubs/$each" "$work/$each"
    (cd "$work/$each" && go mod init "github.com/fluxcd/pkg/$each" 2>/dev/null)
    go mod edit -replace "github.com/fluxcd/pkg/$each=$work/$each"
  done
  rm internal/decryptor/*.go && cp "$stubs/decryptor/decryptor.go" internal/decryptor/
  go mod edit -replace "$fetch=$fetch@v0.25.0" \
    -require github.com/opencontainers/go-digest/blake3@v0.0.0-20250116041648-1e56c6daea3b
  sed -i -e '/"github.com\/fluxcd\/pkg\/auth/d' -e '/var opts \[\]authutils/,/GetRESTConfigFetcher/d' \
    -e 's/fetch\.ErrDigestMismatch/fetch.ErrFileNotFound/' -e '/fetch\.WithTLSConfig/d' \
    internal/controller/kustomization_controller.go
  compile "$1" .
}

build kustomize-controller github.com/fluxcd/kustomize-controller@v1.9.5 .
newest=kustomize-controller-1.10
if [ ! -x "$directory/$newest" ]; then
  # In the background, where it ends at the first error.
  build_newest "$newest" &
  wait $! || echo "$0: cannot build $newest, so its tests are skipped" >&2
fi
build helm-controller github.com/fluxcd/helm-controller@v1.6.4 .
# The proxy lacks the release of a module that it requires, for the credentials of registries; it has an older one.
authn=github.com/google/go-containerregistry/pkg/authn/kubernetes
build flux-operator github.com/controlplaneio-fluxcd/flux-operator@v0.59.0 ./cmd/operator \
  "$authn=$authn@v0.0.0-20250613215107-59a4b8593039"
