package io.weir.nic.dpdk;

import java.net.InetAddress;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The Ethernet addresses of hosts on the link. Any thread looks and asks; the port's thread learns. Only those are
 * learned that somebody asked for, so that strangers cannot fill the table.
 */
final class NeighbourTable {
    /** Questions that wait for the port's thread; more are not kept, and are put again by those who wait. */
    private static final int QUESTIONS_MAX = 1024;

    private final Map<InetAddress, Long> fixed;
    private final Map<InetAddress, Long> learned = new ConcurrentHashMap<>();
    /** Those that somebody asked for. */
    private final Set<InetAddress> wanted = ConcurrentHashMap.newKeySet();
    /** What the port's thread is to ask the link. */
    private final Queue<InetAddress> questions = new ConcurrentLinkedQueue<>();
    /** Told of an address that moved, on the port's thread. */
    private volatile Runnable changeListener = () -> {};

    /** Knows these from the beginning, and nothing changes them. */
    NeighbourTable(Map<InetAddress, Long> fixed) {
        this.fixed = Map.copyOf(fixed);
    }

    void setChangeListener(Runnable listener) {
        changeListener = listener;
    }

    /** {@return the Ethernet address of a host, or null} */
    Long find(InetAddress address) {
        Long known = fixed.get(address);
        return known != null ? known : learned.get(address);
    }

    /** Has the link asked for a host's address. */
    void ask(InetAddress address) {
        wanted.add(address);
        if (questions.size() < QUESTIONS_MAX) {
            questions.add(address);
        }
    }

    /** {@return the next host to ask for, or null; the port's thread, cheap when there is none} */
    InetAddress pollQuestion() {
        return questions.poll();
    }

    /** A host says where it is. The port's thread. */
    void learn(InetAddress address, long macAddress) {
        if (!wanted.contains(address)) {
            return;
        }
        Long before = learned.put(address, macAddress);
        if (before != null && before != macAddress) {
            changeListener.run();
        }
    }
}
