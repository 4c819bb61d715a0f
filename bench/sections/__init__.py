# SPDX-License-Identifier: MIT
"""The sections of the benchmarks: each exports run(context) -> list of figures."""
