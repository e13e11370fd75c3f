#!/bin/sh
# A table of the intervals, by jq.
set -eu
$IPERF -c 127.0.0.1 -p "$PORT" -t 2 -J | jq -r '.intervals[].sum | [.start, .end, .bytes, .bits_per_second] | @csv'
