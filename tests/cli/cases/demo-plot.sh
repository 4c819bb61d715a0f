# The same text with plots in it, which fit beside the text's indentation.
no() { if "$@"; then echo "unexpected: $*"; exit 1; fi; } # `! ...` would not end the script
COLUMNS=80 credence demo -o results --plot always > with
credence demo -o results > without
no grep -q 'ROC (' without
grep -q '^   How much evidence nodes have  *ROC (epistemic): AUROC [0-9.]* %$' with
awk 'length > 80 && /[|#]|--/ { exit 1 }' with
sed 's/in [-+0-9.e]* seconds//' with > a
sed 's/in [-+0-9.e]* seconds//' without > b
diff b a > c || true
no grep -q '^<' c
