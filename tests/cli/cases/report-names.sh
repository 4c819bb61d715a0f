# SPDX-License-Identifier: MIT
# Names of nodes and classes that look like markup are text, packed like all others.
hostile='</script><script>alert(1)</script><!-- <img src=x onerror=alert(2)>'
long=$(printf '%010000d' 7)
{
    echo 'source,target'
    i=0
    while [ $i -lt 40 ]; do
        echo "\"$i$hostile\",\"$(((i + 1) % 40))$hostile\""
        i=$((i + 1))
    done
    echo "\"0$hostile\",$long"
} > in.csv
{
    echo 'node,label'
    i=0
    while [ $i -lt 40 ]; do
        echo "\"$i$hostile\",\"class $((i % 2))$hostile\""
        i=$((i + 1))
    done
} > in.labels
credence train in.csv --labels in.labels --model lp -o m.safetensors -q
credence report m.safetensors --data in.csv --labels in.labels --iterations 20 --title "$hostile" -q -o a.html
if grep -q 'alert(2)' a.html && [ "$(grep -c 'alert(2)' a.html)" != 1 ]; then exit 3; fi
if grep -q '<img\|<script>alert\|0000000000' a.html; then exit 3; fi
grep -q '<title>&#60;/script&#62;&#60;script&#62;alert(1)' a.html
grep -q 'data-name="names"' a.html
