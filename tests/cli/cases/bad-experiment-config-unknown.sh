# exit: 2
# stderr: credence: in.json: "reg_strenght" is not an option (did you mean reg-strength\?)
echo '{"reg_strenght": 3}' > in.json
credence experiment misclassification --data graph.npz --models config --config in.json --split 20/20/60 --out out
