# Runs in the emulated machine. Each line of /job/links is a link to try: its name, the byte of its Ethernet addresses
# (or "veth"), and how many queues its devices are to use (or 0 for as many as they begin with).
set -u
arguments=
number=0
while read -r name place queues; do
    for side in 1 2; do
        namespace=weir-$number-$side
        ip netns add "$namespace"
        ip netns exec "$namespace" sysctl -qw net.ipv6.conf.default.disable_ipv6=1
        ip -n "$namespace" link set lo up
    done
    if [ "$place" = veth ]; then
        ip link add weir0 netns "weir-$number-1" type veth peer name weir0 netns "weir-$number-2"
    else
        for side in 1 2; do
            device=$(grep -l "52:54:00:00:$place:0$side" /sys/class/net/*/address | head -n 1 | cut -d/ -f5)
            [ -n "$device" ] || { echo "no device for $name"; continue; }
            ip link set "$device" netns "weir-$number-$side" name weir0
            [ "$queues" = 0 ] || ip netns exec "weir-$number-$side" ethtool -L weir0 combined "$queues"
        done
    fi
    for side in 1 2; do
        ip -n "weir-$number-$side" address add "10.91.$number.$side/24" dev weir0
        ip -n "weir-$number-$side" link set weir0 up
    done
    arguments="$arguments $name,weir-$number-1,10.91.$number.1,weir-$number-2,10.91.$number.2"
    number=$((number + 1))
done </job/links
# shellcheck disable=SC2086
java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC --add-opens java.base/jdk.internal.misc=ALL-UNNAMED \
    -cp "$(cat /job/class-path)" io.weir.nic.platform.PlatformTrial $arguments
status=$?
programs=$(bpftool prog show 2>/dev/null | grep -c ': xdp ')
echo "programs left: $programs"
[ "$programs" = 0 ] || status=70
dmesg --level emerg,alert,crit,err | head -n 20
exit $status
