# SPDX-License-Identifier: MIT
"""Builds the wheel of the package: its Python files and libcredence.so, which CMake builds from the folder above.

It needs Python's standard library, CMake and a C compiler, and no index of packages. CREDENCE_BUILD may name a folder
where CMake has built Credence before; what is missing there is built."""
import base64
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sysconfig
import tempfile
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
SUMMARY = "Node classification that knows when it does not know"
# A wheel for every Linux with this glibc or a newer one may load nothing else.
EVERYWHERE = r"lib(c|m)\.so\.6|ld-linux.*"


def version():
    header = ROOT / "include" / "credence.h"
    if not header.exists():
        raise RuntimeError(f"{header} is missing: the C library is built from the folder above python/. A pip before "
                           "21.3 copies python/ elsewhere, unless it is told --use-feature=in-tree-build")
    text = header.read_text(encoding="utf-8")
    return ".".join(re.search(rf"#define CRD_VERSION_{part} (\d+)", text)[1] for part in ("MAJOR", "MINOR", "PATCH"))


def metadata():
    return (f"Metadata-Version: 2.1\nName: credence\nVersion: {version()}\nSummary: {SUMMARY}\nLicense: MIT\n"
            "Classifier: License :: OSI Approved :: MIT License\nClassifier: Operating System :: POSIX :: Linux\n"
            "Classifier: Programming Language :: Python :: 3\nClassifier: Typing :: Typed\n"
            "Requires-Python: >=3.9\nRequires-Dist: numpy>=1.22\nDescription-Content-Type: text/markdown\n\n"
            + (HERE / "README.md").read_text(encoding="utf-8"))


def _build(folder):
    """Builds the library that a wheel carries; returns the folder of the build."""
    given = os.environ.get("CREDENCE_BUILD")
    build = pathlib.Path(given) if given else pathlib.Path(folder) / "build"
    if not given:
        subprocess.run(["cmake", "-S", ROOT, "-B", build, "-DCMAKE_BUILD_TYPE=Release", "-DCREDENCE_COMMAND=OFF"],
                       check=True)
    subprocess.run(["cmake", "--build", build, "--parallel", str(os.cpu_count() or 1), "--target", "credence_wheel"],
                   check=True)
    return build


def _needs(library):
    """The libraries that a library loads, and the newest glibc that it asks for."""
    try:
        said = subprocess.run(["readelf", "--dynamic", "--version-info", "--wide", library], check=True,
                              stdout=subprocess.PIPE, env={**os.environ, "LC_ALL": "C"}).stdout.decode()
    except (OSError, subprocess.CalledProcessError):
        return ["unknown"], (0, 0)
    versions = re.findall(r"Name: GLIBC_(\d+)\.(\d+)", said)
    return re.findall(r"\(NEEDED\).*\[(.*)\]", said), max(((int(a), int(b)) for a, b in versions), default=(0, 0))


def _tag(needed, glibc):
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    if glibc >= (2, 17) and all(re.fullmatch(EVERYWHERE, one) for one in needed):
        platform = platform.replace("linux", f"manylinux_{glibc[0]}_{glibc[1]}", 1)
    return f"py3-none-{platform}"


class _Wheel:
    """A zip archive with the list of its files. The same files give the same bytes."""

    def __init__(self, path):
        self.archive, self.lines = zipfile.ZipFile(path, "w"), []

    def add(self, name, data):
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        self.lines.append(f"{name},sha256={digest},{len(data)}")
        self._write(name, data)

    def _write(self, name, data):
        info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
        info.compress_type, info.external_attr = zipfile.ZIP_DEFLATED, 0o100644 << 16
        self.archive.writestr(info, data)

    def close(self, record):
        self._write(record, "\n".join(self.lines + [f"{record},,"]) + "\n")
        self.archive.close()


def _facts(tag, build, bundled):
    """The files that say what is in the wheel, by their names."""
    files = {"METADATA": metadata().encode("utf-8"), "licenses/LICENSE": (ROOT / "LICENSE").read_bytes(),
             "WHEEL": f"Wheel-Version: 1.0\nGenerator: credence\nRoot-Is-Purelib: false\nTag: {tag}\n".encode(),
             "sboms/credence.spdx.json": (build / "wheel.spdx.json").read_bytes()}
    if bundled:
        files.update({f"licenses/{path.name}": path.read_bytes() for path in (HERE / "licences").iterdir()})
    return files


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    with tempfile.TemporaryDirectory() as folder:
        build = _build(folder)
        library = pathlib.Path(folder) / "libcredence.so"
        shutil.copy(build / "wheel" / "libcredence.so", library)
        if shutil.which("strip"):
            subprocess.run(["strip", "--strip-unneeded", library], check=True)
        needed, glibc = _needs(library)
        tag = _tag(needed, glibc)
        name = f"credence-{version()}-{tag}.whl"
        wheel = _Wheel(pathlib.Path(wheel_directory) / name)
        for path in sorted((HERE / "credence").glob("*")):
            if path.suffix in (".py", ".pyi", ".typed"):
                wheel.add(f"credence/{path.name}", path.read_bytes())
        wheel.add("credence/libcredence.so", library.read_bytes())
        facts = f"credence-{version()}.dist-info"
        bundled = not any(re.match(r"libjansson|unknown", one) for one in needed)
        for file, data in sorted(_facts(tag, build, bundled).items()):
            wheel.add(f"{facts}/{file}", data)
        wheel.close(f"{facts}/RECORD")
    return name


def build_sdist(sdist_directory, config_settings=None):
    raise RuntimeError("the C library is built from the folder above, which is not part of this one: take the whole "
                       "source of Credence, and 'pip install ./python' in it")
