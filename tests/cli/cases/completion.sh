# SPDX-License-Identifier: MIT
# What bash completes: commands, options, an option's values, the last item of a list, graphs, files.
if ! command -v bash > /dev/null; then
    echo "there is no bash"
    exit 77
fi
if [ ! -e /dev/fd/0 ]; then
    echo "bash needs /dev/fd, which is in /proc"
    exit 77
fi
offers() { # offers WORD...: the user is typing the last one
    bash -c '. "$0/completions/credence.bash"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _credence
        printf "%s " "${COMPREPLY[@]}"' "$ROOT" credence "$@"
}
[ "$(offers expl)" = 'explain ' ]
[ "$(offers train --reg-w)" = '--reg-weight ' ]
[ "$(offers train --reg '')" = 'none distance evidence ' ]
[ "$(offers predict --only fl)" = 'flagged ' ]
[ "$(offers train --preset pub)" = 'published pubmed pubmed-best pubmed-errors ' ]
[ "$(offers fetch cora)" = 'coraml ' ]
[ "$(offers train grap)" = 'graph.npz ' ]
[ "$(offers predict model.safetensors cora)" = 'coraml ' ]
[ "$(offers demo -o xyz)" = ' ' ]
[ "$(offers train --hidden '')" = ' ' ]
