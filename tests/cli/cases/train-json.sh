# SPDX-License-Identifier: MIT
credence train graph.npz -o out.safetensors --split 20/20/60 --left-out 1 --max-epochs 3 --json -q > a
[ "$(wc -l < a)" = 1 ]
for key in '"model":"committee"' '"features":40' '"classes":3' '"left_out":1'  \
    '"epochs":6' '"networks":2' '"views":{"alone":0.' '"stop":"epochs"' '"fingerprint":"' '"split":"' '"validation_accuracy":0.' '"config":{'; do
    grep -qF "$key" a
done
