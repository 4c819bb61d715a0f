# The report of a tuning has the ranking's numbers, its rungs, and the loss of every setting.
# stderr: ...
. "$ROOT/tests/cli/report_block.sh"
credence tune graph.npz -o best.json --left-out 1 --split 20/20/60 --criterion left-out-class --held-out-classes 2 --seeds 2 \
    --min-epochs 4 --finalists 2 --eta 2 --set max-epochs=12 --space 'activation=relu,gelu;latent=4,8' --out in.t -q
credence report in.t -o report.html -q
grep -q '<title>Tuning in.t</title>' report.html
report_block report.html 0 tuning > in.json
for name in rank rung trials standard_error accuracy; do
    numbers_of $name < in.t/tried.jsonl | awk '{ printf "%.9f\n", $1 }' > in.expected
    sed 's/.*"settings":\[//' in.json | numbers_of $name | awk '{ printf "%.9f\n", $1 }' | diff in.expected -
done
numbers_of auroc < in.t/tried.jsonl | awk '{ printf "%.9f\n", $1 }' > in.expected
numbers_of score < in.json | awk '{ printf "%.9f\n", $1 }' | diff in.expected -
[ "$(wc -l < in.expected)" = 4 ]
grep -q '"axes":\["latent","activation"\]' in.json
grep -q '"finished":true' in.json
[ "$(grep -o '"state":"chosen"' in.json | wc -l)" = 1 ]
# The rungs are those of tried.md.
sed -n 's/^| \([0-9]*\) | \([0-9]*\) | \([0-9]*\) | \([0-9a-z]*\) |$/{"settings":\2,"splits":\3,"epochs":\4}/p' in.t/tried.md |
    sed 's/all/null/' | paste -sd , > in.expected
grep -o '"rungs":\[[^]]*\]' in.json | sed 's/.*\[\(.*\)\]/\1/' | diff in.expected -
grep -q . in.expected
# The chosen setting's loss is the mean over the splits of its trials' with the most epochs, all of which have two classes
# held out.
grep '"budget": 12,' in.t/trials.jsonl > in.full
config=$(sed -n '1s/.*"config": \({[^}]*}\).*/\1/p' in.t/tried.jsonl)
grep -F "$config" in.full | sed 's/.*"validation_cross_entropy":\([0-9.e-]*\),.*/\1/' |
    awk '{ sum += $1 } END { printf "%.9f %d\n", sum / NR, NR }' > in.expected
sed 's/.*"settings":\[//' in.json | numbers_of cross_entropy | awk 'NR == 1 { printf "%.9f 4\n", $1 }' | diff in.expected -
grep -q '"commands":\["credence tune graph.npz --criterion left-out-class .* --out DIR --output FILE"\]' in.json
# A choice that lies in the folder is found by what it says; a file that says something else is nobody's.
cp best.json in.t/mine.json
echo '{}' > in.t/other.json
credence report in.t -o report.html -q
[ "$(report_block report.html 0 tuning | grep -o '"choices":\["mine.json"\]' | wc -l)" = 1 ]
if report_block report.html 0 tuning | grep -q other.json; then exit 3; fi
