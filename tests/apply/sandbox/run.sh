#!/bin/sh
# Runs the cases of IN.jsonl with the program BINARY in the sandbox ROOT and writes what happened to OUT.jsonl. Run as root.
#   ROOT=./root BINARY=bunraku ./run.sh IN.jsonl OUT.jsonl [JOBS]
set -eu
: "${ROOT:?}" "${BINARY:?}"
here=$(cd "$(dirname "$0")" && pwd)
in=$(realpath "$1"); out=$(realpath -m "$2"); shift 2
export ROOT BINARY here in out
exec unshare -m -u -n -p -f sh -eu -c '
  mount --make-rprivate /
  mkdir -p "$ROOT/.cases" "$ROOT/opt/recorder" "$ROOT/etc/puppetlabs"
  mount -t tmpfs -o mode=755 tmpfs "$ROOT/.cases"
  mount -t proc proc "$ROOT/proc"
  mount -t sysfs sysfs "$ROOT/sys"
  mount --bind /dev "$ROOT/dev"
  hostname sandbox; ip link set lo up 2>/dev/null || true
  cp "$here/record.rb" "$here/systemctl.rb" "$ROOT/opt/recorder/"
  # The directories of Debian, in which the cases were recorded.
  mkdir -p "$ROOT/etc/puppetlabs/puppet"
  { cat "$ROOT/etc/puppet/puppet.conf"; printf "%s\n" "codedir = /etc/puppet/code" "vardir = /var/cache/puppet" \
    "ssldir = /var/lib/puppet/ssl" "logdir = /var/log/puppet" "rundir = /run/puppet" "publicdir = /var/cache/puppet/public" \
    "basemodulepath = /etc/puppet/code/modules:/usr/share/puppet/modules"; } > "$ROOT/etc/puppetlabs/puppet/puppet.conf"
  cmp -s "$BINARY" "$ROOT/usr/local/bin/puppet" || cp "$BINARY" "$ROOT/usr/local/bin/puppet"
  cp "$in" "$ROOT/.cases/in.jsonl"
  code=0
  chroot "$ROOT" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 LC_ALL=C.UTF-8 ruby /opt/recorder/record.rb /.cases/in.jsonl /.cases/out.jsonl "$@" || code=$?
  [ ! -e "$ROOT/.cases/out.jsonl" ] || cp "$ROOT/.cases/out.jsonl" "$out"
  exit $code
' sh "$@"
