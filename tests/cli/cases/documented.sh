# SPDX-License-Identifier: MIT
# Every option in the help is in the command's manual page and in each shell's completion, and these have no others.
# Every command is in the list of commands, in the completions and in credence(1).
commands=$(credence --help | sed -n 's/^  \([a-z][a-z]*\) .*/\1/p')
[ -n "$commands" ]
for command in $commands; do
    page=$ROOT/man/credence-$command.1
    credence $command --help | grep -Eo -e '^ +(-[a-z], )?--(\[no-\])?[a-z-]+' | sed 's/.*--//' > in.lines
    sed 's/\[no-\]//' in.lines | sort -u > in.shown
    sed -n 's/\[no-\]\(.*\)/no-\1/p' in.lines | sort -u - in.shown > in.typed # what a shell must offer
    sed 's/\\-/-/g; s/\\f.//g' "$page" | grep -E '^--?[a-z]' | grep -Eo -e '--[a-z-]+' |
        sed 's/^--//; s/^no-//' | sort -u > in.manual
    diff in.shown in.manual
    if command -v bash > /dev/null; then
        bash -c '. "$1/completions/credence.bash"; _credence_options "$2"' - "$ROOT" $command | tr ' ' '\n' |
            sed 's/^--//' | sort -u | diff in.typed - || { echo "bash: $command"; exit 3; }
    fi
    if command -v fish > /dev/null; then
        HOME=$PWD/in.home fish --no-config -c 'source $argv[1]; complete -C "credence $argv[2] --"' \
            "$ROOT/completions/credence.fish" $command | sed 's/^--//; s/[[:space:]].*//' | sort -u |
            diff in.typed - || { echo "fish: $command"; exit 3; }
    fi
    # Zsh shows completions only on a terminal: its options are read from the file.
    sed -n "/^ *$command)/,/;;/p" "$ROOT/completions/_credence" > in.zsh
    grep -Eo -e '--[a-z-]+(\[|=\[|=?[}])' in.zsh | sed 's/^--//; s/[^a-z-].*//' | sort -u | diff in.typed - ||
        { echo "zsh: $command"; exit 3; }
    if command -v zsh > /dev/null; then zsh -n "$ROOT/completions/_credence"; fi
    grep -q "credence.-$command" "$ROOT/man/credence.1"
    grep -q "'$command:" "$ROOT/completions/_credence"
    grep -q "local commands=.*\b$command\b" "$ROOT/completions/credence.bash"
    grep -q -e "-a $command -d" "$ROOT/completions/credence.fish"
done
# The names of public graphs, presets and models are the existing ones.
names=$(credence fetch --list | sed -n '2,$s/ .*//p' | tr '\n' ' ')
presets=$(credence train graph.npz -o x --preset ? 2>&1 | sed 's/.*expected one of //; s/,//g')
kinds=$(credence train graph.npz -o x --model ? 2>&1 | sed 's/.*expected one of //; s/ (the default)//; s/,//g')
[ -n "$names" ] && [ -n "$presets" ] && [ -n "$kinds" ]
for file in credence.bash _credence credence.fish; do
    for list in "${names% }" "published best errors $presets" "$kinds"; do
        grep -qF "$list" "$ROOT/completions/$file" || { echo "$file lacks: $list"; exit 3; }
    done
done
for name in $names; do
    sed 's/\\-/-/g; s/\\f.//g' "$ROOT/man/credence-fetch.1" | grep -qx "$name"
done
for name in $presets; do
    sed 's/\\-/-/g; s/\\f.//g' "$ROOT/man/credence-train.1" | grep -qx "$name"
done
# The README and the documents fetch only known graphs.
for name in $(cat "$ROOT/README.md" "$ROOT"/docs/*.md | grep -Eo 'credence fetch [a-z][a-z ]*' | sed 's/credence fetch//'); do
    case " $names" in *" $name "*) ;; *) echo "there is no graph called $name"; exit 3 ;; esac
done
