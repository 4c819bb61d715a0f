# SPDX-License-Identifier: MIT
"""credence.h, read: constants, enumerations, structures, functions, and how the compiler lays them out."""
import os
import re
import subprocess
import tempfile

# These change with every release, or are how the header is written.
NOT_RECORDED = re.compile(r"CREDENCE_H|CRD_API|CRD_CALL|CRD_MUST_CHECK|CRD_VERSION.*|CRD_TEXT_.*")


def one_line(text):
    return re.sub(r"\s+", " ", text).strip()


class Header:
    """The header is regular: one declaration after the other, which this class tells apart by their first words."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            text = re.sub(r"/\*.*?\*/", " ", file.read(), flags=re.S).replace("\\\n", " ")
        self.constants, self.macros, self.enums, self.structs, self.functions, self.types = {}, {}, {}, {}, {}, {}
        for name, parameters, body in re.findall(r"^#define (\w+)(\([^)]*\))?(.*)$", text, flags=re.M):
            if not NOT_RECORDED.fullmatch(name):
                table, key = (self.macros, name + parameters) if parameters else (self.constants, name)
                table[key] = one_line(body)
        text = re.sub(r"^\s*#.*$", "", text, flags=re.M)
        text = re.sub(r'extern "C" \{(.*)\}', r"\1", text, flags=re.S)
        for declaration in re.findall(r"((?:[^;{}]|\{[^{}]*\})+);", text):
            self.read(one_line(declaration))

    def read(self, declaration):
        if found := re.fullmatch(r"typedef enum (\w+) \{(.*)\} \1", declaration):
            self.enums[found[1]] = re.findall(r"(?:^|,)\s*(\w+)", found[2])
        elif found := re.fullmatch(r"(?:typedef )?struct (\w+) \{(.*)\}(?: \1)?", declaration):
            self.structs[found[1]] = [m for line in found[2].split(";") if line.strip() for m in members(line.strip())]
        elif found := re.fullmatch(r"typedef struct (\w+) \1", declaration):
            self.types.setdefault(found[1], "struct")
        elif found := re.fullmatch(r"typedef (.*)\(\*(\w+)\)\((.*)\)", declaration):
            self.types[found[2]] = f"{found[1]}(*)({types_of(found[3])})"
        elif found := re.fullmatch(r"(?:CRD_API (.*[ *])|CRD_CALL )(\w+)\((.*)\)", declaration):
            self.functions[found[2]] = f"{(found[1] or 'crd_status').strip()} ({types_of(found[3])})"
        else:
            raise ValueError(f"the header has a declaration that scripts/header.py cannot read: {declaration}")

    def may_grow(self, name):
        """Programs say how large their structure is, or get it from the library and never give it."""
        if any(kind.split("[")[0] == name for fields in self.structs.values() for _, kind in fields):
            return False  # it is a part of another structure
        if self.structs[name][0] == ("size", "size_t"):
            return True
        takes = [how for how in self.functions.values() if re.search(rf"\(.*\b{name}\b", how)]
        return all(re.search(rf"\b{name} \*, size_t\b", how) for how in takes)


def types_of(parameters):
    """Names of parameters are free to change."""
    return ", ".join(re.sub(r"(?<=[ *])\w+$", "", one).strip() if " " in one.strip() else one.strip()
                     for one in parameters.split(","))


def members(line):
    """The names and types that a line of a structure declares; it may declare several, separated by commas."""
    if found := re.fullmatch(r"(.*)\(\*(\w+)\)\((.*)\)", line):
        return [(found[2], f"{found[1]}(*)({types_of(found[3])})")]
    first, *others = line.split(",")
    kind, name, array = re.fullmatch(r"(.*[ *])(\w+)((?:\[\w+\])?)", first).groups()
    found = [(name, kind.strip() + array)]
    for other in others:
        name, array = re.fullmatch(r"\s*(\w+)((?:\[\w+\])?)", other).groups()
        found.append((name, kind.strip() + array))
    return found


def measure(header, path):
    """Asks the compiler for sizes, offsets and values, as {expression: number}."""
    wanted = ["sizeof(long)", "sizeof(void *)"] + list(header.constants)
    for name, fields in header.structs.items():
        wanted.append(f"sizeof({name})")
        for field, _ in fields:
            wanted += [f"offsetof({name}, {field})", f"sizeof((({name} *)0)->{field})"]
    for name, values in header.enums.items():
        wanted += [f"sizeof({name})"] + values
    with tempfile.TemporaryDirectory() as folder:
        source, program = os.path.join(folder, "measure.c"), os.path.join(folder, "measure")
        with open(source, "w", encoding="utf-8") as file:
            file.write(f'#include "{os.path.abspath(path)}"\n#include <stdio.h>\nint main(void)\n{{\n')
            file.writelines(f'    printf("%lld\\n", (long long)({expression}));\n' for expression in wanted)
            file.write("    return 0;\n}\n")
        subprocess.run([os.environ.get("CC", "cc"), "-std=c11", source, "-o", program], check=True)
        numbers = subprocess.run([program], check=True, capture_output=True, text=True).stdout.split()
    return dict(zip(wanted, map(int, numbers)))
