# Nothing was learnt yet: nothing to save, and it is an error.
# stderr: credence: *stopped*
# exit: 1
credence generate -o in.npz --nodes 20000 --features 2000
credence train in.npz -o out.safetensors --warmup 1000000 --log in.log -q &
for i in $(seq 300); do
    if [ -s in.log ]; then break; fi
    sleep 0.1
done
kill -INT $!
wait $!
