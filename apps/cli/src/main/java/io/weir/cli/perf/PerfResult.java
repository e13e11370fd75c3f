package io.weir.cli.perf;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Everything that one test found.
 *
 * @param role which end prints this
 * @param peer the other's address
 * @param test what was asked for
 * @param client what the client saw, or null if a server does not know it
 * @param server what the server saw, or null if a client does not know it
 * @param intervals what this end saw, a moment after the other
 * @param kernel what the same test found over the kernel's TCP, or null where nobody asked
 * @param ended why the test ended before its end, or null; documents have it as their error
 */
record PerfResult(
        Role role,
        String peer,
        TestSpec test,
        SideReport client,
        SideReport server,
        List<Interval> intervals,
        @JsonInclude(JsonInclude.Include.NON_NULL) PerfResult kernel,
        @JsonIgnore String ended) {
    PerfResult {
        intervals = List.copyOf(intervals);
    }

    /** {@return the same with what the test found over the kernel's TCP} */
    PerfResult with(PerfResult overKernel) {
        return new PerfResult(
                role, peer, test, client, server, intervals, overKernel, ended == null ? overKernel.ended() : ended);
    }

    /** {@return what each end saw, as far as it is known; the client's first} */
    Stream<SideReport> sides() {
        return Stream.of(client, server).filter(Objects::nonNull);
    }

    /** {@return what this end saw} */
    SideReport local() {
        return role == Role.CLIENT ? client : server;
    }
}
