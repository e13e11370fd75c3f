package io.weir.nic.xdp;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The XDP programs that this process keeps on interfaces for host ports, by the kernel's numbers: what tells a second
 * transport that the first one of the same process has the interface. They leave all frames but their own to the
 * kernel; a switch's program, which is not here, leaves none. Any thread.
 */
final class HostPrograms {
    private static final Set<Integer> IDS = ConcurrentHashMap.newKeySet();

    private HostPrograms() {}

    static void add(int programId) {
        IDS.add(programId);
    }

    static void remove(int programId) {
        IDS.remove(programId);
    }

    /** {@return whether a host port of this process has the program} */
    static boolean has(int programId) {
        return IDS.contains(programId);
    }
}
