# exit: 1
# stderr: credence: in.d: is neither a model file nor the folder of an experiment or a tuning*
mkdir in.d
credence report in.d -o report.html -q
