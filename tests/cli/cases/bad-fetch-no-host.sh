# exit: 1
# stderr: credence: cs: cannot download http://nowhere.invalid/ms_academic_cs.npz: the host was not found; is there a connection to the internet\?
. "$ROOT/tests/cli/downloads.sh"
unset CREDENCE_DATA CREDENCE_MIRROR
no_proxy='*' credence fetch cs --dir in.data --from http://nowhere.invalid/
