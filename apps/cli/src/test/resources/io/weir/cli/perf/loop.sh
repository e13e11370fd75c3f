#!/bin/sh
# Many tests, one after the other. A server that says that it is busy, as iperf3's does now and then, is asked again.
set -eu
run=0
again=0
while [ $run -lt "$RUNS" ]; do
    if $IPERF -c 127.0.0.1 -p "$PORT" -n 100K -J >result.json; then
        jq -e '.error == null and .end.sum_sent.bytes >= 102400' result.json >/dev/null
        run=$((run + 1))
    else
        jq -r .error result.json >&2
        again=$((again + 1))
        [ $again -lt "$RUNS" ]
        sleep 0.2
    fi
done
echo "$run runs"
