#!/bin/sh
# SPDX-License-Identifier: MIT
# sysroot.sh FOLDER: fills FOLDER with Debian's libraries for AArch64, to build against and to run with.
#
# It installs nothing and does not need root. It asks the machine's own apt, with its own sources, as if this were an
# AArch64 machine without any packages. While it runs, apt's state is kept beside FOLDER.
set -u

if [ $# != 1 ]; then
    echo "usage: sysroot.sh FOLDER" >&2
    exit 2
fi
packages="libc6-dev libzip-dev libjansson-dev zlib1g-dev libcurl4-openssl-dev libcmocka-dev"
mkdir -p "$(dirname "$1")" || exit 1
folder=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")

# The folder gets its name only when it is complete.
if [ "$(cat "$folder/packages" 2> /dev/null)" = "$packages" ]; then exit 0; fi
if ! { command -v apt-get && command -v dpkg-deb; } > /dev/null 2>&1; then
    echo "sysroot: the libraries for AArch64 are taken from Debian's packages, which needs apt-get and dpkg-deb" >&2
    exit 1
fi

apt=$folder.apt
log=$apt/log
trap 'rm -rf "$apt" "$folder.new"' EXIT
trap 'exit 130' INT TERM
rm -rf "$folder" "$folder.new" "$apt"
mkdir -p "$folder.new" "$apt/lists/partial" "$apt/archives/partial" || exit 1
: > "$apt/status"
# Commands that this machine's apt runs after an update are meant for this machine only.
apt-config dump | grep -v -e '^APT::Architecture' -e 'Post-Invoke' -e '^CommandLine' > "$apt/apt.conf"
cat >> "$apt/apt.conf" << END
APT::Architecture "arm64";
APT::Architectures:: "arm64";
APT::Sandbox::User "root";
Acquire::Languages "none";
Dir::State "$apt";
Dir::State::lists "lists/";
Dir::State::status "$apt/status";
Dir::Cache "$apt";
Dir::Cache::archives "archives/";
Dir::Etc::main "/dev/null";
Dir::Etc::parts "/dev/null";
END
export APT_CONFIG="$apt/apt.conf"

echo "sysroot: getting the libraries for AArch64" >&2
# A source without packages for this architecture does no harm if another source has them.
apt-get -qq update > "$log" 2>&1 < /dev/null
# shellcheck disable=SC2086 # the packages are words of their own
apt-get -qq -y --download-only --no-install-recommends install $packages >> "$log" 2>&1 < /dev/null || {
    cat "$log" >&2
    echo "sysroot: apt could not get the arm64 packages of $packages" >&2
    echo "sysroot: it asks the sources that this machine is configured with; they must have arm64, and be within reach" >&2
    exit 1
}
for package in "$apt"/archives/*.deb; do
    dpkg-deb -x "$package" "$folder.new" || exit 1
done
# Absolute links mean the root of the other machine.
find "$folder.new" -type l -lname '/*' | while IFS= read -r link; do
    ln -sfn "$folder$(readlink "$link")" "$link" || exit 1
done || exit 1
echo "$packages" > "$folder.new/packages" && mv "$folder.new" "$folder"
