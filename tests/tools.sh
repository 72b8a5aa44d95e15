#!/usr/bin/env bash
# Installs the programs that some tests run and that Python lacks; without one, its tests are skipped.
#   tools.sh DIRECTORY     a few minutes the first time, nothing to do when they are there
# Editors, a browser and groff are packages of Debian; helm, kustomize, kubeconform, krew, flux, promtool,
# actionlint, the server of VS Code and schemas of registries go to DIRECTORY. What cannot be installed here is said, and is no failure.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
directory=$(mkdir -p "${1:?directory}" && cd "$1" && pwd)
kustomize=v5.8.1
kubeconform=v0.7.0
krew=v0.4.3
flux=v2.9.5
argocd=v3.5.1
actionlint=v1.7.12
axe=4.14.1
code_server=4.100.3
export PATH=$PATH:$directory CGO_ENABLED=0 GOFLAGS=-buildvcs=false GOTOOLCHAIN=auto

work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
missing=()
lacks() { ! command -v "$1" >/dev/null; }
skip() { missing+=("$1: $2"); }
# go_build PROGRAM COMMAND...: what Go prints is shown only where it fails
go_build() {
  local program=$1 && shift
  echo "building $program in $directory" >&2
  "$@" >"$work/log" 2>&1 || { tail -n 5 "$work/log" >&2; skip "$program" "Go cannot build it"; }
}

# The packages of this Debian: PROGRAM=PACKAGE for each.
packages=()
for program in nvim=neovim tmux=tmux chromium=chromium groff=groff openssl=openssl nix-instantiate=nix-bin; do
  lacks "${program%=*}" && packages+=("${program#*=}")
