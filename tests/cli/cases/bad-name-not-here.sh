# exit: 1
# stderr: credence: photos: amazon_electronics_photo.npz is not in in.data, /nowhere or /no-home/.local/share/credence; 'credence fetch photos' downloads it
unset XDG_DATA_HOME
mkdir in.data
CREDENCE_DATA=/nowhere HOME=/no-home credence info photos --data-dir in.data
