# SPDX-License-Identifier: MIT
"""python_abi.py [--check]: writes python/credence/_abi.py, the structures and functions of credence.h for ctypes.

With --check it writes nothing, and fails if the file is not what the header gives."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
from header import Header, measure  # noqa: E402

OUTPUT = ROOT / "python" / "credence" / "_abi.py"
SCALARS = {"bool": "c_bool", "int": "c_int", "int32_t": "c_int32", "int64_t": "c_int64", "uint8_t": "c_uint8",
           "uint64_t": "c_uint64", "size_t": "c_size_t", "double": "c_double", "float": "c_float", "char": "c_char"}


def of(kind, header):
    """The name of a C type in ctypes. A pointer is an address, but for text."""
    kind = kind.strip()
    if found := re.fullmatch(r"(.*)\[(\w+)\]", kind):
        length = found[2] if found[2].isdigit() else header.constants[found[2]]
        return f"{of(found[1], header)} * {length}"
    if "(*)" in kind:
        result, parameters = kind.split("(*)")
        words = [of(result, header)] + [of(one, header) for one in parameters.strip("()").split(",")]
        return f"CFUNCTYPE({', '.join(words)})"
    if kind == "const char *":
        return "c_char_p"
    if kind.endswith("*"):
        return "c_void_p"
    if kind == "void":
        return "None"
    if kind in header.types and "(*)" in header.types[kind]:
        return of(header.types[kind], header)
    if kind in header.enums:
        return "c_int"
    if kind in header.structs:
        return name_of(kind)
    return SCALARS[kind.removeprefix("const ")]


def name_of(struct):
    """crd_train_options: TrainOptions."""
    return "".join(word.capitalize() for word in struct.split("_")[1:])


def in_order(header):
    """Structures after those that are parts of them."""
    done = []

    def add(name):
        for _, kind in header.structs[name]:
            inner = kind.split("[")[0]
            if inner in header.structs and inner not in done:
                add(inner)
        if name not in done:
            done.append(name)

    for name in header.structs:
        add(name)
    return done


def text():
    header = Header(ROOT / "include" / "credence.h")
    number = measure(header, ROOT / "include" / "credence.h")
    source = (ROOT / "include" / "credence.h").read_text(encoding="utf-8")
    version = [re.search(rf"#define CRD_VERSION_{part} (\d+)", source)[1] for part in ("MAJOR", "MINOR")]
    out = ["# SPDX-License-Identifier: MIT", '"""The structures and functions of credence.h for ctypes. scripts/python_abi.py writes this file."""',
           "# fmt: off", "# ruff: noqa", "from ctypes import (CFUNCTYPE, Structure, c_bool, c_char, c_char_p, c_double, "
           "c_float, c_int, c_int32, c_int64,", "                    c_size_t, c_uint8, c_uint64, c_void_p)", "",
           f"VERSION = ({', '.join(version)})  # of the interface: a library with another one does not fit"]
    out += [""] + [f"{name.removeprefix('CRD_')} = {value}" for name, value in header.constants.items()
                   if value.isdigit() and "VERSION" not in name]
    for values in header.enums.values():
        out += [""] + [f"{value.removeprefix('CRD_')} = {number[value]}" for value in values]
    for name in in_order(header):
        out += ["", "", f"class {name_of(name)}(Structure):", "    _fields_ = ["]
        out += [f'        ("{field}", {of(kind, header)}),' for field, kind in header.structs[name]]
        out += ["    ]"]
    out += ["", "", "# The size of every structure, and where its members are, as the C compiler sees them.", "LAYOUT = {"]
    for name in in_order(header):
        places = ", ".join(str(number[f"offsetof({name}, {field})"]) for field, _ in header.structs[name])
        out.append(f"    {name_of(name)}: ({number[f'sizeof({name})']}, [{places}]),")
    out += ["}", "", "FUNCTIONS = {  # what they return and take"]
    for name, how in header.functions.items():
        result, parameters = re.fullmatch(r"(.*?) ?\((.*)\)", how).groups()
        taken = [] if parameters in ("void", "") else [of(one, header) for one in split(parameters)]
        out.append(f'    "{name}": ({of(result, header)}, [{", ".join(taken)}]),')
    return "\n".join(out + ["}"]) + "\n"


def split(parameters):
    """At commas that are not inside brackets."""
    return re.findall(r"(?:[^,(]|\([^)]*\))+", parameters)


def main(words):
    if words == ["--check"]:
        if not OUTPUT.exists() or OUTPUT.read_text(encoding="utf-8") != text():
            sys.exit("python/credence/_abi.py is not what credence.h gives; 'make docs' writes it")
    elif words:
        sys.exit(__doc__)
    else:
        OUTPUT.write_text(text(), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
