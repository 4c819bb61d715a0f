. "$ROOT/tests/cli/wait.sh"
needs_proc
