# Bash completion for credence.

_credence_values() {
    case $1 in
        --model) echo gpn ;;
        --features) [ "$2" = train ] && echo auto none rownorm binary,rownorm standard ;;
        --activation) echo relu gelu logsigmoid hardtanh sigmoid linear ;;
        --reg) echo none distance evidence ;;
        --preset) echo gpn coraml citeseer pubmed computers photos cs physics arxiv ;;
        --split) echo auto 5/15/80 20n/30n/rest ;;
        --format) echo csv npz jsonl ;;
        --reject-by) echo aleatoric epistemic epistemic_features epistemic_class ;;
        --only) echo all unlabelled flagged ;;
        --task) echo ood misclassification ;;
        --nodes) [ "$2" = evaluate ] && echo test all ;;
        --to) echo auto npz npy csv mtx ogb ;;
        --kind) echo blocks toy ;;
    esac
}

_credence_options() {
    local data="--node-features --labels --help"
    case $1 in
        train)
            echo $data --output --split --split-index --split-file --preset --config --init --model --features \
                --left-out --hidden --latent --flow-layers --teleport --steps --class-scale --no-class-scale \
                --dropout --activation --reg --reg-weight --entropy-weight --lr --weight-decay --warmup \
                --patience --max-epochs --seed --threads --log --json --quiet
            ;;
        predict)
            echo $data --output --format --full --reject-above --coverage --reject-by --only --threads --quiet
            ;;
        evaluate) echo $data --task --split-file --nodes --threads --json ;;
        explain) echo $data --node --top --threads --json ;;
        info) echo $data --json ;;
        convert) echo $data --to ;;
        generate)
            echo --output --to --kind --nodes --classes --features --degree --homophily --words --strength \
                --overlap --lookalikes --seed --help
            ;;
        demo) echo --output --seed --threads --help ;;
    esac
}

_credence() {
    local commands="train predict evaluate explain info convert generate demo help"
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]} values
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        mapfile -t COMPREPLY < <(compgen -W "$commands --help --version" -- "$word")
        return
    fi
    if [ "$command" = help ]; then
        mapfile -t COMPREPLY < <(compgen -W "$commands" -- "$word")
        return
    fi
    # "--name=value" arrives as three words.
    if [ "$word" = "=" ]; then word=""; fi
    if [ "$before" = "=" ]; then before=${COMP_WORDS[COMP_CWORD - 2]}; fi
    values=$(_credence_values "$before" "$command")
    if [ -n "$values" ]; then
        mapfile -t COMPREPLY < <(compgen -W "$values" -- "$word")
    elif [[ $word == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$(_credence_options "$command")" -- "$word")
    else
        compopt -o filenames 2> /dev/null
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
    fi
}

complete -F _credence credence
