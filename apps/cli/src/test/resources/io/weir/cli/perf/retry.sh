#!/bin/sh
# Tries until the server is there, which it is after the first failure.
set -eu
tries=0
until $IPERF -c 127.0.0.1 -p "$PORT" -n 100K >out.txt 2>err.txt; do
    tries=$((tries + 1))
    [ $tries -lt 100 ] || { cat err.txt; exit 1; }
    if [ $tries = 1 ]; then
        $IPERF -s -1 -p "$PORT" >server.txt 2>&1 &
    fi
    sleep 0.2
done
wait
[ $tries -gt 0 ]
echo "done after failures"
