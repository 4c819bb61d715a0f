# What is wrong is found before anything is made.
. "$ROOT/tests/cli/fails.sh"
mkdir in.folder
: > in.folder/mine
: > in.file
common='--left-out 1 --split 20/20/60 --perplexity 8'
fails 2 'credence: figures needs --data; see *' figures -o out
fails 2 'credence: figures needs --out*' figures --data graph.npz
fails 1 'credence: no-such.npz: *' figures --data no-such.npz -o out
fails 1 'credence: corral: there is no such file and no public graph of this name (did you mean coraml[?])' figures --data corral -o out
fails 2 'credence: graph: how many classes to leave out is not known, give --left-out N; *' figures --data graph.npz -o out
fails 2 'credence: graph: has 4 classes and 3 left out, at least 2 are needed for training' figures --data graph.npz --left-out 3 -o out
fails 2 'credence: --data: ./graph.npz is the same graph as graph; *' figures --data graph.npz,./graph.npz $common -o out
fails 2 'credence: --grid lamda: there is no such grid (did you mean lambda[?]); *' figures --data graph.npz $common --grid lamda -o out
fails 2 'credence: --grid x: expected lambda, activation or all; *' figures --data graph.npz $common --grid x -o out
fails 2 'credence: --reg none: expected distance or evidence; *' figures --data graph.npz $common --reg none -o out
fails 2 "credence: --perplexity: expected a number of at least 1, found '0'; *" figures --data graph.npz --perplexity 0 -o out
fails 2 'credence: graph: has 150 nodes, too few for a perplexity of 60; *' figures --data graph.npz --left-out 1 --split 20/20/60 --perplexity 60 -o out
fails 2 'credence: --iterations: expected a whole number from 1 *' figures --data graph.npz $common --iterations 0 -o out
fails 2 'credence: --set reg-weight: this is what the grids are about; *' figures --data graph.npz $common --set reg-weight=1 -o out
fails 2 'credence: --set activation: this is what the grid activation is about; *' figures --data graph.npz $common --set activation=gelu -o out
fails 2 'credence: --set model: *' figures --data graph.npz $common --set model=vgcn -o out
fails 2 'credence: --set seed: this is what --seed is for; *' figures --data graph.npz $common --set seed=2 -o out
fails 2 'credence: --set rounded-alpha: a gpn makes no use of it; *' figures --data graph.npz $common --set rounded-alpha=true -o out
fails 1 'credence: in.file: is a file, expected a folder or a new name' figures --data graph.npz $common -o in.file
fails 1 "credence: in.folder: holds something else ('mine'), expected a folder of figures, with figures.jsonl, or an empty or new one" figures --data graph.npz $common -o in.folder
fails 1 'credence: nowhere/out: cannot write: folder nowhere: *' figures --data graph.npz $common -o nowhere/out
fails 1 'credence: graph: the split 20/80/0 leaves no test nodes to measure on' figures --data graph.npz --left-out 1 --split 20/80/0 --perplexity 8 -o out
[ ! -e out ]
[ "$(ls in.folder)" = mine ]
