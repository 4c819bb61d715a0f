# The only labelled node of a class trains, and the line about the split says so.
# stderr: split: 5/15/80 stratified by class (seed 1), the single node of class 0 trains: * train, * validation, * test
# stderr: warm-up 1 *
# stderr: epoch 2 *
# stderr: best epoch *
credence train one_node_class.npz -o out.safetensors --max-epochs 2
