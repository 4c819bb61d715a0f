# SPDX-License-Identifier: MIT
# One line per epoch, whatever the file held before.
echo 'an old log' > log.jsonl
credence train graph.npz -o out.safetensors --model gpn --split 20/20/60 --warmup 3 --max-epochs 4 --log log.jsonl -q
[ "$(wc -l < log.jsonl)" = 7 ]
[ "$(grep -c '^{"phase":"warmup","epoch":[123],"loss":[-0-9.e+]*,"uce":' log.jsonl)" = 3 ]
[ "$(grep -c '^{"phase":"main","epoch":[1234],"loss":[-0-9.e+]*,"uce":' log.jsonl)" = 4 ]
number='[-0-9.e+]*'
[ "$(grep -c "\"entropy\":$number,\"share\":$number,\"evidence\":$number,\"validation_cross_entropy\":[-0-9.e+]*," log.jsonl)" = 7 ]
[ "$(grep -Ec '"validation_accuracy":[0-9.]+,"best":(true|false),"seconds":[-0-9.e]+}$' log.jsonl)" = 7 ]
credence train graph.npz -o out.safetensors --model gpn --split 20/20/60 --max-epochs 2 --log - -q > b.jsonl
[ "$(grep -c '^{"phase"' b.jsonl)" = 7 ]
# The terms are those that the options request.
credence train graph.npz -o out.safetensors --preset coraml --split 20/20/60 --max-epochs 2 --log - -q > c.jsonl
[ "$(grep -c "\"entropy\":$number,\"distance\":$number,\"validation_cross_entropy\"" c.jsonl)" = 7 ]
# The epochs of a committee are numbered through its networks.
credence train graph.npz -o out.safetensors --split 20/20/60 --networks 3 --max-epochs 2 --log - -q > d.jsonl
sed 's/,"loss".*//' d.jsonl > e
for epoch in 1,1 1,2 2,3 2,4 3,5 3,6; do echo "{\"phase\":\"main\",\"network\":${epoch%,*},\"epoch\":${epoch#*,}"; done | cmp - e
