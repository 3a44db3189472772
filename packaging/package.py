#!/usr/bin/env python3
"""Makes packages, an image, an archive, a bill of materials and checksums of a built program.

Everything has the time of SOURCE_DATE_EPOCH, the owner root and a sorted order, so that equal input gives equal bytes.
"""

import argparse
import gzip
import hashlib
import io
import json
import os
import pathlib
import shutil
import subprocess
import tarfile
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
FILES = ROOT / "packaging" / "files"
EPOCH = int(os.environ["SOURCE_DATE_EPOCH"])
# The names of processors: Rust's, Debian's, RPM's and those of images.
PROCESSORS = {"x86_64": ("amd64", "x86_64", "amd64"), "aarch64": ("arm64", "aarch64", "arm64")}
SUMMARY = "The Puppet language: compiler, apply, server, lint and format in one program"
DESCRIPTION = [
    "Bunraku reads Puppet modules, manifests, Hiera data and templates unchanged",
    "and produces the catalogs of Puppet 8. It applies them, answers agents over",
    "HTTPS, checks style as puppet-lint does, and compares catalogs.",
]
LICENCE = "Apache-2.0"
MAINTAINER = "Bunraku developers <bunraku@localhost>"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", required=True, type=pathlib.Path)
    parser.add_argument("--target", required=True)
    parser.add_argument("--metadata", required=True, type=pathlib.Path, help="what `cargo metadata` says")
    parser.add_argument("--draft", action="store_true", help="only the Debian package, not compressed")
    parser.add_argument("out", type=pathlib.Path)
    given = parser.parse_args()
    metadata = json.loads(given.metadata.read_text())
    version = next(it["version"] for it in metadata["packages"] if it["name"] == "bunraku-cli")
    processor = given.target.split("-")[0]
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        tree = scratch / "tree"
        install(given.binary.resolve(), tree)
        set_times(tree)
        debian(tree, scratch, version, PROCESSORS[processor][0], given.out, "none" if given.draft else "xz")
        if given.draft:
            return
        rpm(tree, scratch, version, PROCESSORS[processor][1], given.out)
        archive(tree, given.out / f"bunraku-{version}-{given.target}.tar.gz", f"bunraku-{version}")
        image(given.binary, version, PROCESSORS[processor][2], given.out)
    bill(metadata, version, given.out / f"bunraku-{version}.cdx.json")
    shutil.copy(FILES / "install.sh", given.out / "install.sh")
    sums = [f"{digest(path)}  {path.name}\n" for path in sorted(given.out.iterdir()) if is_artifact(path)]
    (given.out / "SHA256SUMS").write_text("".join(sums))


def is_artifact(path):
    return path.name not in ("bunraku", "metadata.json", "SHA256SUMS")


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def install(binary, tree):
    """The files as they are on a machine."""

    def put(path, content, mode=0o644):
        path = tree / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        path.chmod(mode)

    def said(*arguments):
        return subprocess.run([binary, *arguments], check=True, capture_output=True).stdout

    def packed(content):
        return gzip.compress(content, 9, mtime=0)

    put("usr/bin/bunraku", binary.read_bytes(), 0o755)
    with tempfile.TemporaryDirectory() as pages:
        said("manpages", pages)
        for page in sorted(pathlib.Path(pages).iterdir()):
            put(f"usr/share/man/man1/{page.name}.gz", packed(page.read_bytes()))
    put("usr/share/bash-completion/completions/bunraku", said("completions", "bash"))
    put("usr/share/zsh/vendor-completions/_bunraku", said("completions", "zsh"))
    put("usr/share/fish/vendor_completions.d/bunraku.fish", said("completions", "fish"))
    # Those of the alias are for whoever wants them: the agent of Puppet may be installed as well.
    for shell in ("bash", "zsh", "fish"):
        put(f"usr/share/bunraku/completions/puppet.{shell}", said("completions", shell, "--name", "puppet"))
    for unit in sorted((ROOT / "packaging" / "systemd").iterdir()):
        put(f"usr/lib/systemd/system/{unit.name}", unit.read_bytes())
    for source in [ROOT / "examples" / "typo.pp", *sorted((ROOT / "examples" / "control_repo").rglob("*"))]:
        if source.is_file():
            put(pathlib.Path("usr/share/bunraku/examples", source.relative_to(ROOT / "examples")), source.read_bytes())
    for name in ("README.md", "CHANGELOG.md"):
        put(f"usr/share/doc/bunraku/{name}.gz", packed((ROOT / name).read_bytes()))
    put("usr/share/doc/bunraku/copyright", (ROOT / "LICENSE").read_bytes())


