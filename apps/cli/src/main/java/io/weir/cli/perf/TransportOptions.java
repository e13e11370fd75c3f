package io.weir.cli.perf;

import io.weir.cli.unit.Rates;
import io.weir.transport.node.ConfigException;
import io.weir.transport.protocol.expresspass.ExpressPassConfig;
import io.weir.transport.runtime.IdleMode;
import io.weir.transport.socket.TransportConfig;
import picocli.CommandLine.Option;

/** What moves the data, and how. */
final class TransportOptions {
    /** Named parameters of ExpressPass. */
    enum Preset {
        /** The default. */
        WEIR,
        /** The paper's. */
        PAPER,
        /** Its authors' simulator's. */
        AUTHORS,
        /** No feedback. */
        NAIVE
    }

    /** What a loop does when there is nothing to do. */
    enum Idle {
        /** Polls on: the lowest latency, a core for itself. */
        SPIN,
        /** Sleeps after a while. */
        BACKOFF
    }

    @Option(
            names = "--interface",
            paramLabel = "NAME",
            description = "The network interface to use; needed unless the backend is memory.")
    String interfaceName;

    @Option(
            names = "--backend",
            paramLabel = "NAME",
            defaultValue = "afxdp",
            description = {
                "What moves the frames: afxdp, or memory (both ends in this process). Default: ${DEFAULT-VALUE}.",
                "One that this build does not have is refused; nothing is used in its place."
            })
    String backend;

    @Option(
            names = "--protocol",
            paramLabel = "NAME",
            defaultValue = Endpoint.PROTOCOL,
            description = "The transport protocol. This build has: ${DEFAULT-VALUE}.")
    String protocol;

    @Option(
            names = "--preset",
            defaultValue = "weir",
            paramLabel = "NAME",
            description =
                    "Its parameters: weir, paper, authors or naive. Default: ${DEFAULT-VALUE}. Of data that this end receives.")
    Preset preset;

    @Option(
            names = "--rate",
            paramLabel = "RATE",
            converter = Rates.Converter.class,
            description =
                    "The link's rate, as in 1Gbps; by default what the device says, or 10 Gbps where it does not.")
    Long linkRateBps;

    @Option(
            names = "--idle",
            defaultValue = "backoff",
            paramLabel = "MODE",
            description =
                    "What the stack does when there is nothing to do: spin (lowest latency, a core for itself) or backoff. "
                            + "Default: ${DEFAULT-VALUE}.")
    Idle idle;

    TransportOptions() {}

    boolean isMemory() {
        return backend.equals(Endpoints.MEMORY);
    }

    /** {@return the configuration that the options say} */
    TransportConfig config() {
        Endpoints.requireBackend(backend);
        if (!protocol.equals(Endpoint.PROTOCOL)) {
            throw new ConfigException("--protocol " + protocol + " is not in this build, which has " + Endpoint.PROTOCOL
                    + "; nothing else is used in its place");
        }
        return TransportConfig.builder()
                .backend(isMemory() ? "" : backend)
                .idleMode(idle == Idle.SPIN ? IdleMode.BUSY_SPIN : IdleMode.BACK_OFF)
                .linkRateBps(linkRateBps == null ? 0 : linkRateBps)
                .expressPass(
                        switch (preset) {
                            case WEIR -> ExpressPassConfig.weir();
                            case PAPER -> ExpressPassConfig.paper();
                            case AUTHORS -> ExpressPassConfig.authors();
                            case NAIVE -> ExpressPassConfig.naive();
                        })
                .build();
    }
}
