# One line an epoch, whatever the file held before.
echo 'an old log' > log.jsonl
credence train graph.npz -o out.safetensors --split 20/20/60 --warmup 3 --max-epochs 4 --log log.jsonl -q
[ "$(wc -l < log.jsonl)" = 7 ]
[ "$(grep -c '^{"phase":"warmup","epoch":[123],"loss":[-0-9.e+]*,"uce":' log.jsonl)" = 3 ]
[ "$(grep -c '^{"phase":"main","epoch":[1234],"loss":[-0-9.e+]*,"uce":' log.jsonl)" = 4 ]
[ "$(grep -c '"entropy":[-0-9.e+]*,"distance":[-0-9.e+]*,"validation_cross_entropy":[0-9.]*,' log.jsonl)" = 7 ]
[ "$(grep -Ec '"validation_accuracy":[0-9.]+,"best":(true|false),"seconds":[0-9.]+}$' log.jsonl)" = 7 ]
credence train graph.npz -o out.safetensors --split 20/20/60 --max-epochs 2 --log - -q > b.jsonl
[ "$(grep -c '^{"phase"' b.jsonl)" = 7 ]
