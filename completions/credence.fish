# Fish completion for credence.

set -l commands train predict evaluate explain info convert generate demo help

# option COMMANDS NAME DESCRIPTION [VALUES]: an option with a value; FILE as its values means a file.
function __credence_option
    set -l condition "__fish_seen_subcommand_from $argv[1]"
    if test (count $argv) -lt 4
        complete -c credence -n $condition -l $argv[2] -d $argv[3] -x
    else if test $argv[4] = FILE
        complete -c credence -n $condition -l $argv[2] -d $argv[3] -r -F
    else
        complete -c credence -n $condition -l $argv[2] -d $argv[3] -x -a $argv[4]
    end
end

# switch COMMANDS NAME DESCRIPTION: an option without one.
function __credence_switch
    complete -c credence -n "__fish_seen_subcommand_from $argv[1]" -l $argv[2] -d $argv[3]
end

set -l none "not __fish_seen_subcommand_from $commands"
complete -c credence -n $none -f -l help -d 'show the commands'
complete -c credence -n $none -f -l version -d 'show the version'
complete -c credence -n $none -f -a train -d 'learn from labelled nodes, write a model'
complete -c credence -n $none -f -a predict -d 'classify every node, with its uncertainties'
complete -c credence -n $none -f -a evaluate -d 'measure the answers and the doubt'
complete -c credence -n $none -f -a explain -d 'show which nodes an answer rests on'
complete -c credence -n $none -f -a info -d 'show what a graph or a model holds'
complete -c credence -n $none -f -a convert -d 'store a graph in another format'
complete -c credence -n $none -f -a generate -d 'make a synthetic graph'
complete -c credence -n $none -f -a demo -d 'see all of it on a made-up graph'
complete -c credence -n $none -f -a help -d 'show the help of a command'
complete -c credence -n '__fish_seen_subcommand_from help' -f -a "$commands"

set -l data train predict evaluate explain info convert
__credence_switch "$commands" help 'show help'
__credence_option "$data" node-features 'features for a bare edge list or matrix' FILE
__credence_option "$data" labels 'classes for a bare edge list or matrix' FILE
__credence_option 'train predict evaluate explain demo' threads 'how many threads work; 0: all cores'
__credence_switch 'train evaluate explain info' json 'one JSON object on standard output'
__credence_switch 'train predict' quiet 'say nothing but errors'
complete -c credence -n '__fish_seen_subcommand_from train predict generate demo' -s o -l output -r -F -d 'where the result goes'

__credence_option train split 'which nodes train, validate, test' 'auto 5/15/80 20n/30n/rest'
__credence_option train split-index 'which of the splits in the data'
__credence_option 'train evaluate' split-file 'the split as npz or CSV' FILE
__credence_option train preset 'a published choice' 'gpn coraml citeseer pubmed computers photos cs physics arxiv'
__credence_option train config 'a JSON object of options' FILE
__credence_option train init 'start from the weights of this model' FILE
__credence_option train model 'the model' gpn
__credence_option train features 'what is done to features first' 'auto none rownorm binary,rownorm standard'
__credence_option train left-out 'keep the last classes from training'
__credence_option train hidden 'width of the hidden layer'
__credence_option train latent 'dimensions of the latent space'
__credence_option train flow-layers 'radial layers of each density'
__credence_option train teleport 'teleport probability of the diffusion'
__credence_option train steps 'steps of the diffusion'
__credence_switch train class-scale 'multiply evidence by the number of classes'
__credence_switch train no-class-scale 'do not'
__credence_option train dropout 'dropout on the hidden layer'
__credence_option train activation 'activation' 'relu gelu logsigmoid hardtanh sigmoid linear'
__credence_option train reg 'regulariser over the edges' 'none distance evidence'
__credence_option train reg-weight 'weight of the regulariser'
__credence_option train entropy-weight 'weight of the entropy'
__credence_option train lr 'learning rate'
__credence_option train weight-decay 'L2 decay of the encoder'
__credence_option train warmup 'epochs that train the densities alone'
__credence_option train patience 'epochs without a better validation'
__credence_option train max-epochs 'most epochs after the warm-up'
__credence_option 'train generate demo' seed 'seed'
__credence_option train log 'one JSON line an epoch' FILE

__credence_option predict format 'format of the answers' 'csv npz jsonl'
__credence_switch predict full 'add every alpha and probability'
__credence_option predict reject-above 'flag nodes whose uncertainty is above'
__credence_option predict coverage 'flag nodes so that this fraction is answered'
__credence_option predict reject-by 'the uncertainty that decides' 'aleatoric epistemic epistemic_features epistemic_class'
__credence_option predict only 'the rows to write' 'all unlabelled flagged'

__credence_option evaluate task 'what to find' 'ood misclassification'
__credence_option evaluate nodes 'which nodes are tested' 'test all'

__credence_option explain node 'the node, by number or name'
__credence_option explain top 'how many contributing nodes to list'

__credence_option 'convert generate' to 'format' 'auto npz npy csv mtx ogb'
__credence_option generate kind 'kind of graph' 'blocks toy'
__credence_option generate nodes 'nodes'
__credence_option generate classes 'classes'
__credence_option generate features 'words in the vocabulary'
__credence_option generate degree 'mean number of neighbours'
__credence_option generate homophily 'probability that an edge stays inside its class'
__credence_option generate words 'mean number of words a node has'
__credence_option generate strength 'probability that a word comes from the topic'
__credence_option generate overlap 'how much of a look-alike is its sibling'
__credence_option generate lookalikes 'how many last classes imitate an earlier one'

functions -e __credence_option __credence_switch
