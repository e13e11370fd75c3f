#!/bin/sh
# Builds the shim for DPDK: native/dpdk/build.sh OUTPUT_FOLDER VERSION_FILE. Where DPDK's headers are missing, the DPDK port is left out.
# The file tells which DPDK the shim is for; the weir script builds again when another one is there.
set -eu

source_folder=$(cd "$(dirname "$0")" && pwd)
output=$1/libweir_dpdk.so
version_file=$2
left_out() {
    rm -f "$output" "$version_file"
    echo "The DPDK port is left out of this build: $1. To have it: apt-get install dpdk dpdk-dev gcc pkg-config"
    exit 0
}

command -v pkg-config > /dev/null || left_out "no pkg-config"
command -v gcc > /dev/null || left_out "no gcc"
pkg-config --exists libdpdk || left_out "no libdpdk (package dpdk-dev)"
version=$(pkg-config --modversion libdpdk)
if [ -f "$output" ] && [ "$(cat "$version_file" 2>/dev/null)" = "$version" ] && [ -z "$(find "$source_folder" -name '*.[ch]' -newer "$output")" ]; then
    exit 0
fi
mkdir -p "$1"
cd "$source_folder"
# shellcheck disable=SC2046
gcc -std=gnu11 -O3 -fPIC -shared -fvisibility=hidden -Wall -Wextra -Werror $(pkg-config --cflags libdpdk) \
    -o "$output" ./*.c -Wl,--as-needed $(pkg-config --libs libdpdk)
echo "$version" >"$version_file"
