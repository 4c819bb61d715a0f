# SPDX-License-Identifier: MIT
# Names in runs are text: none of them appears on the page unescaped.
. "$ROOT/tests/cli/make_runs.sh"
. "$ROOT/tests/cli/report_block.sh"
mkdir in.e
evil='</script><img src=x onerror=alert(1)>'
ood_run own "$evil" "$evil" 1 0.5 0.5 0.5 0.5 > in.e/runs.jsonl
echo "credence <b>$evil" > in.e/command.txt
credence report in.e -o report.html -q
if grep -q 'onerror=alert(1)' report.html; then exit 3; fi
report_block report.html 0 experiment | grep -Fq '<img src=x onerror=alert(1)>'