def set_times(tree):
    for path in sorted(tree.rglob("*"), reverse=True):
        if path.is_dir():
            path.chmod(0o755)
        os.utime(path, (EPOCH, EPOCH))
    os.utime(tree, (EPOCH, EPOCH))


def debian(tree, scratch, version, processor, out, compression):
    root = scratch / "deb"
    shutil.copytree(tree, root)
    control = root / "DEBIAN"
    control.mkdir()
    size = sum(path.stat().st_size for path in tree.rglob("*") if path.is_file()) // 1024
    text = [
        "Package: bunraku",
        f"Version: {version}-1",
        f"Architecture: {processor}",
        f"Maintainer: {MAINTAINER}",
        f"Installed-Size: {size}",
        "Section: admin",
        "Priority: optional",
        "Recommends: ca-certificates",
        "Suggests: ruby, git",
        f"Description: {SUMMARY}",
        *(f" {line}" for line in DESCRIPTION),
    ]
    (control / "control").write_text("\n".join(text) + "\n")
    for script in ("postinst", "prerm"):
        path = control / script
        path.write_bytes((FILES / f"debian-{script}").read_bytes())
        path.chmod(0o755)
    set_times(root)
    name = out / f"bunraku_{version}-1_{processor}.deb"
    command = ["dpkg-deb", "--root-owner-group", f"-Z{compression}", "--build", root, name]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def rpm(tree, scratch, version, processor, out):
    paths = sorted("/" + str(path.relative_to(tree)) for path in tree.rglob("*") if path.is_file())
    top = scratch / "rpm"
    spec = (FILES / "bunraku.spec").read_text()
    values = {"VERSION": version, "SUMMARY": SUMMARY, "LICENCE": LICENCE, "DESCRIPTION": "\n".join(DESCRIPTION)}
    for name, value in {**values, "TREE": str(tree), "FILES": "\n".join(paths)}.items():
        spec = spec.replace(f"@{name}@", value)
    path = scratch / "bunraku.spec"
    path.write_text(spec)
    settings = {
        "_topdir": top,
        "_buildhost": "bunraku",
        "use_source_date_epoch_as_buildtime": 1,
        "clamp_mtime_to_source_date_epoch": 1,
        "_build_id_links": "none",
        "_binary_payload": "w19.zstdio",
        "__os_install_post": "%{nil}",
        "debug_package": "%{nil}",
    }
    defines = [word for name, value in settings.items() for word in ("--define", f"{name} {value}")]
    command = ["rpmbuild", "-bb", "--quiet", "--target", processor, *defines, path]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    built = next((top / "RPMS").rglob("*.rpm"))
    shutil.copy(built, out / built.name)


def member(name, mode=0o644, kind=tarfile.REGTYPE, size=0):
    info = tarfile.TarInfo(name)
    info.mode, info.type, info.size, info.mtime = mode, kind, size, EPOCH
    info.uname = info.gname = ""
    return info


def packed_tar(write):
    """A compressed archive of what is written to it."""
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w", format=tarfile.PAX_FORMAT) as tar:
        write(tar)
    return raw.getvalue(), gzip.compress(raw.getvalue(), 9, mtime=0)


def archive(tree, path, top):
    def write(tar):
        for source in sorted(tree.rglob("*")):
            name = f"{top}/{source.relative_to(tree)}"
            if source.is_dir():
                tar.addfile(member(name, 0o755, tarfile.DIRTYPE))
            else:
                content = source.read_bytes()
                tar.addfile(member(name, source.stat().st_mode & 0o777, size=len(content)), io.BytesIO(content))

    path.write_bytes(packed_tar(write)[1])


