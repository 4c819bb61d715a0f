# SPDX-License-Identifier: MIT
# Runs of two models are paired by graph and seed; a line counts the runs without a partner.
# stderr: left out of the differences: 1 run without a partner
. "$ROOT/tests/cli/make_runs.sh"
mkdir in.a
some_runs > in.a/runs.jsonl
credence compare in.a --a ours --b gpn
credence compare in.a/runs.jsonl --a Ours --b lp --graphs coraml
credence compare in.a --a ours --b gpn --metric seconds --quiet
