# Every directive, in lines and inside of them; the same files give the same page.
. "$ROOT/tests/cli/make_runs.sh"
mkdir in.a in.docs
some_runs > in.a/runs.jsonl
echo 'credence experiment ood --data coraml --out DIR' > in.a/command.txt
cat > in.docs/template << 'END'
Ours: {{value ../in.a ood coraml ours auroc_epi}} ± {{value ../in.a ood coraml ours auroc_epi_sd 1}} over
{{value ../in.a ood CoraML Ours runs}} runs, published {{value ../in.a ood coraml ours auroc_epi_published 1}},
{{value ../in.a ood coraml ours auroc_epi_difference}} above that, and in {{value ../in.a ood coraml ours seconds 1}} s.
First: {{firsts ../in.a ours auroc_epi}}, LP {{firsts ../in.a lp auroc_epi}}, in accuracy {{firsts ../in.a ours id_acc}}.
By little FPR95: {{firsts ../in.a gpn ood.epistemic.fpr95}}. \{{ stays, }} too.

```text
{{command ../in.a}}
```

{{table ../in.a data=coraml models=LP,ours}}

{{jsonl ../in.a/runs.jsonl model=gpn task=ood config.hidden=64 fields=seed,metrics.ood.epistemic.auroc:AUROC,training.stop,error sort=-metrics.ood.epistemic.auroc limit=3}}
END
credence page in.docs/template -o page.md
cat page.md
cp page.md again
credence page in.docs/template -o page.md
cmp page.md again
(cd in.docs && credence page template -o -) | cmp - again
# One value of one line.
echo '{{field in.a/runs.jsonl metrics.ood.epistemic.auroc model=ours task=ood data=coraml seed=1 digits=3}} {{field in.a/runs.jsonl training.stop model=ours task=ood data=coraml seed=1}}' > in.template
credence page in.template -o - | grep -Eqx '0\.[0-9]{3} [a-z]+'
# The difference and its interval: the former is known, the latter around it.
echo '{{diff in.a coraml ours gpn auroc_epi}}' > in.template
credence page in.template -o - | grep -qx '+5\.0 \[[2-4]\.[0-9], [5-8]\.[0-9]\]'
