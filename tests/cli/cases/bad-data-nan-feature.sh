# exit: 1
# stderr: credence: nan_feature.npz:x: row 5, column 1 of the features: expected a finite number, found *nan
credence info nan_feature.npz
