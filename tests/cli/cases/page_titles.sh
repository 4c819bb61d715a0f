# Titles of one's own rows may have commas in them; several configurations are told apart by their titles.
. "$ROOT/tests/cli/make_runs.sh"
mkdir in.a
titled() { sed "s/\"model\":\"config\",\"seed\"/\"model\":\"config\",\"model_title\":\"$1\",\"seed\"/"; }
{
    for seed in 1 2 3; do
        ood_run own Own gpn $seed 0.5 0.5 0.5$seed 0.5
        hidden=8 ood_run own Own config $seed 0.5 0.5 0.7$seed 0.5 | titled 'GPN, LogSigmoid'
        hidden=16 ood_run own Own config $seed 0.5 0.5 0.8$seed 0.5 | titled Tuned
        hidden=32 ood_run more More config $seed 0.5 0.5 0.6$seed 0.5 | titled Tuned
        ood_run more More gpn $seed 0.5 0.5 0.5$seed 0.5
    done
} > in.a/runs.jsonl
credence compare in.a --a 'GPN, LogSigmoid' --b gpn -q --json | grep -q '"a":"GPN, LogSigmoid","b":"GPN",.*"mean_a":72.0,'
credence compare in.a --a Tuned --b gpn -q --json | grep -q '"mean_a":62.0,.*"mean_a":82.0,'
cat > in.template << 'END'
{{value in.a ood own "GPN, LogSigmoid" auroc_epi}} {{value in.a ood own Tuned auroc_epi}} {{value in.a ood more Tuned auroc_epi}}
{{diff in.a own "GPN, LogSigmoid" gpn auroc_epi}}
{{firsts in.a "GPN, LogSigmoid" auroc_epi}} {{firsts in.a Tuned auroc_epi}}
{{value in.a ood own gpn seconds}} {{value in.a ood own gpn seconds_sd}} {{value in.a ood own gpn auroc_epi_sd}}
END
credence page in.template -o - | sed 's/\[.*\]/[]/'
