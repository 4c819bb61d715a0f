# A shift is found however it is spelt, and one by its exact name before any other.
. "$ROOT/tests/cli/make_runs.sh"
mkdir in.a
shifted() { ood_run own Own gpn 1 0.9 0.8 "$2" 0.7 | sed "s/\"seed\"/\"shift\":\"$1\",\"seed\"/"; }
{ shifted dice:0.2:all 0.75; shifted dice:0.2:isolated 0.5; } > in.a/runs.jsonl
printf '%s\n' '{{value in.a ood own gpn auroc_epi shift=dice:0.2}}' \
    '{{value in.a ood own gpn auroc_epi shift=dice:0.20:isolated}}' > in.template
[ "$(credence page in.template -o -)" = "75.00
50.00" ]
shifted dice:0.2 0.25 >> in.a/runs.jsonl
[ "$(credence page in.template -o -)" = "25.00
50.00" ]
