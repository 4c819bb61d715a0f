# Models that were measured with other classes left out, or trained without these in the graph, are in blocks of
# their own, each with its own best.
. "$ROOT/tests/cli/make_runs.sh"
mkdir in.a
{
    left_out=3 ood_run own Own lp 1 0.9 0.8 0.8 null
    left_out=2 ood_run own Own gkde 1 0.7 0.6 0.6 null
    left_out=2 ood_run own Own vgcn 1 0.6 0.7 0.6 null
    left_out=2 inductive=true ood_run own Own gpn 1 0.5 0.5 0.5 0.5
    left_out=1 ood_run other Other lp 1 0.9 0.8 0.8 null
    left_out=1 inductive=true ood_run other Other gpn 1 0.9 0.8 0.8 0.8
} > in.a/runs.jsonl
printf '{{table in.a format=%s}}\n' text markdown latex csv > in.template
echo '{{firsts in.a lp id_acc}} {{firsts in.a gpn id_acc}}' >> in.template
echo '{{compare in.a a=vgcn b=gkde metric=id_acc}}' >> in.template
echo '{{value in.a ood own lp id_acc}}' >> in.template
credence page in.template -o -
echo '{{table in.a format=json}}' > in.template
credence page in.template -o - | tr -d ' \n' | grep -o '"left_out":[0-9]*,"inductive":[a-z]*' |
    tr '\n' ' '
credence compare in.a --a vgcn --b gkde --json | grep -q '"title":"Own","shift":null,"left_out":2,"inductive":false,'
