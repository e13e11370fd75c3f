#!/bin/sh
# Builds the XDP objects from their sources: native/build.sh [output folder; default: next to the source].
# The compiler is pinned, because the built object is committed and a test compares it with a rebuild byte by byte.
set -eu

source_folder=$(cd "$(dirname "$0")" && pwd)/src/main/resources/io/weir/xdp
output_folder=$(cd "${1:-$source_folder}" && pwd)

for tool in clang-14 llvm-strip-14; do
    command -v "$tool" > /dev/null || {
        echo "$tool not found; install it with: apt-get install clang-14 llvm-14" >&2
        exit 3
    }
done

# Compiled from its own folder, so that no path of this machine gets into the object.
cd "$source_folder"
for name in weir_xdp weir_xdp_stamps; do
    clang-14 -target bpf -mcpu=v2 -std=c11 -O2 -ffreestanding -fno-addrsig -Wall -Wextra -Werror \
        -c "$name.bpf.c" -o "$output_folder/$name.bpf.o"
    llvm-strip-14 --strip-unneeded "$output_folder/$name.bpf.o"
done
