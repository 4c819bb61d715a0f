# SPDX-License-Identifier: MIT
"""What programs that were compiled with credence.h rely on, as text: symbols, prototypes, layouts, values.

    layout.py compare HEADER LIBRARY RECORD            fails if anything is not as RECORD says
    layout.py record  HEADER LIBRARY RECORD [--break]  writes RECORD; a break only with another soname, or with --break

Each line of a record is `what: how it is`. A change is an addition, which no compiled program notices, or a break."""
import os
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
from header import Header, measure  # noqa: E402

HEAD = "# The binary interface of libcredence on 64-bit systems (LP64). `make abi` writes this file; see docs/abi.md.\n"


def fail(sentence):
    sys.exit(f"abi: {sentence}")


def symbols(library):
    """The functions that the library exports with their versions, and its soname."""
    lines = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
    dynamic = subprocess.run(["objdump", "-p", library], check=True, capture_output=True, text=True).stdout
    soname = re.search(r"SONAME\s+(\S+)", dynamic)
    return dict(re.findall(r" T (\w+)@@(\S+)", lines)), soname[1] if soname else "none"


def describe(header_path, library):
    """The interface as an ordered {what: how it is}."""
    header = Header(header_path)
    number = measure(header, header_path)
    if (number["sizeof(long)"], number["sizeof(void *)"]) != (8, 8):
        print("skipped: layouts are recorded for systems whose long and pointers have 64 bits (LP64)")
        sys.exit(77)
    exported, soname = symbols(library)
    for name in header.functions:
        if name not in exported:
            fail(f"break: {name} is declared in the header, but the library does not export it")
    facts = {"soname": soname}
    facts.update({f"constant {name}": str(number[name]) for name in sorted(header.constants)})
    for name in sorted(header.enums):
        facts[f"enum {name}"] = f"{number[f'sizeof({name})']} bytes"
        facts.update({f"enum {name}.{value}": str(number[value]) for value in header.enums[name]})
    facts.update({f"function {name}": f"{exported[name]} {header.functions[name]}" for name in sorted(header.functions)})
    facts.update({f"macro {name}": header.macros[name] for name in sorted(header.macros)})
    for name in sorted(header.structs):
        grows = "may grow" if header.may_grow(name) else "never grows"
        facts[f"struct {name}"] = f"{number[f'sizeof({name})']} bytes, {grows}"
        for field, kind in header.structs[name]:
            at, size = number[f"offsetof({name}, {field})"], number[f"sizeof((({name} *)0)->{field})"]
            facts[f"struct {name}.{field}"] = f"bytes {at} to {at + size - 1}, {kind}"
    opaque = sorted(name for name in header.types if name not in header.structs)
    facts.update({f"type {name}": header.types[name] for name in opaque})
    return facts


def bytes_and_growth(how):
    return int(how.split()[0]), how.endswith("may grow")


def differences(old, new):
    """Pairs of (is it a break, sentence)."""
    for what in old:
        if what not in new:
            yield True, f"{what} ({old[what]}) is gone"
    for what, how in new.items():
        owner = what.split(".")[0]
        if what not in old and "." in what and owner.startswith("struct ") and owner in old:
            size, grows = bytes_and_growth(old[owner])
            if not grows:
                yield True, f"{what} ({how}) is new, but programs give this structure without its size"
            elif int(how.split()[1]) < size:
                yield True, f"{what} ({how}) is new, but among the {size} bytes that older programs give"
            else:
                yield False, f"{what} ({how}) is new"
        elif what not in old:
            yield False, f"{what} ({how}) is new"
        elif old[what] != how and what != "soname":
            grown = False
            if what.startswith("struct ") and "." not in what:
                (before, could), (after, can) = bytes_and_growth(old[what]), bytes_and_growth(how)
                grown = could and can and after > before
            yield not grown, f"{what} was: {old[what]}; is: {how}"


def read_record(path):
    with open(path, encoding="utf-8") as file:
        return dict(line.rstrip("\n").split(": ", 1) for line in file if not line.startswith("#"))


def write_record(path, facts):
    with open(path, "w", encoding="utf-8") as file:
        file.write(HEAD)
        file.writelines(f"{what}: {how}\n" for what, how in facts.items())


def main(action, header, library, record, *options):
    new = describe(header, library)
    old = read_record(record) if os.path.exists(record) else {}
    found = list(differences(old, new)) if old else []
    for is_break, sentence in found:
        print(f"abi: {'break' if is_break else 'addition'}: {sentence}")
    another = old.get("soname") != new["soname"]
    if old and another:
        print(f"abi: the soname was {old['soname']}; is: {new['soname']}")
    breaks = any(is_break for is_break, _ in found) and not another
    if action == "compare":
        if breaks:
            fail("compiled programs would break. Undo it, or raise CRD_VERSION_MINOR, which changes the soname, and then "
                 "run `make abi`; before the first release of this soname run `make abi BREAK=yes`")
        if found or another:
            fail(f"{record} does not have this: run `make abi` and commit what it writes")
    elif breaks and "--break" not in options:
        fail("nothing was recorded: a break needs another soname, so raise CRD_VERSION_MINOR first; before the first "
             "release of this soname run `make abi BREAK=yes`")
    else:
        write_record(record, new)


if len(sys.argv) < 5 or sys.argv[1] not in ("compare", "record"):
    sys.exit(__doc__)
main(*sys.argv[1:])
