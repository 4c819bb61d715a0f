# exit: 1
# stderr: credence: few_feature_rows.npz:y: has 12 nodes, but few_feature_rows.npz:x has 11
credence info few_feature_rows.npz
