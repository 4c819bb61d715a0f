# SPDX-License-Identifier: MIT
# One or two pairs have a difference but no interval.
. "$ROOT/tests/cli/make_runs.sh"
some_runs > in.jsonl
ood_run own Own gpn 1 0.6 0.6 0.75 0.5 >> in.jsonl
credence compare in.jsonl --a gpn --b lp -q
credence compare in.jsonl --a gpn --b lp -q --json | grep -q '"low":null,"high":null'
