#!/bin/sh
# Builds the shim for DPDK: native/dpdk/build.sh OUTPUT_FOLDER. Where DPDK's headers are missing, the DPDK port is left out.
set -eu

source_folder=$(cd "$(dirname "$0")" && pwd)
output=$1/libweir_dpdk.so
left_out() {
    rm -f "$output"
    echo "The DPDK port is left out of this build: $1. To have it: apt-get install dpdk dpdk-dev gcc pkg-config"
    exit 0
}

command -v pkg-config > /dev/null || left_out "no pkg-config"
command -v gcc > /dev/null || left_out "no gcc"
pkg-config --exists libdpdk || left_out "no libdpdk (package dpdk-dev)"
if [ -f "$output" ] && [ -z "$(find "$source_folder" -name '*.[ch]' -newer "$output")" ]; then
    exit 0
fi
mkdir -p "$1"
cd "$source_folder"
# shellcheck disable=SC2046
gcc -std=gnu11 -O3 -fPIC -shared -fvisibility=hidden -Wall -Wextra -Werror $(pkg-config --cflags libdpdk) \
    -o "$output" ./*.c -Wl,--as-needed $(pkg-config --libs libdpdk)
