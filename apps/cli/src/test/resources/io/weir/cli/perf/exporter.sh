#!/bin/sh
# What an exporter for Prometheus reads of a result: a missing field ends it.
set -eu
$IPERF -J -t 1 -c 127.0.0.1 -p "$PORT" -R >result.json
jq -e -r '
  def need(p): getpath(p) as $v | if $v == null then error("no field " + (p | join("."))) else $v end;
  "iperf3_sent_seconds \(need(["end", "sum_sent", "seconds"]))",
  "iperf3_sent_bytes \(need(["end", "sum_sent", "bytes"]))",
  "iperf3_received_seconds \(need(["end", "sum_received", "seconds"]))",
  "iperf3_received_bytes \(need(["end", "sum_received", "bytes"]))",
  "iperf3_retransmits \(need(["end", "sum_sent", "retransmits"]))",
  "iperf3_cpu_host \(need(["end", "cpu_utilization_percent", "host_total"]))",
  "iperf3_cpu_remote \(need(["end", "cpu_utilization_percent", "remote_total"]))"
' result.json
