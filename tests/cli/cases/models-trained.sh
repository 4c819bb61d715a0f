# SPDX-License-Identifier: MIT
# Every trained kind can be saved, predict and be evaluated; what it lacks is n.a.
for model in appnp vgcn gkde-gcn egcn; do
    credence train graph.npz -o m.safetensors -q --model $model --left-out 1 --split 20/20/60 --max-epochs 5 \
        --json > facts
    grep -q "\"model\":\"$model\"" facts
    grep -q '"epochs":5' facts
    credence info m.safetensors > a
    grep -Eqx "model +$model" a
    grep -Eqx 'stopped by +epochs' a
    credence predict m.safetensors graph.npz --full -q -o a.csv
    [ "$(wc -l < a.csv)" = 151 ]
    credence predict m.safetensors graph.npz --full -q -o a.jsonl
    credence predict m.safetensors graph.npz --full -q -o a.npz
    credence predict m.safetensors graph.npz --coverage 0.5 --reject-by aleatoric -q > /dev/null
    credence evaluate m.safetensors graph.npz > ood
    credence evaluate m.safetensors graph.npz --task misclassification > wrong
    grep -Eq '^aleatoric +[0-9.]+ ' ood
    grep -Eq '^epistemic_features +n\.a\.' ood
    case $model in
        appnp)
            grep -Eq '^epistemic +n\.a\.' ood
            grep -Eq '^epistemic +n\.a\.' wrong
            head -n 1 a.jsonl | grep -q '"epistemic":null,"epistemic_features":null,"alpha":null'
            ;;
        vgcn)
            grep -Eq '^epistemic +[0-9.]+ ' ood
            grep -Eq '^epistemic +n\.a\.' wrong
            head -n 1 a.jsonl | grep -Eq '"epistemic":-?[0-9.]+,"epistemic_features":null,"alpha":null'
            ;;
        gkde-gcn | egcn)
            grep -Eq '^epistemic +[0-9.]+ ' ood
            grep -Eq '^epistemic +[0-9.]+ ' wrong
            head -n 1 a.jsonl | grep -Eq '"epistemic":-[0-9.]+,"epistemic_features":null,"alpha":\['
            ;;
    esac
    # initial weights of the same kind
    credence train graph.npz -o n.safetensors -q --model $model --left-out 1 --split 20/20/60 --max-epochs 1 \
        --init m.safetensors
done
