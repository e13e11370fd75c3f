package io.weir.transport.switching;

import org.agrona.collections.Long2ObjectHashMap;

/**
 * Which ports lead to an Ethernet address: entries that were configured, and entries learned from the frames that came.
 * Learned entries are bounded: a table that is full learns no more, and the switch floods.
 */
final class ForwardingTable {
    private static final int LEARNED_MAX = 65_536;

    private final Long2ObjectHashMap<Paths> fixed = new Long2ObjectHashMap<>();
    private final Long2ObjectHashMap<Paths> learned = new Long2ObjectHashMap<>();
    private final Paths[] single;

    ForwardingTable(int portCount) {
        single = new Paths[portCount];
        for (int i = 0; i < portCount; i++) {
            single[i] = new Paths(0, i);
        }
    }

    /** Says that {@code paths}, in an order that is the same at all switches, lead to {@code mac}. */
    void addFixed(long mac, Paths paths) {
        fixed.put(mac, paths);
    }

    /** Notes that {@code mac} is behind {@code portIndex}. */
    void learn(long mac, int portIndex) {
        Paths known = learned.get(mac);
        if (known == null ? learned.size() >= LEARNED_MAX : known.port(0) == portIndex) {
            return;
        }
        if (!fixed.containsKey(mac)) {
            learned.put(mac, single[portIndex]);
        }
    }

    /**
     * {@return a table for other ports, without fixed entries, that knows what was learned}
     *
     * @param newIndexes what number each port has there, or -1 for those that are gone
     */
    ForwardingTable withPorts(int portCount, int[] newIndexes) {
        ForwardingTable next = new ForwardingTable(portCount);
        learned.forEachLong((mac, paths) -> {
            int newIndex = newIndexes[paths.port(0)];
            if (newIndex >= 0) {
                next.learn(mac, newIndex);
            }
        });
        return next;
    }

    /** {@return the ports that lead to {@code mac}, or null when that is not known} */
    Paths pathsTo(long mac) {
        Paths paths = fixed.get(mac);
        return paths != null ? paths : learned.get(mac);
    }
}
