# The page of results is what the results give.
(cd "$ROOT/docs" && credence page reproduction.in.md -o - -q) > page.md
cmp page.md "$ROOT/docs/reproduction.md"
