# SPDX-License-Identifier: MIT
# A model that cannot be compared is not passed over in silence: it has no such number, or no runs on the same splits.
# The graph is named if there are several.
. "$ROOT/tests/cli/make_runs.sh"
some_runs > in.jsonl
for seed in 1 2 3; do ood_run coraml CoraML appnp $seed 0.9 0.8 null null; done >> in.jsonl
for seed in 7 8; do ood_run coraml CoraML vgcn $seed 0.9 0.8 0.8 null; done >> in.jsonl
ood_run own Own appnp 1 0.9 0.8 null null >> in.jsonl
credence compare in.jsonl -q > a
[ "$(grep -c '^Not among the differences' a)" = 3 ]
grep -qx 'Not among the differences: CoraML, APPNP: it has no auroc_epi\.' a
grep -qx 'Not among the differences: Own, APPNP: it has no auroc_epi\.' a
grep -qx 'Not among the differences: CoraML, Ours against VGCN-Energy: they have no split and seed in common\.' a
credence compare in.jsonl -q --graphs coraml > a
[ "$(grep -c '^Not among the differences' a)" = 2 ]
grep -qx 'Not among the differences: APPNP: it has no auroc_epi\.' a
grep -qx 'Not among the differences: Ours against VGCN-Energy: they have no split and seed in common\.' a
credence compare in.jsonl -q --metric id_acc > b
grep -Eq '^CoraML +APPNP +GPN +3 ' b
if grep 'APPNP: it has no' b; then exit 3; fi
