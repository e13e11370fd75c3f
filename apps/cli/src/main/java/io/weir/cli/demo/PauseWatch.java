package io.weir.cli.demo;

import io.weir.transport.runtime.CycleMonitor;
import io.weir.transport.runtime.PauseCounts;
import java.util.List;
import java.util.Map;

/** Watches loops from its creation on: the one place in which what a {@link CycleMonitor} counts becomes pauses. */
final class PauseWatch {
    private final List<Watched> hosts;
    private final Watched switches;
    private final long startNanos = System.nanoTime();

    /**
     * Starts to watch.
     *
     * @param hosts the loops of the hosts, by name
     * @param switches the loop of the switches
     */
    PauseWatch(Map<String, CycleMonitor> hosts, CycleMonitor switches) {
        this.hosts = hosts.entrySet().stream()
                .map(host -> new Watched(host.getKey(), host.getValue()))
                .toList();
        this.switches = new Watched("switches", switches);
    }

    /** {@return the pauses since the start} */
    DemoPauses pauses() {
        long nanos = System.nanoTime() - startNanos;
        return new DemoPauses(
                nanos, hosts.stream().map(host -> host.pauses(nanos)).toList(), switches.pauses(nanos));
    }

    /** A loop, and what it had counted at the start. */
    private static final class Watched {
        private final String loop;
        private final CycleMonitor monitor;
        private final PauseCounts before;

        Watched(String loop, CycleMonitor monitor) {
            this.loop = loop;
            this.monitor = monitor;
            before = monitor.pauses();
        }

        LoopPauses pauses(long nanos) {
            return LoopPauses.of(loop, monitor.pauses().since(before), nanos);
        }
    }
}
