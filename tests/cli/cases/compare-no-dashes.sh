# SPDX-License-Identifier: MIT
# The name of an option has dashes in a message only if the command has that option.
# exit: 2
# stderr: credence: inductive removes the nodes of left-out classes from training, but left-out is 0
credence compare graph.npz -o in.runs --models gpn --task misclassification --set inductive=true
