# Fish completion for credence.

set -l commands train predict evaluate explain map info convert generate demo fetch experiment tune compare page figures report help

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
complete -c credence -n $none -f -a map -d 'place every node on a map'
complete -c credence -n $none -f -a info -d 'show what a graph or a model holds'
complete -c credence -n $none -f -a convert -d 'store a graph in another format'
complete -c credence -n $none -f -a generate -d 'make a synthetic graph'
complete -c credence -n $none -f -a demo -d 'see all of it on a made-up graph'
complete -c credence -n $none -f -a fetch -d 'download public graphs and verify them'
complete -c credence -n $none -f -a experiment -d 'measure models on graphs, many times'
complete -c credence -n $none -f -a tune -d 'choose options of training on validation data'
complete -c credence -n $none -f -a compare -d 'compare two models of an experiment'
complete -c credence -n $none -f -a page -d 'write a page whose numbers come from results'
complete -c credence -n $none -f -a figures -d 'draw latent spaces as the paper does'
complete -c credence -n $none -f -a report -d 'make a page to look at'
complete -c credence -n $none -f -a help -d 'show the help of a command'
complete -c credence -n '__fish_seen_subcommand_from help' -f -a "$commands"

set -l data train predict evaluate explain map info convert tune report
__credence_switch "$commands" help 'show help'
__credence_option "$data" node-features 'features for a bare edge list or matrix' FILE
__credence_option "$data" labels 'classes for a bare edge list or matrix' FILE
__credence_option "$data experiment figures" data-dir 'where to look first for a public graph' '(__fish_complete_directories)'
__credence_option 'train predict evaluate explain map demo figures report' threads 'how many threads work; 0: all cores'
__credence_switch 'train evaluate explain info fetch experiment tune compare' json 'one JSON object on standard output'
__credence_switch 'train predict map fetch experiment tune compare page figures report' quiet 'say nothing but errors'
complete -c credence -n '__fish_seen_subcommand_from train predict map generate demo tune page report' -s o -l output -r -F -d 'where the result goes'

__credence_option 'train experiment tune figures' split 'which nodes train, validate, test' 'auto 5/15/80 20n/30n/rest'
__credence_option train split-index 'which of the splits in the data'
__credence_option 'train evaluate report' split-file 'the split as npz or CSV' FILE
__credence_option 'train tune' preset 'a published choice' 'published best errors gpn gpn-amazon coraml citeseer pubmed computers photos cs physics arxiv coraml-best citeseer-best pubmed-best computers-best photos-best cs-best physics-best coraml-errors citeseer-errors pubmed-errors computers-errors photos-errors cs-errors physics-errors'
__credence_option 'train experiment tune' config 'a JSON object of options' FILE
__credence_option train init 'start from the weights of this model' FILE
__credence_option train model 'the model' 'gpn appnp vgcn gkde-gcn lp gkde'
__credence_option train features 'what is done to features first' 'auto none rownorm binary,rownorm standard'
__credence_option 'train experiment tune figures' left-out 'keep the last classes from training'
__credence_switch train inductive 'remove their nodes from the graph of training'
__credence_switch train no-inductive 'do not'
__credence_option train hidden 'width of the hidden layer'
__credence_option train latent 'dimensions of the latent space'
__credence_option train flow-layers 'radial layers of each density'
__credence_option train teleport 'teleport probability of the diffusion'
__credence_option train steps 'steps of the diffusion'
__credence_switch train class-scale 'multiply evidence by the number of classes'
__credence_switch train no-class-scale 'do not'
__credence_switch train rounded-alpha '1 + evidence of lp and gkde in single precision'
__credence_switch train no-rounded-alpha 'do not'
__credence_option train dropout 'dropout on the hidden layer'
__credence_option train activation 'activation' 'relu gelu logsigmoid hardtanh sigmoid linear'
__credence_option train reg 'regulariser over the edges' 'none distance evidence'
__credence_option train reg-strength 'weight of the regulariser, as a mean'
__credence_option train reg-weight 'weight of the regulariser, as a sum'
__credence_option train entropy-weight 'weight of the entropy'
__credence_option train share-weight 'weight of the shares of the evidence'
__credence_option train lr 'learning rate'
__credence_option train weight-decay 'L2 decay of the encoder'
__credence_option train warmup 'epochs that train the densities alone'
__credence_option train patience 'epochs without a better validation'
__credence_option train max-epochs 'most epochs after the warm-up'
__credence_option 'train evaluate map generate demo tune compare figures report' seed 'seed'
__credence_option train log 'one JSON line an epoch' FILE

__credence_option 'predict map' format 'format of the answers' 'csv npz jsonl'
__credence_switch predict full 'add every alpha and probability'
__credence_option predict reject-above 'flag nodes whose uncertainty is above'
__credence_option predict coverage 'flag nodes so that this fraction is answered'
__credence_option predict reject-by 'the uncertainty that decides' 'aleatoric epistemic epistemic_features epistemic_class'
__credence_option predict only 'the rows to write' 'all unlabelled flagged'

