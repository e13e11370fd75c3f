package io.weir.cli.perf;

import java.util.List;

/**
 * Everything that one test found.
 *
 * @param role which end prints this
 * @param peer the other's address
 * @param test what was asked for
 * @param client what the client saw
 * @param server what the server saw
 * @param intervals what this end saw, a moment after the other
 */
record PerfResult(
        Role role, String peer, TestSpec test, SideReport client, SideReport server, List<Interval> intervals) {
    PerfResult {
        intervals = List.copyOf(intervals);
    }

    /** {@return what this end saw} */
    SideReport local() {
        return role == Role.CLIENT ? client : server;
    }
}
