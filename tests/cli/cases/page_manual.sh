# The template that the manual page shows is a good one.
sed -n '/^# Which model/,/^\.fi/p' "$ROOT/man/credence-page.1" | grep -v '^\.' > report.template
[ "$(grep -c '{{' report.template)" = 5 ]
cp graph.npz papers.npz
credence compare papers.npz --left-out 1 --models lp,gpn,default --seeds 3 --split 20/20/60 \
    --set max-epochs=3 -o runs -q > /dev/null
credence page report.template -o report.md
grep -Eq 'an epistemic AUROC of [0-9]+\.[0-9] %,$' report.md
grep -Eq '^[+-][0-9.]+ \[[-0-9.]+, [-0-9.]+\] points above the plain GPN\.$' report.md
[ "$(grep -c '^| papers ' report.md)" = 4 ]
grep -q '^    credence compare papers.npz ' report.md
if grep -q '{{' report.md; then exit 3; fi
