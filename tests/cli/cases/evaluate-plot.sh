# SPDX-License-Identifier: MIT
# Plots forced into a file: in ASCII here, in Unicode if the locale says so, never wider than requested.
no() { if "$@"; then echo "unexpected: $*"; exit 1; fi; } # `! ...` would not end the script
plain='^[ -~]*$'
for columns in 1 40 57 80 100 300; do
    COLUMNS=$columns credence evaluate model.safetensors graph.npz --plot always > ood
    COLUMNS=$columns credence evaluate full.safetensors graph.npz --plot always > errors
    COLUMNS=$columns credence evaluate model.safetensors graph.npz --shift normal:0.3 --plot always > shift
    for file in ood errors shift; do
        no grep -v "$plain" $file
        width=$columns
        [ $columns -ge 40 ] || width=40
        [ $columns -le 100 ] || width=100
        # below the tables, which have their own width
        sed -e '1,/^In percent/d' -e '/^epistemic: /d' -e '/^Promises/,/^90 /d' $file | awk -v most=$width 'length > most || / $/ { print "too long: " $0; exit 1 }'
    done
    grep -q '^How unlike the training nodes' ood
    grep -q '^ *log-odds' ood
    grep -q 'known classes: [0-9]' ood
    grep -q 'other classes: [0-9]' ood
    grep -Eq '(^| )ROC \(epistemic\): AUROC [0-9.]+ %$' ood
    grep -q 'shifted nodes: [0-9]' shift
    grep -q '^How unsure it is of its answers' errors
    grep -q 'wrong answers: [0-9]' errors
    grep -Eq '(^| )Risk and coverage: AURC [0-9.]+ %$' errors
    grep -Eqx 'Reliability: ECE [0-9.]+ %' errors
    grep -q '[*#]' errors
done
# The plots and the table have the same numbers.
auroc=$(awk '$1 == "epistemic" { print $2 }' ood)
grep -q "AUROC $auroc %" ood
ece=$(awk '/^ECE/ { print $NF }' errors)
grep -qx "Reliability: ECE $ece %" errors
# The table is the same as without plots.
credence evaluate full.safetensors graph.npz --plot never > table
head -n "$(wc -l < table)" errors | cmp - table
credence evaluate full.safetensors graph.npz > piped
cmp piped table
LC_ALL=en_GB.UTF-8 credence evaluate full.safetensors graph.npz --plot always > unicode
grep -q '█' unicode
LC_ALL= LC_CTYPE=C.utf8 LANG=C credence evaluate model.safetensors graph.npz --plot always > dotted
grep -q '•' dotted
no grep -q "$(printf '\033')" unicode
# Models with evidence, without it, or with probabilities only.
credence evaluate gpn.safetensors graph.npz --plot always > gpn
grep -q '^How much evidence nodes have' gpn
grep -q 'log10 of the evidence' gpn
for kind in vgcn appnp; do
    credence train graph.npz --model $kind --left-out 1 --split 20/20/60 --max-epochs 10 -q -o m.safetensors
    credence evaluate m.safetensors graph.npz --plot always > $kind
done
grep -q '^ *energy' vgcn
grep -q 'ROC (epistemic)' vgcn
grep -q '100 % - probability' appnp
grep -q 'ROC (aleatoric)' appnp
# All nodes were shifted: there is nothing to tell apart.
credence evaluate model.safetensors graph.npz --shift normal:1 --plot always > all
no grep -q 'ROC (' all
