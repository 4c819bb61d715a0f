credence train graph.npz -o out.safetensors --split 20/20/60 --left-out 1 --max-epochs 3 --json -q > a
[ "$(wc -l < a)" = 1 ]
for key in '"model":"gpn"' '"features":40' '"classes":3' '"left_out":1'  \
    '"epochs":3' '"stop":"epochs"' '"fingerprint":"' '"split":"' '"validation_accuracy":0.' '"config":{'; do
    grep -qF "$key" a
done
