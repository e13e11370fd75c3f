package io.weir.nic.platform;

import io.weir.nic.testing.ChildJvm;
import io.weir.nic.testing.Deadline;
import io.weir.nic.testing.ProcessLedger;
import io.weir.transport.node.PortInfo;
import io.weir.transport.runtime.Backend;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Tries every link of a machine, by AF_XDP and by AF_PACKET, and prints what it found: the rung and its reason, single
 * frames, transfers, the kernel next to it, changes of the interface, and whether anything is left. What another
 * process had is free after {@code kill -9}.
 */
public final class PlatformTrial {
    private static final String KILL = "kill";
    private static final List<String> OTHER_STAGES =
            List.of("open", "frames", "short frames", "transfer", "ping", "TCP", "link", "MTU", "left");

    private final TrialReport report;

    private PlatformTrial(TrialReport report) {
        this.report = report;
    }

    /** {@return the stages by this way, in their order; a program that a killed process leaves is AF_XDP's alone} */
    static List<String> stages(TrialWay way) {
        return Stream.concat(way == TrialWay.AF_XDP ? Stream.of(KILL) : Stream.empty(), OTHER_STAGES.stream())
                .toList();
    }

    /**
     * Runs the trial.
     *
     * @param arguments the links, as {@link TrialLink#parse} takes them
     */
    public static void main(String[] arguments) throws Exception {
        List<TrialLink> links = Stream.of(arguments).map(TrialLink::parse).toList();
        PlatformTrial trial = new PlatformTrial(new TrialReport(System.out));
        trial.kill(links, arguments);
        for (TrialLink link : links) {
            for (TrialWay way : TrialWay.values()) {
                trial.tryLink(link, way);
            }
        }
    }

    /** Lets another process open every link, kills it, and waits until the interfaces are free. */
    private void kill(List<TrialLink> links, String[] arguments) throws Exception {
        try (ChildJvm holder = ChildJvm.start(List.of(), TrialHolder.class, arguments)) {
            String line = holder.awaitLine(TrialHolder.HOLDING);
            Set<TrialLink> held = new HashSet<>();
            for (TrialLink link : links) {
                if (link.b().facts().xdpProgramId() != 0) {
                    held.add(link);
                }
            }
            holder.kill();
            for (TrialLink link : links) {
                report.run(link, TrialWay.AF_XDP, KILL, () -> awaitFree(link, held.contains(link), line));
            }
        }
    }

    private static String awaitFree(TrialLink link, boolean wasHeld, String line) throws Exception {
        if (!wasHeld) {
            throw new IOException("the process to kill had no program on it: " + line);
        }
        Deadline.await("an interface without a program", () -> link.b().facts().xdpProgramId() == 0);
        return "the program of a killed process is gone";
    }

    private void tryLink(TrialLink link, TrialWay way) throws IOException {
        ProcessLedger before = ProcessLedger.now();
        if (tryFrames(link, way)) {
            trySockets(link, way);
        }
        report.run(link, way, "left", () -> {
            before.requireNothingLeft();
            for (TrialEnd end : List.of(link.a(), link.b())) {
                if (end.facts().xdpProgramId() != 0) {
                    throw new IOException("a program is left on the interface of " + end.address());
                }
            }
            return "nothing";
        });
    }

    private boolean tryFrames(TrialLink link, TrialWay way) {
        Backend.Opened[] opened = new Backend.Opened[2];
        try {
            boolean isOpen = report.run(link, way, "open", () -> {
                opened[0] = way.open(link.a());
                opened[1] = way.open(link.b());
                PortInfo info = opened[0].netInterface().port().info();
                return info.mode() + ": " + info.modeReason();
            });
            return isOpen && tryFrames(link, way, opened);
        } finally {
            Stream.of(opened)
                    .filter(end -> end != null)
                    .forEach(end -> end.netInterface().port().close());
        }
    }

    private boolean tryFrames(TrialLink link, TrialWay way, Backend.Opened[] opened) {
        try (TrialFrames frames = new TrialFrames(link, opened[0], opened[1])) {
            return report.run(link, way, "frames", frames::everyLength)
                    && report.run(link, way, "short frames", frames::shortFrames);
        }
    }

    private void trySockets(TrialLink link, TrialWay way) throws IOException {
        try (TrialSockets sockets = new TrialSockets(link, way.open(link.a()), way.open(link.b()))) {
            boolean goesOn = report.run(link, way, "transfer", sockets::transfer)
                    && report.run(link, way, "ping", sockets::ping)
                    && report.run(link, way, "TCP", sockets::kernelTcp)
                    && report.run(link, way, "link", sockets::linkDownAndUp)
                    && report.run(link, way, "MTU", sockets::mtuLoweredAndRaised);
            if (!goesOn) {
                System.err.println(link.name() + ": the stages behind the one that failed are left out");
            }
        }
    }
}
