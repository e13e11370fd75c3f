#!/bin/sh
# Many tests, one after the other.
set -eu
run=0
while [ $run -lt "$RUNS" ]; do
    $IPERF -c 127.0.0.1 -p "$PORT" -n 100K -J | jq -e '.error == null and .end.sum_received.bytes >= 102400' >/dev/null
    run=$((run + 1))
done
echo "$run runs"
