# Names of classes and files that mean something to XML or to Markdown, or nothing to anybody.
credence convert graph.npz folder --to csv
cat > names << 'END'
    NR == 1 { print; next }
    $2 == "A" { $2 = "\"<script>alert(\"\"1\"\")</script> & ]]>\"" }
    $2 == "B" { $2 = "\"😀 \001\033[31m" sprintf("%5000s", "x") sprintf("%5000s", "y") "\"" }
    $2 == "C" { $2 = "\"\377\376 ' <b onload=x>--><!--\"" }
    $2 == "D" { $2 = "\"[left](javascript:x) | `out`\"" }
    { print }
END
for file in labels classes; do
    awk -F, -v OFS=, -f names folder/$file.csv > $file
    mv $file folder/$file.csv
done
mv folder 'a<b>&"c'
credence figures --data 'a<b>&"c' --left-out 1 --split 20/20/60 --set max-epochs=2 --perplexity 8 --iterations 30 \
    --grid lambda -o out -q
[ -s out/a-b---c-lambda.svg ]
if command -v xmllint > /dev/null; then xmllint --noout out/a-b---c-lambda.svg; fi
grep -q '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; ]]&gt;<' out/a-b---c-lambda.svg
grep -q '😀 ��\[31m.*…<' out/a-b---c-lambda.svg
if grep -q "<script\|<b \|$(printf '[\001\033\377]')" out/a-b---c-lambda.svg; then exit 3; fi
[ "$(wc -l < out/figures.jsonl)" = 4 ]
grep -q '^## a\\<b>&"c: ' out/figures.md
