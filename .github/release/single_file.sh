#!/bin/sh
# celvet in one file, as `flux plugin install` takes it. The archive behind the last line is unpacked at
# the first start, below the user's cache; PyInstaller's own single file unpacks itself at each.
set -eu
place=${XDG_CACHE_HOME:-${HOME:?}/.cache}/celvet-program/@name@
if [ ! -x "$place/celvet/flux-celvet" ]; then
  new=$place.$$
  trap 'rm -rf "$new"' EXIT
  mkdir -p "$new"
  tail -n +@line@ "$0" | gzip -dc | tar -xf - -C "$new"
  ln -s celvet "$new/celvet/flux-celvet"
  # Another start may have been faster.
  mv "$new" "$place" 2>/dev/null || [ -x "$place/celvet/flux-celvet" ]
  rm -rf "$new" "$place/$(basename "$new")"
  trap - EXIT
fi
exec "$place/celvet/flux-celvet" "$@"
