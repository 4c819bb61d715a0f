# exit: 1
# stderr: credence: infinite_feature.npz:x: row 5, column 1 of the features: expected a finite number, found inf
credence info infinite_feature.npz
