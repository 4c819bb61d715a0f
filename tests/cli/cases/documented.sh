# Every option that help shows is in the command's manual page and in each shell's completion, and the
# manual page shows no other.
for command in train predict evaluate explain info convert generate demo; do
    page=$ROOT/man/credence-$command.1
    credence $command --help | grep -Eo -e '^ +(-[a-z], )?--(\[no-\])?[a-z-]+' |
        sed 's/.*--//; s/\[no-\]//' | sort -u > in.shown
    sed 's/\\-/-/g' "$page" | grep -E '^\.(B|BI|BR) ' | grep -Eo -e '--[a-z-]+' |
        sed 's/^--//; s/^no-//' | grep -vx help | sort -u > in.manual
    grep -vx help in.shown > in.expected
    diff in.expected in.manual
    for name in $(cat in.shown); do
        grep -q -e "--$name\b" "$ROOT/completions/credence.bash" || { echo "bash: $name"; exit 3; }
        grep -q -e "--$name\b" "$ROOT/completions/_credence" || { echo "zsh: $name"; exit 3; }
        grep -q -e " $name\b" "$ROOT/completions/credence.fish" || { echo "fish: $name"; exit 3; }
    done
    grep -q "credence.-$command" "$ROOT/man/credence.1"
done