__credence_option 'evaluate demo' plot 'draw small plots' 'auto always never'
__credence_option evaluate task 'what to find' 'ood misclassification'
__credence_option evaluate shift 'change test nodes' 'bernoulli:0.1 normal:0.1 rewire:0.1 dice:0.1'
__credence_option evaluate shift-mode 'together or one at a time' 'all isolated'
__credence_option evaluate shift-nodes 'isolated: shift no more nodes'
__credence_option 'evaluate report' nodes 'which nodes are tested' 'test all'

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

set -l names coraml citeseer citeseer-planetoid pubmed computers photos cs physics dblp arxiv
complete -c credence -n "__fish_seen_subcommand_from $data" -a "$names" -d 'public graph'
complete -c credence -n '__fish_seen_subcommand_from fetch' -f -a "$names" -d 'public graph'
__credence_switch fetch list 'show the graphs that can be had, and which are here'
__credence_switch fetch all 'all that can be downloaded'
__credence_option fetch dir 'the folder they go to' '(__fish_complete_directories)'
__credence_option fetch from 'download from a mirror'
__credence_switch fetch force 'download what is here already, and replace it'

set -l models lp gkde appnp vgcn gkde-gcn gpn gpn-ce gpn-ce-act gpn-ce-act-gd paper ours default config
set -l tasks ood misclassification shift ablation
complete -c credence -n '__fish_seen_subcommand_from experiment' -f -a "$tasks" -d 'task'
complete -c credence -n '__fish_seen_subcommand_from experiment' -s o -l out -x -a '(__fish_complete_directories)' -d 'the folder for runs and tables'
complete -c credence -n '__fish_seen_subcommand_from experiment' -l data -r -F -a "(__fish_append , $names)" -d 'the graphs, with commas between them'
__credence_option experiment models 'the rows of the table' "(__fish_append , $models)"
__credence_option 'experiment tune' seeds 'how many, a range or a list'
__credence_option 'experiment tune' jobs 'how many go side by side'
__credence_option experiment shifts 'what is done to test nodes' '(__fish_append , bernoulli:0.1 normal:0.1 rewire:0.1 dice:0.1)'
__credence_option 'experiment tune figures' set 'NAME=VALUE,...: options of train'
__credence_option experiment title 'what tables call the model config'
__credence_option experiment tune-grid 'what the ablation chooses from' 'coarse paper'
__credence_option experiment tune-space 'other values for options of that grid'
__credence_option experiment tune-seeds 'the splits that choose'

__credence_option tune criterion 'what the best setting is best at' 'val-ce left-out-class own-errors'
__credence_option tune grid 'a search space with a name' 'quick coarse paper'
__credence_option tune space 'options and the values they may take'
__credence_option tune search 'every setting, or some' 'grid random'
__credence_option tune trials 'how many settings random search draws'
__credence_option tune held-out-classes 'how many classes each split holds out'
__credence_option tune max-accuracy-loss 'how far below the best accuracy'
__credence_option 'experiment tune' eta 'the best 1/X of the settings stay'
__credence_option tune min-epochs 'epochs on the first rung'
__credence_option tune finalists 'how many settings are trained in full, at least'
__credence_option tune out 'the folder for what was tried' '(__fish_complete_directories)'

__credence_option compare a 'the one model' "$models"
__credence_option compare b 'the other one' "$models"
__credence_option compare metric 'what to compare' 'id_acc auroc_alea auroc_epi auroc_epi_wo aupr_alea aupr_epi aupr_epi_wo aupr_success_alea aupr_success_epi'
__credence_option compare task 'runs of these tasks only' "(__fish_append , $tasks)"
__credence_option compare data 'runs on these graphs only' "(__fish_append , $names)"
__credence_option compare format 'how it is shown' 'text markdown csv json'

complete -c credence -n '__fish_seen_subcommand_from figures' -f -s o -l out -x -a '(__fish_complete_directories)' -d 'the folder for drawings, captions and numbers'
complete -c credence -n '__fish_seen_subcommand_from figures' -l data -r -F -a "(__fish_append , $names)" -d 'the graphs, with commas between them'
__credence_option figures grid 'which grids' 'lambda activation all'
__credence_option figures reg 'the regulariser of the grid lambda' 'distance evidence'
__credence_option figures perplexity 'of t-SNE: roughly how many neighbours count'
__credence_option figures iterations 'of t-SNE'

complete -c credence -n '__fish_seen_subcommand_from report' -l data -r -F -a "$names" -d 'the graph of the models'
__credence_option report title 'the heading of the page'
__credence_option 'map report' perplexity 'neighbours that a node has on the map'
__credence_option 'map report' iterations 'how long t-SNE works on the map'

functions -e __credence_option __credence_switch
