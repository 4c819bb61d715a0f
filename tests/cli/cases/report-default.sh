# SPDX-License-Identifier: MIT
# stderr: report.html: * kB, to be opened in a browser
# The default output is report.html.
credence report model.safetensors graph.npz --iterations 20
[ -s report.html ]
