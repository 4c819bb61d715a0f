# Published values stand beside runs of the paper's models on the public graphs, with the paper's split and left-out
# classes, and beside nothing else.
. "$ROOT/tests/cli/make_runs.sh"
mkdir in.a
published() { # published: how many cells of the runs on standard input have one
    cat > in.a/runs.jsonl
    credence page in.template -o - | grep -c '"published": [0-9]' || true
}
echo '{{table in.a format=json}}' > in.template
[ "$(ood_run coraml CoraML gpn 1 0.9 0.8 0.8 0.7 | published)" = 7 ]
[ "$(ood_run coraml CoraML paper 1 0.9 0.8 0.8 0.7 | published)" = 7 ]
[ "$(wrong_run coraml CoraML gpn 1 0.8 0.80 0.5 0.94 | published)" = 4 ]
# Options may be others: the row is still the model.
[ "$(hidden=8 ood_run coraml CoraML gpn 1 0.9 0.8 0.8 0.7 | published)" = 7 ]
[ "$(ood_run mine CoraML gpn 1 0.9 0.8 0.8 0.7 | published)" = 0 ]
[ "$(ood_run coraml coraml gpn 1 0.9 0.8 0.8 0.7 | published)" = 0 ]
[ "$(left_out=2 ood_run coraml CoraML gpn 1 0.9 0.8 0.8 0.7 | published)" = 0 ]
[ "$(split=10/10/80 ood_run coraml CoraML gpn 1 0.9 0.8 0.8 0.7 | published)" = 0 ]
[ "$(wrong_run coraml CoraML gpn 1 0.8 0.80 0.5 0.94 | sed 's/"left-out":0/"left-out":3/' | published)" = 0 ]
[ "$(ood_run coraml CoraML config 1 0.9 0.8 0.8 0.7 | sed 's/"config",/&"model_title":"GPN",/' | published)" = 0 ]
# The split of ogbn-arxiv is its own.
[ "$(split=auto left_out=15 ood_run arxiv ogbn-arxiv gpn 1 0.9 0.8 0.8 0.7 | published)" = 7 ]
[ "$(split=5/15/80 left_out=15 ood_run arxiv ogbn-arxiv gpn 1 0.9 0.8 0.8 0.7 | published)" = 0 ]
