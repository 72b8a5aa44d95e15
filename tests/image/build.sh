#!/usr/bin/env bash
# Builds the webhook's image without a daemon or a registry, and runs it as a user that cannot write to its root, as the chart does.
#   build.sh [DIRECTORY]      some minutes the first time; needs root, and buildah and debootstrap of Debian
# The base is Debian's own Python where no registry can be reached (BASE names another one).
set -euo pipefail
directory=${1:-$HOME/.cache/celvet-image}
mkdir -p "$directory" && directory=$(cd "$directory" && pwd)
root=$(cd "$(dirname "$0")/../.." && pwd)
export STORAGE_DRIVER=vfs BUILDAH_ISOLATION=chroot
storage=(--root "$directory/storage" --runroot "$directory/run")
image=localhost/celvet:ci base=${BASE:-localhost/celvet-base:bookworm}

if [ -z "${BASE:-}" ] && ! buildah "${storage[@]}" inspect --type image "$base" >/dev/null 2>&1; then
  [ -f "$directory/base.tar" ] || {
    debootstrap --variant=minbase --include=python3,python3-venv,ca-certificates bookworm "$directory/rootfs" >&2
    tar -C "$directory/rootfs" -cf "$directory/base.tar" . && rm -rf "$directory/rootfs"
  }
  printf 'FROM scratch\nADD base.tar /\nRUN ln -sf python3 /usr/bin/python\n' > "$directory/Containerfile"
  buildah "${storage[@]}" bud --quiet --tag "$base" --file "$directory/Containerfile" "$directory" >&2
fi

# The authorities of this machine, in case of a proxy between here and the package index.
cp /etc/ssl/certs/ca-certificates.crt "$directory/authorities.pem"
printf '[global]\ncert = /etc/authorities.pem\n' > "$directory/pip.conf"
buildah "${storage[@]}" bud --quiet --pull-never --build-arg "BASE=$base" --target webhook \
  --volume "$directory/authorities.pem:/etc/authorities.pem:ro" \
  --volume "$directory/pip.conf:/etc/pip.conf:ro" --tag "$image" "$root" >&2

container=$(buildah "${storage[@]}" from --pull-never "$image")
trap 'kill "${server:-}" 2>/dev/null || true; buildah "${storage[@]}" rm "$container" >/dev/null' EXIT
state=$directory/state && rm -rf "$state" && install -d -o 65532 "$state"
run=(buildah "${storage[@]}" run --user 65532:65532 --volume "$state:/tmp:rw" "$container" --)
"${run[@]}" celvet --version
"${run[@]}" celvet certs create --dir /tmp/certs --dns-name localhost > /dev/null
"${run[@]}" celvet serve --port 19743 --metrics-bind-address 127.0.0.1:19780 --shutdown-delay 0 \
  --tls-cert-file /tmp/certs/tls.crt --tls-private-key-file /tmp/certs/tls.key 2> "$directory/log" &
server=$!
for _ in $(seq 150); do
  curl --silent --fail http://127.0.0.1:19780/readyz >/dev/null && break
  sleep 0.4
done
"${run[@]}" python -c "$(cat "$root/charts/celvet/files/review.py")" https://127.0.0.1:19743 deny
