# exit: 2
# stderr: credence: train needs DATA; see 'credence train --help'
credence train -o out.safetensors
