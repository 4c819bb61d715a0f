# SPDX-License-Identifier: MIT
# From files as they are downloaded to a model, a table of doubtful accounts and a report, in five commands.
# stderr: 713 of 7126 nodes flagged (10.0 %), those with aleatoric above *
# stderr: 713 flagged answers written to doubtful.csv
raw=${CREDENCE_DATA:-$ROOT/../shared/datasets}/../raw/twitch_engb
[ -e "$raw/ENGB.json" ] || { echo "there are no raw files of Twitch ($raw)"; exit 77; }

credence convert "$raw/ENGB_edges.csv" twitch.npz --node-features "$raw/ENGB.json" \
    --labels "$raw/ENGB_target.csv" --label-column mature --id-column new_id
credence train twitch.npz -q -o model.safetensors
credence evaluate model.safetensors twitch.npz --task misclassification --json > found.json
credence predict model.safetensors twitch.npz --coverage 0.9 --only flagged -o doubtful.csv
credence report model.safetensors twitch.npz -q -o report.html

[ "$(wc -l < doubtful.csv)" = 714 ]
head -n 1 doubtful.csv | grep -q '^node,class,probability,aleatoric,epistemic,.*,reject$'
credence info twitch.npz | grep -Eq '^features +3170$'
credence info twitch.npz | grep -Eq '^1 +True +3888 '
credence info model.safetensors | grep -q '^classes: False, True$'
grep -q '<title>' report.html
grep -Eq '"accuracy": ?0\.[56]' found.json
