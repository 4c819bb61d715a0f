# The runs of two models, paired by graph and seed; what has no partner is counted and said.
# stderr: runs without a partner were left out: 1 of Ours, 0 of LP
. "$ROOT/tests/cli/make_runs.sh"
mkdir in.a
some_runs > in.a/runs.jsonl
credence compare in.a --a ours --b gpn
credence compare in.a/runs.jsonl --a Ours --b lp --data coraml
credence compare in.a --a ours --b gpn --metric seconds --quiet
