# The page of figures has the numbers that were measured, and the drawings that it shows.
(cd "$ROOT/docs" && credence page figures.in.md -o - -q) > page.md
cmp page.md "$ROOT/docs/figures.md"
for drawing in $(sed -n 's/.*](\(figures\/[^)]*\.svg\)).*/\1/p' page.md); do
    [ -s "$ROOT/docs/$drawing" ]
    if command -v xmllint > /dev/null; then xmllint --noout "$ROOT/docs/$drawing"; fi
done
[ "$(ls "$ROOT"/docs/figures/*.svg | wc -l)" = "$(grep -c '](figures/.*\.svg)' page.md)" ]
