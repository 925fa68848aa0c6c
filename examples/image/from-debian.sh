#!/bin/sh
# The same image for a machine that reaches Debian's packages but no image registry. Needs root, debootstrap and docker.
#   from-debian.sh TAG [MIRROR]
set -eu
tag=$1
mirror=${2:-http://deb.debian.org/debian}
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
debootstrap --variant=minbase --include=python3,python3-venv,nodejs bookworm "$tree/root" "$mirror" >"$tree/log" 2>&1 || {
  tail -5 "$tree/log"
  exit 1
}
rm -rf "$tree/root/var/cache/apt/archives" "$tree/root/var/lib/apt/lists"
tar -C "$tree/root" -c . | docker import --change 'CMD ["sh"]' - "$tag" >/dev/null
