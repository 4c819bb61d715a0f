# SPDX-License-Identifier: MIT
# What train says that can be promised can be promised; less cannot, and predict says how much it takes. Whoever allows
# more errors gets no fewer answers.
credence generate -o in.npz --nodes 600 --classes 4 --vocabulary 60 --words 6
credence train in.npz -o m --split 10/40/50 --model appnp --hold-out 0.5 --max-epochs 20 2> said
alarms=$(sed -n 's/.*--false-alarms \([0-9.]*\) or more.*/\1/p' said)
most=$(sed -n 's/.*--max-error \([0-9.]*\) or more.*/\1/p' said)
credence predict m in.npz --false-alarms "$alarms" --max-error "$most" -q -o a.csv
less=$(awk "BEGIN { print 0.9 * $most }")
if credence predict m in.npz --max-error "$less" -q -o a.csv 2> refused; then exit 3; fi
grep -q "$most or more can be promised" refused
if credence predict m in.npz --false-alarms "$(awk "BEGIN { print 0.9 * $alarms }")" -q -o a.csv 2> refused; then exit 4; fi
grep -q "or allow $alarms or more" refused
before=0
for step in 0 1 2 3 4 5 6 7 8 9 10 11 12; do
    credence predict m in.npz --max-error "$(awk "BEGIN { print $most + 0.01 * $step }")" -o a.csv 2> said
    now=$(sed -n 's/ of 600 nodes answered.*//p' said)
    [ "$now" -ge "$before" ]
    before=$now
done
[ "$before" -gt 100 ]
