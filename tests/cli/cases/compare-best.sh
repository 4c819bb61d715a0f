# SPDX-License-Identifier: MIT
# Without --a the best model of each graph is compared with every other one. With --b alone every other model is
# compared with it.
. "$ROOT/tests/cli/make_runs.sh"
some_runs > in.jsonl
pairs() { credence compare in.jsonl "$@" -q --format csv | cut -d , -f 2,4-7 | sed 1d | tr '\n' ' '; }
[ "$(pairs)" = 'CoraML,Ours,LP,auroc_epi,2 CoraML,Ours,GPN,auroc_epi,3 ' ]
[ "$(pairs --metric auroc_alea)" = 'CoraML,LP,GPN,auroc_alea,2 CoraML,LP,Ours,auroc_alea,2 ' ]
[ "$(pairs --b gpn)" = 'CoraML,LP,GPN,auroc_epi,2 CoraML,Ours,GPN,auroc_epi,3 ' ]
[ "$(pairs --a gpn)" = 'CoraML,GPN,LP,auroc_epi,2 CoraML,GPN,Ours,auroc_epi,3 ' ]
# A model without the metric is skipped, and so is a graph with only one model.
[ "$(pairs --b gpn --metric auroc_epi_wo)" = 'CoraML,Ours,GPN,auroc_epi_wo,3 ' ]
# A single model still has a table.
grep '"lp"' in.jsonl > one.jsonl
credence compare one.jsonl -q > a
grep -q '^CoraML, 2 runs each' a
if grep -q Paired a; then exit 3; fi
