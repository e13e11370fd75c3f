package io.weir.transport.switching;

import org.agrona.collections.Long2LongHashMap;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * Which ports lead to an Ethernet address: entries that were configured, and entries learned from the frames that came.
 * Learned entries are bounded: a table that is full learns no more, and the switch floods.
 */
final class ForwardingTable {
    private static final int LEARNED_MAX = 65_536;

    private final Long2ObjectHashMap<int[]> fixed = new Long2ObjectHashMap<>();
    private final Long2ObjectHashMap<int[]> learned = new Long2ObjectHashMap<>();
    private final Long2LongHashMap layers = new Long2LongHashMap(0);
    private final int[][] single;

    ForwardingTable(int portCount) {
        single = new int[portCount][];
        for (int i = 0; i < portCount; i++) {
            single[i] = new int[] {i};
        }
    }

    /** Says that {@code ports}, in an order that is the same at all switches, lead to {@code mac}. */
    void addFixed(long mac, int... ports) {
        fixed.put(mac, ports.clone());
    }

    /** Says which layer the links of the ports to {@code mac} belong to; 0 unless it is said. */
    void setLayer(long mac, int layer) {
        layers.put(mac, layer);
    }

    /** {@return the layer of the links of the ports to {@code mac}} */
    int layerOf(long mac) {
        return (int) layers.get(mac);
    }

    /** Notes that {@code mac} is behind {@code portIndex}. */
    void learn(long mac, int portIndex) {
        int[] known = learned.get(mac);
        if (known == null ? learned.size() >= LEARNED_MAX : known[0] == portIndex) {
            return;
        }
        if (!fixed.containsKey(mac)) {
            learned.put(mac, single[portIndex]);
        }
    }

    /** {@return the ports that lead to {@code mac}, or null when that is not known} */
    int[] portsTo(long mac) {
        int[] ports = fixed.get(mac);
        return ports != null ? ports : learned.get(mac);
    }
}
