# A name promises its graph.
# exit: 1
# stderr: credence: in.data/cora_ml.npz: these data are not coraml (CoraML): 2995 nodes and 7 classes were expected, found 150 and 4
mkdir in.data
cp graph.npz in.data/cora_ml.npz
CREDENCE_DATA=in.data credence info coraml
