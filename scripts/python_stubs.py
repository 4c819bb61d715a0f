# SPDX-License-Identifier: MIT
"""python_stubs.py LIBRARY [--check]: writes the classes of python/credence/estimators.pyi from the library's options.

What is above its line "# ---- written" is written by hand and stays. With --check it writes nothing, and fails if the
file is not what the library gives."""
import ast
import ctypes
import importlib
import json
import os
import pathlib
import sys
import types

ROOT = pathlib.Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "python" / "credence"
OUTPUT = PACKAGE / "estimators.pyi"
MARK = "# ---- written by scripts/python_stubs.py from the library's options ----\n"
TYPES = {"N": "int", "X": "float", None: "bool"}
COMMON_TYPES = {"n_neighbors": "int", "n_jobs": "int | None", "verbose": "int", "warm_start": "bool"}


def library(path):
    """The package's own binding, without NumPy, which the rest of the package needs."""
    os.environ["CREDENCE_LIBRARY"] = str(path)
    package = types.ModuleType("credence")
    package.__path__ = [str(PACKAGE)]
    sys.modules["credence"] = package
    return importlib.import_module("credence._library"), importlib.import_module("credence._abi")


def options(binding, abi):
    """The form of every option's value."""
    found = {}
    while (address := binding.function("crd_option_at")(len(found))):
        one = abi.Option.from_address(address)
        found[one.name.decode()] = one.argument and one.argument.decode()
    return found


def defaults(binding, kind):
    config = ctypes.c_void_p()
    binding.call("crd_config_new", ctypes.byref(config))
    binding.call("crd_config_set", config, b"model", kind.encode())
    found = json.loads(binding.text_of("crd_config_json", config))
    binding.function("crd_config_free")(ctypes.byref(config))
    return found


def source():
    """What estimators.py says: the classes with their kinds, and its tables of parameters."""
    tree = ast.parse((PACKAGE / "estimators.py").read_text(encoding="utf-8"))
    classes, names = {}, {}
    for statement in tree.body:
        if not isinstance(statement, ast.Assign) or not isinstance(statement.targets[0], ast.Name):
            continue
        name, value = statement.targets[0].id, statement.value
        if name in ("_NOT_PARAMETERS", "_RENAMED", "COMMON"):
            names[name] = ast.literal_eval(value)
        elif isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "_make":
            classes[name] = value.args[1].value
    return classes, names["_NOT_PARAMETERS"], names["_RENAMED"], names["COMMON"]


def literal(value):
    return json.dumps(value) if isinstance(value, str) else repr(value)


def text(path):
    binding, abi = library(path)
    forms = options(binding, abi)
    classes, left_out, renamed, common = source()
    out = [OUTPUT.read_text(encoding="utf-8").partition(MARK)[0], MARK]
    for name, kind in classes.items():
        out.append(f"\nclass {name}(_Classifier):\n    def __init__(\n        self,\n        *,\n")
        for option, value in defaults(binding, kind).items():
            if option not in left_out:
                parameter = renamed.get(option, option.replace("-", "_"))
                out.append(f"        {parameter}: {TYPES.get(forms[option], 'str')} = {literal(value)},\n")
        out += [f"        {parameter}: {COMMON_TYPES.get(parameter, 'Any')} = {literal(value)},\n"
                for parameter, value in common.items()]
        out.append("    ) -> None: ...\n")
    return "".join(out)


def main(words):
    if len(words) not in (1, 2) or words[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    new = text(words[0])
    if words[1:]:
        if OUTPUT.read_text(encoding="utf-8") != new:
            sys.exit("python/credence/estimators.pyi is not what the library gives; 'make docs' writes it")
    else:
        OUTPUT.write_text(new, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
