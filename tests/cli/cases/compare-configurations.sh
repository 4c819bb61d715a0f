# SPDX-License-Identifier: MIT
# Runs with an earlier configuration or another split do not count; those like the last line do.
# stderr: 3 runs with another configuration, split or graph than the last ones were left out
. "$ROOT/tests/cli/make_runs.sh"
for seed in 1 2 3; do hidden=32 ood_run coraml CoraML ours $seed 0.1 0.1 0.1 0.1; done > in.jsonl
some_runs >> in.jsonl
credence compare in.jsonl --a ours --b gpn --json | grep -q '"mean_a":91,'
