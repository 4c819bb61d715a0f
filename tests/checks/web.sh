#!/bin/sh
# SPDX-License-Identifier: MIT
# web.sh ROOT unit|browser [COMMAND]: the tests of the report's page. The browser tests also open a report that the
# command has written. A build needs neither Node.js nor Chromium: if one is missing, its tests are skipped.
set -u
root=$1
kind=$2
command=${3:-}
skip() {
    echo "skipped: the report's page was not tested ($kind): $1"
    exit 77
}

command -v node > /dev/null 2>&1 || skip "there is no Node.js; make test-web installs it"
node -e 'process.exit(Number(process.versions.node.split(".")[0]) < 18 ? 1 : 0)' || skip "Node.js is older than 18; make test-web installs it"
case $command in
    '' | /*) ;;
    *) command=$PWD/$command ;;
esac
cd "$root/web" || exit 1
if [ "$kind" = browser ]; then
    [ -d node_modules/playwright-core ] || skip "web/node_modules is not there; make test-web installs it"
    node -e 'import("./test/browser.js").then((m) => process.exit(m.findChromium() ? 0 : 1))' ||
        skip "there is no Chromium; make test-web installs it"
    [ -e /proc/self ] || skip "Chromium needs /proc"
    export CREDENCE_COMMAND="$command"
fi
exec node --test test/"$kind"/*.test.js
