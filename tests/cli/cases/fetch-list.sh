# SPDX-License-Identifier: MIT
# The list: what can be downloaded, and what is on disk.
# stderr: ...
real=${CREDENCE_DATA:-$ROOT/../shared/datasets}
. "$ROOT/tests/cli/server.sh"
credence fetch --list > out
[ "$(wc -l < out)" = 11 ]
grep -Eq '^coraml +CoraML +2995 +7  no +MIT; graph2gauss' out
grep -Eq '^citeseer-planetoid +CiteSeer +3327 ' out
mkdir data in.home
cp graph.npz data/cora_ml.npz
cp -R graph.npz data/ogbn_arxiv_nofeat.npz
CREDENCE_DATA=data credence fetch --list > out
grep -Eq '^coraml .* another file .* data/cora_ml.npz' out
grep -Eq '^arxiv .* another file .* data/ogbn_arxiv_nofeat.npz' out
credence fetch --list photos arxiv --data-dir data --json > out.json
[ "$(grep -c '"name"' out.json)" = 2 ]
tr -d '\n' < out.json | grep -Eq '"name": "photos",.*"path": null, *"verified": null.*"name": "arxiv",.*"path": "data/ogbn_arxiv_nofeat.npz", *"verified": false'
# a file other than the known one is not replaced silently
code=0
credence fetch coraml --data-dir data --from "$url/good" 2> err || code=$?
[ $code = 1 ]
grep -Eqx 'credence: coraml: data/cora_ml.npz is here, but its content is not that of CoraML; --force replaces it' err
cmp graph.npz data/cora_ml.npz
# the real graphs, if they are on disk, are recognised by their content
if [ -e "$real/citeseer.npz" ]; then
    credence fetch citeseer --data-dir "$real" 2> err
    grep -q '^citeseer: already here, verified: ' err
fi
