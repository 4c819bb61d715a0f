# A file that the command replaces keeps its permissions, and a link stays a link; a dangling link is followed, too.
mkdir demo
: > demo/evaluation.json
chmod 600 demo/evaluation.json
credence demo -o demo > in.demo
[ "$(ls -l demo/evaluation.json | cut -c 1-10)" = -rw------- ]
[ -s demo/evaluation.json ]
mv demo/evaluation.json in.elsewhere
ln -s ../in.elsewhere demo/evaluation.json
: > in.elsewhere
credence demo -o demo > in.demo
[ -L demo/evaluation.json ] && [ -s in.elsewhere ]
rm in.elsewhere
credence demo -o demo > in.demo
[ -L demo/evaluation.json ] && [ -s in.elsewhere ]
[ "$(ls -A demo | wc -l)" = 5 ]
