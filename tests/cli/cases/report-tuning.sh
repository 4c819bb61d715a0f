# SPDX-License-Identifier: MIT
# The report of a tuning has the ranking's numbers, its rungs, and the loss of every setting.
# stderr: ...
. "$ROOT/tests/cli/report_block.sh"
credence tune graph.npz --config gpn.json -o best.json --left-out 1 --split 20/20/60 --criterion left-out-class --held-out-classes 2 --seeds 2 \
    --min-epochs 4 --finalists 2 --eta 2 --set max-epochs=12 --space 'activation=relu,gelu;latent=4,8' --trials-dir in.t -q
credence report in.t -o report.html -q
grep -q '<title>Tuning in.t</title>' report.html
report_block report.html 0 tuning > in.json
# The page has every trial and the ranking, and combines them itself (web/test/unit/trials.test.js).
printf "%s\n" "$(sed 's/.*"trials":\[{/{/; s/\]}$//' in.json | sed 's/},{"task"/}\n{"task"/g')" | cmp - in.t/trials.jsonl
grep -qF "\"tried\":$(cat in.t/tried.json)," in.json
[ "$(grep -o '"state":"chosen"' in.json | wc -l)" = 1 ]
grep -q '"commands":\["credence tune graph.npz --criterion left-out-class .*"\]' in.json
# A configuration in the folder appears under its name.
cp best.json in.t/mine.json
credence report in.t -o report.html -q
report_block report.html 0 tuning | grep -q '"files":{"mine.json":{"model":'
