#!/bin/sh
# A server in the background, found by its file, and ended by its number.
set -eu
$IPERF -s -D -p "$PORT" -I "$PWD/server.pid" --logfile "$PWD/server.log"
tries=0
# The number ends in a 0 byte, or a new line.
until [ -s server.pid ]; do
    tries=$((tries + 1))
    [ $tries -lt 100 ] || exit 1
    sleep 0.1
done
server=$(tr -dc 0-9 <server.pid)
$IPERF -c 127.0.0.1 -p "$PORT" -n 100K | grep -c receiver
kill "$server"
while kill -0 "$server" 2>/dev/null; do
    tries=$((tries + 1))
    [ $tries -lt 200 ] || exit 1
    sleep 0.1
done
grep -c '127.0.0.1' server.log >/dev/null
echo ended
