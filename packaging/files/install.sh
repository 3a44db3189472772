#!/bin/sh
# Installs Bunraku for one user, or as root for all: sh install.sh [FROM]
#
# FROM is where the files of a release are: a directory or a URL; by default the directory of this script. PREFIX says where to
# install (~/.local, or /usr/local for root).
set -eu
from=${1:-$(dirname "$0")}
case "$(uname -s)-$(uname -m)" in
  Linux-x86_64) target=x86_64-unknown-linux ;;
  Linux-aarch64) target=aarch64-unknown-linux ;;
  *) echo "There is no binary for $(uname -s) on $(uname -m): build it with cargo install --path crates/cli" >&2; exit 1 ;;
esac
if [ "$(id -u)" = 0 ]; then prefix=${PREFIX:-/usr/local}; else prefix=${PREFIX:-$HOME/.local}; fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
get() {
  case $from in
    *://*) if command -v curl >/dev/null; then curl -fsSL "$from/$1" -o "$scratch/$1"; else wget -q "$from/$1" -O "$scratch/$1"; fi ;;
    *) cp "$from/$1" "$scratch/$1" ;;
  esac
}
get SHA256SUMS
name=$(sed -n "s/^[0-9a-f]*  \(bunraku-[0-9].*-$target-[a-z]*\.tar\.gz\)\$/\1/p" "$scratch/SHA256SUMS")
[ -n "$name" ] || { echo "$from has no release for $target" >&2; exit 1; }
get "$name"
(cd "$scratch" && grep "  $name\$" SHA256SUMS | sha256sum -c --quiet -)
tar -xzf "$scratch/$name" -C "$scratch"
mkdir -p "$prefix/bin" "$prefix/share"
cp "$scratch"/bunraku-*/usr/bin/bunraku "$prefix/bin/bunraku.new"
mv "$prefix/bin/bunraku.new" "$prefix/bin/bunraku"
for part in man bash-completion zsh fish bunraku; do
  cp -R "$scratch"/bunraku-*/usr/share/$part "$prefix/share/"
done
echo "Installed $("$prefix/bin/bunraku" version | head -n 1) in $prefix/bin"
case ":$PATH:" in *":$prefix/bin:"*) ;; *) echo "Add $prefix/bin to PATH" ;; esac