def image(binary, version, processor, out):
    """An image that has nothing but the program, as the archive of an OCI layout."""
    users = "root:x:0:0:root:/root:/sbin/nologin\npuppet:x:52:52:Bunraku:/home:/sbin/nologin\n"
    groups = "root:x:0:\npuppet:x:52:\n"

    def write(tar):
        for directory, mode in (("etc", 0o755), ("home", 0o755), ("tmp", 0o1777), ("usr", 0o755), ("usr/bin", 0o755)):
            tar.addfile(member(directory, mode, tarfile.DIRTYPE))
        for name, text in (("etc/passwd", users), ("etc/group", groups)):
            tar.addfile(member(name, size=len(text)), io.BytesIO(text.encode()))
        content = binary.read_bytes()
        tar.addfile(member("usr/bin/bunraku", 0o755, size=len(content)), io.BytesIO(content))

    raw, layer = packed_tar(write)
    blobs = {}

    def blob(content, kind):
        sha = hashlib.sha256(content).hexdigest()
        blobs[sha] = content
        return {"mediaType": f"application/vnd.oci.image.{kind}", "digest": f"sha256:{sha}", "size": len(content)}

    def text(value):
        return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()

    import datetime

    created = datetime.datetime.fromtimestamp(EPOCH, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    labels = {"org.opencontainers.image.title": "bunraku", "org.opencontainers.image.version": version,
              "org.opencontainers.image.licenses": LICENCE, "org.opencontainers.image.description": SUMMARY}
    config = {
        "created": created,
        "architecture": processor,
        "os": "linux",
        "config": {"Entrypoint": ["/usr/bin/bunraku"], "Env": ["PATH=/usr/bin", "HOME=/home"], "WorkingDir": "/home",
                   "Labels": labels},
        "rootfs": {"type": "layers", "diff_ids": [f"sha256:{hashlib.sha256(raw).hexdigest()}"]},
        "history": [{"created": created, "created_by": "bunraku packaging"}],
    }
    manifest = {
        "schemaVersion": 2,
        "mediaType": "application/vnd.oci.image.manifest.v1+json",
        "config": blob(text(config), "config.v1+json"),
        "layers": [blob(layer, "layer.v1.tar+gzip")],
    }
    reference = {**blob(text(manifest), "manifest.v1+json"),
                 "annotations": {"org.opencontainers.image.ref.name": version}}
    index = {"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": [reference]}

    def layout(tar):
        for directory in ("blobs", "blobs/sha256"):
            tar.addfile(member(directory, 0o755, tarfile.DIRTYPE))
        parts = {"oci-layout": text({"imageLayoutVersion": "1.0.0"}), "index.json": text(index)}
        parts.update({f"blobs/sha256/{sha}": content for sha, content in blobs.items()})
        for name in sorted(parts):
            tar.addfile(member(name, size=len(parts[name])), io.BytesIO(parts[name]))

    (out / f"bunraku-{version}-{processor}.oci.tar").write_bytes(packed_tar(layout)[0])


def bill(metadata, version, path):
    """What the program is made of, in the form of CycloneDX."""
    packages = {it["id"]: it for it in metadata["packages"]}
    nodes = {it["id"]: it for it in metadata["resolve"]["nodes"]}
    program = next(it["id"] for it in metadata["packages"] if it["name"] == "bunraku-cli")

    def needed(node):
        kinds = lambda it: {kind["kind"] for kind in it["dep_kinds"]}
        return sorted(it["pkg"] for it in nodes[node]["deps"] if kinds(it) & {None, "build"})

    found, todo = set(), [program]
    while todo:
        node = todo.pop()
        if node not in found:
            found.add(node)
            todo.extend(needed(node))

    def name(node):
        return f"pkg:cargo/{packages[node]['name']}@{packages[node]['version']}"

    def component(node):
        package = packages[node]
        told = {"type": "library", "bom-ref": name(node), "name": package["name"], "version": package["version"],
                "purl": name(node)}
        if package.get("license"):
            told["licenses"] = [{"expression": package["license"].replace("/", " OR ")}]
        return told

    others = sorted((node for node in found if node != program), key=name)
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": {**component(program), "type": "application", "name": "bunraku", "version": version}},
        "components": [component(node) for node in others],
        "dependencies": [{"ref": name(node), "dependsOn": sorted({name(it) for it in needed(node)})}
                         for node in [program, *others]],
    }
    path.write_text(json.dumps(document, indent=1) + "\n")


if __name__ == "__main__":
    main()
