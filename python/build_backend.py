# SPDX-License-Identifier: MIT
"""Builds the wheel of the package: its Python files and libcredence.so, which CMake builds from the folder above.

It needs Python's standard library, CMake and a C compiler, and no index of packages."""
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


def _version():
    text = (ROOT / "include" / "credence.h").read_text(encoding="utf-8")
    return ".".join(re.search(rf"#define CRD_VERSION_{part} (\d+)", text)[1] for part in ("MAJOR", "MINOR", "PATCH"))


def _metadata():
    return (f"Metadata-Version: 2.1\nName: credence\nVersion: {_version()}\nSummary: {SUMMARY}\n"
            "Requires-Python: >=3.9\nRequires-Dist: numpy>=1.22\nDescription-Content-Type: text/markdown\n\n"
            + (HERE / "README.md").read_text(encoding="utf-8"))


def _tag():
    return "py3-none-" + sysconfig.get_platform().replace("-", "_").replace(".", "_")


def _library(folder):
    """The path of libcredence.so: one that was built before (CREDENCE_LIBRARY), or a new one."""
    given = os.environ.get("CREDENCE_LIBRARY")
    if given:
        return pathlib.Path(given)
    build = pathlib.Path(folder) / "build"
    subprocess.run(["cmake", "-S", ROOT, "-B", build, "-DCMAKE_BUILD_TYPE=Release", "-DCREDENCE_COMMAND=OFF",
                    "-DCREDENCE_INSTALL=OFF"], check=True)
    subprocess.run(["cmake", "--build", build, "--parallel", str(os.cpu_count() or 1), "--target", "credence_shared"],
                   check=True)
    stripped = pathlib.Path(folder) / "libcredence.so"
    shutil.copy(build / "libcredence.so", stripped)
    if shutil.which("strip"):
        subprocess.run(["strip", "--strip-unneeded", stripped], check=True)
    return stripped


def _write(wheel, name, data, lines):
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))  # the same files give the same bytes
    info.compress_type, info.external_attr = zipfile.ZIP_DEFLATED, 0o100644 << 16
    wheel.writestr(info, data)
    lines.append(f"{name},sha256={digest},{len(data)}")


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    facts = f"credence-{_version()}.dist-info"
    name = f"credence-{_version()}-{_tag()}.whl"
    lines = []
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(pathlib.Path(wheel_directory) / name, "w") as wheel:
        for path in sorted((HERE / "credence").glob("*")):
            if path.suffix in (".py", ".pyi", ".typed"):
                _write(wheel, f"credence/{path.name}", path.read_bytes(), lines)
        _write(wheel, "credence/libcredence.so", _library(folder).read_bytes(), lines)
        _write(wheel, f"{facts}/METADATA", _metadata().encode("utf-8"), lines)
        _write(wheel, f"{facts}/LICENSE", (ROOT / "LICENSE").read_bytes(), lines)
        _write(wheel, f"{facts}/WHEEL", ("Wheel-Version: 1.0\nGenerator: credence\nRoot-Is-Purelib: false\n"
                                         f"Tag: {_tag()}\n").encode(), lines)
        wheel.writestr(zipfile.ZipInfo(f"{facts}/RECORD", (1980, 1, 1, 0, 0, 0)),
                       "\n".join(lines + [f"{facts}/RECORD,,"]) + "\n")
    return name


def build_sdist(sdist_directory, config_settings=None):
    raise RuntimeError("the C library is built from the folder above, which is not part of this one: take the whole "
                       "source of Credence, and 'pip install ./python' in it")
