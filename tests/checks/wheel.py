# SPDX-License-Identifier: MIT
"""wheel.py ROOT WHEEL: what is in a wheel is what its name, its list and its labels say."""
import base64
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import zipfile

root, path = map(pathlib.Path, sys.argv[1:])
wheel = zipfile.ZipFile(path)
content = {name: wheel.read(name) for name in wheel.namelist()}
python = next(name.split("/")[0] for name in content if name.endswith("/METADATA"))


def readelf(library, *words):
    return subprocess.run(["readelf", "--wide", *words, library], check=True, stdout=subprocess.PIPE).stdout.decode()


def expect(what, found, expected):
    if found != expected:
        sys.exit(f"wheel.py: {path.name}: {what} is {found!r}, expected {expected!r}")


# The list of files has them all, with their sizes and sums.
lines = [line.split(",") for line in content[f"{python}/RECORD"].decode().splitlines()]
expect("the list of files", sorted(line[0] for line in lines), sorted(content))
for name, digest, size in lines:
    if name != f"{python}/RECORD":
        right = base64.urlsafe_b64encode(hashlib.sha256(content[name]).digest()).rstrip(b"=").decode()
        expect(name, (digest, size), (f"sha256={right}", str(len(content[name]))))
sources = [f"credence/{one.name}" for one in (root / "python" / "credence").iterdir()
           if one.suffix in (".py", ".pyi", ".typed")]
facts = [f"{python}/{name}" for name in (
    "METADATA", "RECORD", "WHEEL", "licenses/LICENSE", "licenses/jansson.txt", "licenses/zlib.txt",
    "sboms/credence.spdx.json")]
expect("its content", sorted(content), sorted([*sources, "credence/libcredence.so", *facts]))

# What the library loads, and asks of the C library, is what the platform in the name has.
with tempfile.TemporaryDirectory() as folder:
    library = os.path.join(folder, "libcredence.so")
    pathlib.Path(library).write_bytes(content["credence/libcredence.so"])
    dynamic, versions = readelf(library, "--dynamic"), readelf(library, "--version-info")
    symbols, headers = readelf(library, "--dyn-syms"), readelf(library, "--program-headers")
others = [one for one in re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic)
          if not re.fullmatch(r"lib[cm]\.so\.6|ld-linux-.*", one)]
expect("what the library loads beside the C library", others, [])
newest = max((int(a), int(b)) for a, b in re.findall(r"Name: GLIBC_(\d+)\.(\d+)", versions))
tag = f"py3-none-manylinux_{newest[0]}_{newest[1]}_{os.uname().machine}"
expect("the platform", path.name, f"{'-'.join(path.name.split('-')[:2])}-{tag}.whl")
expect("the tag", re.findall(r"^Tag: (.*)$", content[f"{python}/WHEEL"].decode(), re.M), [tag])
here = tuple(map(int, os.confstr("CS_GNU_LIBC_VERSION").split()[1].split(".")))
if here <= (2, 36):  # newer ones give their own versions of functions to what is built there
    expect("the newest glibc that it needs is at most 2.34", newest <= (2, 34), True)
for word in ("RPATH", "RUNPATH", "TEXTREL"):
    expect(f"{word} in the library", word in dynamic, False)
expect("an executable stack", bool(re.search(r"GNU_STACK .* RWE ", headers)), False)
shown = [line.split()[-1] for line in symbols.splitlines()
         if re.search(r" (FUNC|OBJECT) +(GLOBAL|WEAK) ", line) and not re.search(" (UND|ABS) ", line)]
expect("what the library shows beside its own functions", [one for one in shown if not one.startswith("crd_")], [])
expect("whether the library shows its functions", any(one.startswith("crd_train@@CREDENCE_") for one in shown), True)
expect("the name of a folder of the machine in it", str(root).encode() in content["credence/libcredence.so"], False)

# Its parts and their licences.
header = (root / "include" / "credence.h").read_text(encoding="utf-8")
version = ".".join(re.search(rf"#define CRD_VERSION_{one} (\d+)", header)[1] for one in ("MAJOR", "MINOR", "PATCH"))
expect("the version", re.findall(r"^Version: (.*)$", content[f"{python}/METADATA"].decode(), re.M), [version])
parts = json.loads(content[f"{python}/sboms/credence.spdx.json"])
expect("its parts", {one["name"] for one in parts["packages"]}, {"libcredence", "jansson", "zlib"})
inside = {one["relatedSpdxElement"] for one in parts["relationships"] if one["relationshipType"] == "STATIC_LINK"}
expect("what is inside the library", inside, {"SPDXRef-jansson", "SPDXRef-zlib"})
print(f"{path.name}: {len(content['credence/libcredence.so'])} bytes of library, which needs glibc {newest[0]}.{newest[1]}")
