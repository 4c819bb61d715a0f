# Bash completion for credence.

# The public graphs that commands take by name.
_credence_names="coraml citeseer citeseer-planetoid pubmed computers photos cs physics dblp arxiv"

_credence_models="lp gkde appnp vgcn gkde-gcn gpn gpn-ce gpn-ce-act gpn-ce-act-gd paper ours default config"

# What the value of option $1 of command $2 can be; with "list" as $3 those of which there may be several,
# separated by commas.
_credence_values() {
    if [ "$3" = list ]; then
        case $2$1 in
            experiment--data | compare--data | figures--data) echo $_credence_names ;;
            experiment--models) echo $_credence_models ;;
            experiment--shifts) echo bernoulli:0.1 normal:0.1 rewire:0.1 dice:0.1 ;;
            compare--task) echo ood misclassification shift ablation ;;
        esac
        return
    fi
    case $1 in
        --criterion) echo val-ce left-out-class own-errors ;;
        --grid) [ "$2" = figures ] && echo lambda activation all || echo quick coarse paper ;;
        --tune-grid) echo coarse paper ;;
        --search) echo grid random ;;
        --a | --b) echo $_credence_models ;;
        --metric)
            echo id_acc auroc_alea auroc_epi auroc_epi_wo aupr_alea aupr_epi aupr_epi_wo aupr_success_alea \
                aupr_success_epi
            ;;
        --shift) echo bernoulli:0.1 normal:0.1 rewire:0.1 dice:0.1 ;;
        --shift-mode) echo all isolated ;;
        --model) echo gpn appnp vgcn gkde-gcn lp gkde ;;
        --features) [ "$2" = train ] && echo auto none rownorm binary,rownorm standard ;;
        --activation) echo relu gelu logsigmoid hardtanh sigmoid linear ;;
        --reg) [ "$2" = figures ] && echo distance evidence || echo none distance evidence ;;
        --preset) echo published best errors gpn gpn-amazon coraml citeseer pubmed computers photos cs physics arxiv coraml-best citeseer-best pubmed-best computers-best photos-best cs-best physics-best coraml-errors citeseer-errors pubmed-errors computers-errors photos-errors cs-errors physics-errors ;;
        --split) echo auto 5/15/80 20n/30n/rest ;;
        --format) [ "$2" = compare ] && echo text markdown csv json || echo csv npz jsonl ;;
        --reject-by) echo aleatoric epistemic epistemic_features epistemic_class ;;
        --only) echo all unlabelled flagged ;;
        --task) [ "$2" = evaluate ] && echo ood misclassification ;;
        --nodes) [ "$2" != generate ] && echo test all ;;
        --to) echo auto npz npy csv mtx ogb ;;
        --kind) echo blocks toy ;;
        --plot) echo auto always never ;;
    esac
}

_credence_options() {
    local data="--node-features --labels --data-dir --help"
    case $1 in
        train)
            echo $data --output --split --split-index --split-file --preset --config --init --model --features \
                --left-out --inductive --no-inductive --hidden --latent --flow-layers --teleport --steps \
                --class-scale --no-class-scale --rounded-alpha --no-rounded-alpha \
                --dropout --activation --reg --reg-strength --reg-weight --entropy-weight --share-weight --lr \
                --weight-decay --warmup --patience --max-epochs --seed --threads --log --json --quiet
            ;;
        predict)
            echo $data --output --format --full --reject-above --coverage --reject-by --only --threads --quiet
            ;;
        evaluate)
            echo $data --task --shift --shift-mode --shift-nodes --seed --split-file --nodes --threads --plot \
                --json
            ;;
        explain) echo $data --node --top --threads --json ;;
        map) echo $data --output --format --perplexity --iterations --seed --threads --quiet ;;
        info) echo $data --json ;;
        convert) echo $data --to ;;
        generate)
            echo --output --to --kind --nodes --classes --features --degree --homophily --words --strength \
                --overlap --lookalikes --seed --help
            ;;
        demo) echo --output --seed --threads --plot --help ;;
        fetch) echo --list --all --dir --from --force --json --quiet --help ;;
        experiment)
            echo --out --data --data-dir --models --seeds --jobs --left-out --shifts --split --set --config --title \
                --tune-grid --tune-space --tune-seeds --eta --json --quiet --help
            ;;
        tune)
            echo $data --output --criterion --left-out --grid --space --search --trials --seed --split --seeds \
                --held-out-classes --max-accuracy-loss --eta --min-epochs --finalists --preset --config --set \
                --jobs --out --json --quiet
            ;;
        compare) echo --a --b --metric --task --data --seed --format --json --quiet --help ;;
        page) echo --output --quiet --help ;;
        report)
            echo $data --output --data --title --perplexity --iterations --seed --split-file --nodes --threads --quiet
            ;;
        figures)
            echo --out --data --data-dir --grid --reg --seed --left-out --split --set --perplexity --iterations \
                --threads --quiet --help
            ;;
    esac
}

# Fills COMPREPLY with what compgen gives for the arguments.
_credence_reply() {
    mapfile -t COMPREPLY < <(compgen "$@")
}

# The same where there may be files among it.
_credence_reply_files() {
    compopt -o filenames 2> /dev/null
    _credence_reply "$@"
}

_credence() {
    local commands="train predict evaluate explain map info convert generate demo fetch experiment tune compare page figures report"
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]} values
    local behind=""
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        _credence_reply -W "$commands help --help --version" -- "$word"
        return
    fi
    if [ "$command" = help ]; then
        _credence_reply -W "$commands" -- "$word"
        return
    fi
    # "--name=value" arrives as three words.
    if [ "$word" = "=" ]; then word=""; fi
    if [ "$before" = "=" ]; then before=${COMP_WORDS[COMP_CWORD - 2]}; fi
    values=$(_credence_values "$before" "$command" list)
    if [ -n "$values" ]; then
        if [[ $word == *,* ]]; then behind=${word%,*},; fi
        if [ "$command$before" = experiment--data ] || [ "$command$before" = figures--data ]; then
            compopt -o filenames -o nospace 2> /dev/null
            mapfile -t COMPREPLY < <(compgen -P "$behind" -W "$values" -- "${word##*,}"
                compgen -P "$behind" -f -- "${word##*,}")
        else
            compopt -o nospace 2> /dev/null
            _credence_reply -P "$behind" -W "$values" -- "${word##*,}"
        fi
        return
    fi
    values=$(_credence_values "$before" "$command" one)
    if [ -n "$values" ]; then
        _credence_reply -W "$values" -- "$word"
    elif [[ $word == -* ]]; then
        _credence_reply -W "$(_credence_options "$command")" -- "$word"
    elif [[ $before == --data-dir || $before == --dir || $before == --out || $command$before == experiment-o || $command$before == figures-o ]]; then
        _credence_reply_files -d -- "$word"
    elif [[ $before == -* ]]; then
        _credence_reply_files -f -- "$word"
    else
        case $command in
            fetch) _credence_reply -W "$_credence_names" -- "$word" ;;
            experiment) _credence_reply -W "ood misclassification shift ablation" -- "$word" ;;
            generate | demo | compare | page) _credence_reply_files -f -- "$word" ;;
            *)
                compopt -o filenames 2> /dev/null
                mapfile -t COMPREPLY < <(compgen -f -- "$word"; compgen -W "$_credence_names" -- "$word")
                ;;
        esac
    fi
}

complete -F _credence credence
