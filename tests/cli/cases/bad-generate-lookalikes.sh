# exit: 2
# stderr: credence: generate: lookalikes is 3, expected 0 to 2 (one class must be left to look like)
credence generate -o out.npz --classes 3 --lookalikes 3
