# SPDX-License-Identifier: MIT
"""How Sphinx makes the pages of the Python package. scripts/python_docs.sh calls it."""
import os

import credence

project = "Credence for Python"
author = copyright = "Credence contributors"
version = release = credence.__version__
extensions = ["sphinx.ext.autodoc", "sphinx.ext.viewcode", "numpydoc", "nbsphinx"]
html_theme = "alabaster"
html_theme_options = {"description": "Node classification that knows when it does not know", "page_width": "1100px",
                      "fixed_sidebar": True}
html_copy_source = False

autodoc_member_order = "bysource"
numpydoc_show_class_members = False  # autodoc shows them

# Notebooks are stored without outputs, and executed here. One of them needs public graphs.
nbsphinx_execute = "always"
nbsphinx_timeout = 600
if "CREDENCE_DATA" not in os.environ:
    exclude_patterns = ["notebooks/4-*"]


def _signature(app, what, name, thing, options, signature, returned):
    """Objects that only the library makes have no call of their own."""
    made = {f"credence.{one}" for one in ("Comparison", "Dataset", "Model", "Prediction", "Serving", "Split", "Tuning")}
    return ("", None) if what == "class" and name in made else None


def setup(app):
    app.connect("autodoc-process-signature", _signature)
