# SPDX-License-Identifier: MIT
"""zip_of_python.py COMMAND: Python's zipfile, on which NumPy's savez and load stand, and the command read each other's
archives."""
import io
import os
import subprocess
import sys
import tempfile
import zipfile

command = sys.argv[1]


def run(*words, data=None):
    done = subprocess.run([command, *words], input=data, stdout=subprocess.PIPE, check=True)
    return done.stdout


class Pipe(io.RawIOBase):
    """Cannot go back, so that zipfile puts sizes behind the data."""

    def __init__(self, file):
        self.file = file

    def writable(self):
        return True

    def seekable(self):
        return False

    def write(self, part):
        return self.file.write(part)


def pack(path, arrays, method, pipe, zip64, comment):
    with open(path, "wb") as file:
        with zipfile.ZipFile(Pipe(file) if pipe else file, "w", method, allowZip64=True) as archive:
            archive.comment = comment
            for name, content in arrays:
                # As NumPy does it: the size is not known, so that the header has room for any.
                with archive.open(name, "w", force_zip64=zip64) as member:
                    member.write(content)


def facts(path, data=None):
    """What the command says about a graph, without its name."""
    return run("info", "--json", path, data=data).replace(os.fsencode(path), b"")


with tempfile.TemporaryDirectory() as folder:
    graph, packed = os.path.join(folder, "graph.npz"), os.path.join(folder, "packed.npz")
    run("generate", "--nodes", "500", "-o", graph)
    with zipfile.ZipFile(graph) as archive:
        assert archive.testzip() is None
        arrays = [(one.filename, archive.read(one)) for one in archive.infolist()]
        assert len(arrays) > 4 and all(one.date_time[0] == 1980 for one in archive.infolist())
    forms = 0
    for method in zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED:
        for pipe in False, True:
            for zip64 in False, True:
                for comment in b"", b"a comment", b"c" * 65535:
                    pack(packed, arrays, method, pipe, zip64, comment)
                    assert facts(packed) == facts(graph), (method, pipe, zip64, len(comment))
                    forms += 1
    with open(packed, "rb") as file:
        assert b'"nodes"' in run("info", "--json", "-", data=file.read())
    for method in zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA:
        pack(packed, arrays, method, False, False, b"")
        done = subprocess.run([command, "info", packed], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        assert done.returncode == 1 and b"is packed by method" in done.stderr, done.stderr
    print(forms, "forms of archives are read alike")