done
if [ ${#packages[@]} -gt 0 ]; then
  if lacks apt-get || [ "$(id -u)" != 0 ]; then
    skip "${packages[*]}" "needs Debian's apt-get, as root"
  else
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -qq --yes --no-install-recommends "${packages[@]}" >"$work/log" 2>&1 ||
      { tail -n 5 "$work/log" >&2; skip "${packages[*]}" "apt-get cannot install it"; }
  fi
fi

# unpack PACKAGE...: their files, in $work/files; nothing is installed, and no service starts
unpack() {
  (cd "$work" && apt-get "${apt[@]}" download -qq "$@" && for file in *.deb; do dpkg-deb -x "$file" files && rm "$file"; done) \
    >"$work/log" 2>&1
}

# promtool is a part of Prometheus, whose package would start a server.
if lacks promtool; then
  apt=()
  if unpack prometheus; then cp "$work/files/usr/bin/promtool" "$directory/"; else skip promtool "needs Debian's apt-get"; fi
fi

# Helix is a package of Debian 13, which any Debian can run with its C library beside it.
if lacks hx; then
  apt=(-o "Dir::Etc::sourcelist=$work/trixie.list" -o Dir::Etc::sourceparts=/dev/null -o "Dir::State::lists=$work/lists"
    -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache=)
  mkdir -p "$work/lists/partial"
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian trixie main" >"$work/trixie.list"
  rm -rf "$work/files"
  if ! lacks apt-get && apt-get "${apt[@]}" update -qq >"$work/log" 2>&1 && unpack hx libc6 libgcc-s1; then
    rm -rf "$directory/helix" && mv "$work/files" "$directory/helix"
    cat >"$directory/hx" <<'SH'
#!/bin/sh
root=$(dirname "$(readlink -f "$0")")/helix
library=$(dirname "$(find "$root/usr/lib" -name libc.so.6)")
program=$(find "$root/usr" -type f -perm -1 \( -name hx -o -name helix \) | head -n 1)
HELIX_RUNTIME=$(find "$root/usr" -type d -name runtime | head -n 1) \
  exec "$(find "$library" -name 'ld-linux*')" --library-path "$library" "$program" "$@"
SH
    chmod +x "$directory/hx"
  else
    skip Helix "needs the packages of Debian 13"
  fi
fi

# axe looks for what keeps people from a page.
if [ ! -f "$directory/node_modules/axe-core/axe.min.js" ]; then
  if lacks npm; then skip axe "needs npm"; else
    npm install --silent --no-save --ignore-scripts --prefix "$directory" "axe-core@$axe" >"$work/log" 2>&1 || skip axe "npm cannot install it"
  fi
fi

# code-server carries a server of VS Code, which runs without the parts that have to be compiled.
vscode_server() {
  npm install --ignore-scripts --no-audit --no-fund --prefix "$directory/code-server" "code-server@$code_server" &&
    (cd "$directory/code-server/node_modules/code-server/lib/vscode" && npm install --ignore-scripts --no-audit --no-fund --omit=dev) &&
    printf '#!/bin/sh\nexec node "%s" "$@"\n' "$directory/code-server/node_modules/code-server/lib/vscode/out/server-main.js" \
      >"$directory/vscode-server" && chmod +x "$directory/vscode-server"
}
extension=$here/../editors/vscode
if lacks npm; then
  skip "vscode-server, the packages of editors/vscode" "needs npm"
else
  lacks vscode-server && { vscode_server >"$work/log" 2>&1 || { tail -n 5 "$work/log" >&2; skip vscode-server "npm cannot install it"; }; }
  [ -d "$extension/node_modules" ] || make -s -C "$here/.." editors/vscode/node_modules >"$work/log" 2>&1 ||
    { tail -n 5 "$work/log" >&2; skip "the packages of editors/vscode" "npm cannot install them"; }
fi

# go_sources MODULE@VERSION: a copy of the module's sources in $work/sources, where it goes on
go_sources() {
  local source
  source=$(go mod download -json "$1" | sed -n 's/.*"Dir": "\(.*\)".*/\1/p')
  [ -n "$source" ] && cp -r "$source" "$work/sources" && chmod -R u+w "$work/sources" && cd "$work/sources"
}

argocd_scripts() (
  cd "$work" && rm -rf sources && go_sources "github.com/argoproj/argo-cd/v3@$argocd" || return 1
  mkdir -p "$directory/argo-cd" && mv resource_customizations "$directory/argo-cd/"
)

build_flux() (
  cd "$work" && go_sources "github.com/fluxcd/flux2/v2@$flux" || return 1
  # The manifests that `flux install` writes are made by its release; no test installs Flux.
  mkdir -p cmd/flux/manifests && touch cmd/flux/manifests/none.yaml
  sed -i -E '/=>\s*\.\.?\//d' go.mod
  go build -mod=mod -trimpath -ldflags="-s -w -X main.VERSION=${flux#v}" -o "$directory/flux" ./cmd/flux
)

if lacks go; then
  skip "helm, kustomize, kubeconform, krew, flux, actionlint, Argo CD's health scripts" "needs Go"
else
  lacks helm && go_build helm "$here/e2e/control-plane.sh" "$directory" helm
  export GOBIN=$directory
  lacks kustomize && go_build kustomize go install "sigs.k8s.io/kustomize/kustomize/v5@$kustomize"
  lacks kubeconform && go_build kubeconform go install "github.com/yannh/kubeconform/cmd/kubeconform@$kubeconform"
  lacks krew && go_build krew go install "sigs.k8s.io/krew/cmd/krew@$krew" "sigs.k8s.io/krew/cmd/validate-krew-manifest@$krew"
  [ "$(flux --version 2>/dev/null)" = "flux version ${flux#v}" ] || go_build flux build_flux
  [ -d "$directory/argo-cd" ] || go_build "Argo CD's health scripts" argocd_scripts
  lacks actionlint && go_build actionlint go install "github.com/rhysd/actionlint/cmd/actionlint@$actionlint"
fi

# The schemas of what registries are sent, as they are today.
schemas_of() (
  repository=$directory/registries/${1#*/}
  [ -d "$repository" ] && exit
  git clone -q --depth 1 --filter=blob:none --no-checkout "https://github.com/$1" "$work/clone" &&
    git -C "$work/clone" sparse-checkout set --no-cone "/$2/" && git -C "$work/clone" checkout -q &&
    mkdir -p "$directory/registries" && mv "$work/clone" "$repository"
)
while read -r repository schemas; do
  schemas_of "$repository" "$schemas" 2>"$work/log" || skip "the schemas of $repository" "needs github.com"
  rm -rf "$work/clone"
done <<'END'
mason-org/registry-schema schemas
fluxcd/plugins schemas
aquaproj/aqua json-schema
oxsecurity/megalinter megalinter/descriptors/schemas
END

for program in "${missing[@]}"; do echo "$0: not installed: $program" >&2; done
exit 0
