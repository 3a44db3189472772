#!/bin/sh
# Builds a second root, for resource types and providers that need more than the first: a copy of it with further tools, types
# and repositories. The first stays as it is, since cases depend on what is not there. Run as root after build-root.sh.
#   ROOT=./root TOOLS=./root-tools MIRROR=http://a.debian.mirror/debian ./build-tools.sh
set -eu
: "${ROOT:?}" "${TOOLS:?}" "${MIRROR:?}" "${SUITE:=bookworm}"
here=$(cd "$(dirname "$0")" && pwd)
rm -rf "$TOOLS"
cp -a "$ROOT" "$TOOLS"
cp /etc/resolv.conf "$TOOLS/etc/resolv.conf"
echo "deb $MIRROR $SUITE main" > "$TOOLS/etc/apt/sources.list.d/further.list"
chroot "$TOOLS" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive sh -c 'apt-get update -qq && apt-get install -y -qq --no-install-recommends \
  git python3-pip puppet-module-puppetlabs-vcsrepo puppet-module-duritong-sysctl puppet-module-puppetlabs-mysql \
  puppet-module-puppetlabs-postgresql && apt-get clean'
rm "$TOOLS/etc/apt/sources.list.d/further.list"
: > "$TOOLS/etc/resolv.conf"
chroot "$TOOLS" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root sh -e < "$here/python-and-gems.sh"
# --- programs that stand for others
mkdir -p "$TOOLS/srv/stand-ins"
cp "$here/packages.sh" "$here/mysql.sh" "$here/psql.sh" "$TOOLS/srv/stand-ins/"
chmod 755 "$TOOLS"/srv/stand-ins/*
cat "$here"/*.sh > "$TOOLS/srv/built-by"
