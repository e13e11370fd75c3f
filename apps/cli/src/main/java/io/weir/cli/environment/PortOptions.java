package io.weir.cli.environment;

import io.weir.transport.runtime.PortConfig;
import io.weir.transport.runtime.XdpMode;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Option;

/** The frames, rings and queues of ports. What is left out is as properties say, or follows the interface. */
public final class PortOptions {
    /** Where the XDP program is to run. */
    enum Mode {
        AUTO(XdpMode.AUTO),
        NATIVE(XdpMode.NATIVE),
        ZERO_COPY(XdpMode.ZERO_COPY),
        GENERIC(XdpMode.GENERIC);

        private final XdpMode mode;

        Mode(XdpMode mode) {
            this.mode = mode;
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    @Option(
            names = "--frames",
            paramLabel = "N",
            description =
                    "Frames of the pool, 256 to 524288; of each loop's where there are several. Default: as many as"
                            + " queues and rings need, 8192 for one queue and at most 22528.")
    private int frameCount;

    @Option(
            names = "--ring",
            paramLabel = "N",
            description =
                    "Entries of each ring of each queue, a power of two of 64 to 32768. Default: 2048, and less with"
                            + " more than 4 queues. AF_XDP alone, as the next three.")
    private int ringFrames;

    @Option(
            names = "--queue",
            paramLabel = "LIST",
            description =
                    "Take these receive queues alone, as in 0,2-3; by default all. The kernel keeps what comes by others.")
    private String queues;

    @Option(
            names = "--xdp-mode",
            paramLabel = "MODE",
            defaultValue = "auto",
            description =
                    "Where the XDP program runs: native (in the driver), generic (behind it), or auto, which tries them"
                            + " in this order; zero-copy: native with zero-copy or not at all, also where that is known"
                            + " to do harm. Default: ${DEFAULT-VALUE}.")
    private Mode mode;

    @Option(
            names = "--copy",
            description = "Copy frames even where the driver could do without, for drivers whose zero-copy fails.")
    private boolean isCopying;

    /** For picocli. */
    public PortOptions() {}

    /** {@return the configuration that the options say, or else properties} */
    public PortConfig config() {
        return new PortConfig(
                        frameCount,
                        ringFrames,
                        queues == null ? List.of() : PortConfig.parseQueues(queues),
                        mode.mode,
                        isCopying)
                .orProperties(System::getProperty);
    }
}
