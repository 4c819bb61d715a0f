# SPDX-License-Identifier: MIT
# Skips a case that downloads if the command was built without libcurl.
if credence fetch arxiv --data-dir in.none --from file:///nonexistent 2>&1 | grep -q 'built without libcurl'; then
    echo "credence was built without libcurl"
    exit 77
fi
rm -rf in.none
