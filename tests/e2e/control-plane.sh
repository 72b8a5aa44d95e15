#!/usr/bin/env bash
# Builds a real API server, etcd, kubectl and helm from the Go module proxy, for the end-to-end tests.
#   control-plane.sh DIRECTORY [PROGRAM...]     some minutes the first time, nothing to do when they are there
# `helm4` is built only where it is named: test_helm_wait.py needs it, and is skipped without.
# Go is all it needs: no container, no root, no package of the system.
set -euo pipefail
directory=$(mkdir -p "${1:?directory}" && cd "$1" && pwd)
shift
[ $# -gt 0 ] || set -- etcd kubectl kube-apiserver helm
kubernetes=1.36.4
helm=v3.19.0
helm4=v4.2.4

minor=${kubernetes#*.}
minor=${minor%.*}

missing=()
for program; do
  [ -x "$directory/$program" ] || missing+=("$program")
done
[ ${#missing[@]} -gt 0 ] || exit 0
command -v go >/dev/null || { echo "$0: needs Go" >&2; exit 1; }
export CGO_ENABLED=0

# Whoever is not told its version says that it is none, or in helm's case 1.20, and charts ask for it.
flags="-s -w"
for package in k8s.io/component-base/version k8s.io/client-go/pkg/version; do
  flags+=" -X $package.gitVersion=v$kubernetes -X $package.gitMajor=1 -X $package.gitMinor=$minor"
done
for package in chartutil lint/rules; do
  flags+=" -X helm.sh/helm/v3/pkg/$package.k8sVersionMajor=1"
  flags+=" -X helm.sh/helm/v3/pkg/$package.k8sVersionMinor=$minor"
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# Kubernetes wires its libraries by `replace`, which Go heeds only in the main module: here they become
# the released libraries of the same version. etcd is the one that this API server is tested with.
module() {
  mkdir kube-apiserver kubectl etcd
  cat > kube-apiserver/main.go <<'GO'
package main

import (
	"os"

	"k8s.io/component-base/cli"
	"k8s.io/kubernetes/cmd/kube-apiserver/app"
)

func main() { os.Exit(cli.Run(app.NewAPIServerCommand())) }
GO
  cat > kubectl/main.go <<'GO'
package main

import (
	"k8s.io/component-base/cli"
	"k8s.io/kubectl/pkg/cmd"
	"k8s.io/kubectl/pkg/cmd/util"
)

func main() {
	if err := cli.RunNoErrOutput(cmd.NewDefaultKubectlCommand()); err != nil {
		util.CheckErr(err)
	}
}
GO
  cat > etcd/main.go <<'GO'
package main

import (
	"os"

	"go.etcd.io/etcd/server/v3/etcdmain"
)

func main() { etcdmain.Main(os.Args) }
GO
  upstream=$(go mod download -json "k8s.io/kubernetes@v$kubernetes" | sed -n 's/.*"GoMod": "\(.*\)".*/\1/p')
  {
    echo "module controlplane"
    grep '^go ' "$upstream"
    echo "require k8s.io/kubernetes v$kubernetes"
    sed -nE "s#^\s*(k8s\.io/[a-z-]+) => \./staging.*#replace \1 => \1 v0.${kubernetes#*.}#p" "$upstream"
  } > go.mod
  go mod tidy 2>/dev/null
}

echo "building ${missing[*]} in $directory (Kubernetes $kubernetes, helm $helm): some minutes, once" >&2
for program in "${missing[@]}"; do
  if [ "$program" = helm ]; then
    GOBIN=$directory go install -ldflags="$flags" "helm.sh/helm/v3/cmd/helm@$helm"
  elif [ "$program" = helm4 ]; then
    GOBIN=$work go install -ldflags="-s -w" "helm.sh/helm/v4/cmd/helm@$helm4"
    mv helm "$directory/helm4"
  else
    [ -f go.mod ] || module
    go build -ldflags="$flags" -o "$directory/$program" "./$program"
  fi
done
