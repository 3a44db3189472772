# Makes bkpy and bkgem in versions 1.0, 1.1 and 2.0, and lets pip and gem find them. Runs in the sandbox.
mkdir -p /srv/pip /srv/gems/gems
export SOURCE_DATE_EPOCH=1700000000
for version in 1.0 1.1 2.0; do
  work=$(mktemp -d)
  cd "$work"
  mkdir "bkpy-$version.dist-info"
  echo "version = '$version'" > bkpy.py
  printf 'Metadata-Version: 2.1\nName: bkpy\nVersion: %s\n' "$version" > "bkpy-$version.dist-info/METADATA"
  printf 'Wheel-Version: 1.0\nGenerator: sandbox\nRoot-Is-Purelib: true\nTag: py3-none-any\n' > "bkpy-$version.dist-info/WHEEL"
  printf 'bkpy.py,,\nbkpy-%s.dist-info/METADATA,,\nbkpy-%s.dist-info/WHEEL,,\nbkpy-%s.dist-info/RECORD,,\n' "$version" "$version" "$version" \
    > "bkpy-$version.dist-info/RECORD"
  python3 -m zipfile -c "/srv/pip/bkpy-$version-py3-none-any.whl" bkpy.py "bkpy-$version.dist-info"
  mkdir lib
  echo "BKGEM = '$version'" > lib/bkgem.rb
  printf 'Gem::Specification.new do |gem|\n  gem.name = "bkgem"\n  gem.version = "%s"\n  gem.summary = "sandbox"\n  gem.authors = ["Sandbox"]\n  gem.files = ["lib/bkgem.rb"]\nend\n' \
    "$version" > bkgem.gemspec
  gem build -q bkgem.gemspec -o "/srv/gems/gems/bkgem-$version.gem" 2>/dev/null
  rm -rf "$work"
done
gem generate_index --directory /srv/gems >/dev/null
printf -- '---\n:sources:\n- file:///srv/gems\n' > /etc/gemrc
printf '[global]\nno-index = true\nfind-links = /srv/pip\nbreak-system-packages = true\nno-compile = true\nroot-user-action = ignore\n' > /etc/pip.conf
# gem keeps what it has asked a source; the source had been asked once before the cases were recorded.
gem list --remote bkgem >/dev/null
