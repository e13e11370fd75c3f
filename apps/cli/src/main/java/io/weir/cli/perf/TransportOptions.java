package io.weir.cli.perf;

import io.weir.cli.environment.PortOptions;
import io.weir.cli.environment.SchedulingOptions;
import io.weir.cli.perf.carrier.KernelEndpoint;
import io.weir.cli.perf.carrier.KernelSettings;
import io.weir.cli.perf.carrier.WeirEndpoint;
import io.weir.cli.unit.Rates;
import io.weir.cli.unit.Sizes;
import io.weir.cli.yaml.Nearest;
import io.weir.nic.broker.BrokerBackend;
import io.weir.pacer.PauseBudget;
import io.weir.transport.host.ConnectionTimers;
import io.weir.transport.host.StreamLimits;
import io.weir.transport.node.ConfigException;
import io.weir.transport.protocol.ProtocolConfig;
import io.weir.transport.protocol.catalogue.Catalogue;
import io.weir.transport.runtime.PortConfig;
import io.weir.transport.socket.TransportConfig;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.Iterator;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What moves the data, and how. */
final class TransportOptions {
    /** The names of the protocols and presets that can run on real ports, for help and completion. */
    static final class Protocols implements Iterable<String> {
        Protocols() {}

        @Override
        public Iterator<String> iterator() {
            return Catalogue.names().stream()
                    .filter(name -> Catalogue.find(name)
                            .orElseThrow()
                            .realPortObstacle()
                            .isEmpty())
                    .iterator();
        }
    }

    @Option(
            names = "--interface",
            paramLabel = "NAME",
            description = {
                "The network interface, or a device description for dpdk.",
                "Default: of a client the one that the route to the server leaves by, of a server the only one there is."
            })
    String interfaceName;

    @Option(
            names = "--address",
            paramLabel = "ADDRESS",
            description =
                    "Another address of this host, in addition to the interface's, such as a virtual one. May be repeated.")
    List<InetAddress> addresses = List.of();

    @Option(
            names = "--backend",
            paramLabel = "NAME",
            defaultValue = "afxdp",
            description = {
                "What moves the frames: afxdp, af-packet (where AF_XDP does not work), dpdk (docs/DPDK.md), broker (a "
                        + "weir broker, without privileges), or memory (both ends in this process). "
                        + "Default: ${DEFAULT-VALUE}.",
                "A backend that this build does not have is refused, never replaced."
            })
    String backend;

    @Option(
            names = "--protocol",
            paramLabel = "NAME",
            defaultValue = "expresspass",
            description = {
                "The protocol of every connection of the test, or one of its presets: ${COMPLETION-CANDIDATES}. "
                        + "Default: ${DEFAULT-VALUE}.",
                "A preset sets what this end decides: with ExpressPass how data arrives, with reactive protocols how "
                        + "it leaves. A server speaks all of them, whatever this option is.",
                "kernel, at both ends: the kernel's TCP, without Weir and its privileges."
            },
            completionCandidates = Protocols.class)
    String protocol;

    @Option(
            names = {"-A", "--affinity"},
            paramLabel = "CPU",
            description = "Run the loop on this CPU alone; the same as --cpu.")
    String affinity;

    @Option(
            names = {"-M", "--set-mss"},
            paramLabel = "BYTES",
            description = "The most payload of a data frame, in both directions. Default: what the MTU lets through.")
    int segmentBytesMax;

    @Option(
            names = {"-L", "--flowlabel"},
            paramLabel = "N",
            description =
                    "The flow label of this end's frames over IPv6, 1 to 1048575, by which switches may choose ways.")
    int flowLabel;

    @Option(
            names = "--link-rate",
            paramLabel = "RATE",
            converter = Rates.Converter.class,
            description =
                    "The link's rate, as in 1Gbps; by default the device's, 40 Gbps on a veth, or 10 Gbps if unknown.")
    Long linkRateBps;

    @Option(
            names = "--idle",
            defaultValue = "backoff",
            paramLabel = "MODE",
            description =
                    "What the stack does when there is nothing to do: spin (lowest latency, a core for itself) or backoff. "
                            + "Default: ${DEFAULT-VALUE}.")
    SchedulingOptions.Idle idle;

    @Option(
            names = "--pause-budget",
            paramLabel = "SIZE",
            converter = Sizes.Converter.class,
            description = {
                "How many bytes this end may catch up after its loop was off its core, which adds them to queues on the path. "
                        + "Default: what fits a port buffer of 375 KiB (docs/CONFIGURATION.md).",
                "With 0 it catches up nothing, and queues keep their strict bound."
            })
    Long pauseBudgetBytes;

    @Option(
            names = "--credit-frames",
            paramLabel = "N",
            description = {
                "How many frames one credit may grant, 1 to 64, where no switch on the path says that it meters credits. "
                        + "Default: ${DEFAULT-VALUE}.",
                "Use 1 if meters of other vendors are on the path."
            },
            defaultValue = "" + TransportConfig.CREDIT_FRAMES_MAX_DEFAULT)
    int creditFramesMax;

    @Option(
            names = "--udp-checksums",
            description =
                    "Give each frame a UDP checksum. Otherwise data frames over IPv4, which have a CRC32C, have none "
                            + "on interfaces without a wire: veth, memory, net_memif.")
    boolean udpChecksums;

    @Option(
            names = "--queues",
            paramLabel = "N",
            description = {
                "How many loops share the interface, each with its part of the queues and of the "
                        + "streams. Default: ${DEFAULT-VALUE}.",
                "More than 1 needs an interface with as many queues (ethtool -L NAME combined N), a DPDK device "
                        + "(docs/DPDK.md), or the backend memory."
            },
            defaultValue = "1")
    int queueCount;

    @Mixin
    PortOptions port;

    @Mixin
    SchedulingOptions scheduling;

    TransportOptions() {}

    boolean isMemory() {
        return backend.equals(WeirEndpoint.MEMORY);
    }

    boolean isKernel() {
        return protocol.equals(KernelEndpoint.PROTOCOL);
    }

    /** {@return how connections of the kernel's are to be} */
    KernelSettings kernelSettings(InetAddress address, TestDetails details) {
        if (affinity != null || scheduling.hasCpus()) {
            throw new ConfigException("-A and --cpu place Weir's loop; with the protocol kernel use taskset(1)");
        }
        requireNone("-M", segmentBytesMax, "ip route change NET dev NAME advmss N");
        requireNone("-L", flowLabel, "sysctl net.ipv6.auto_flowlabels");
        return new KernelSettings(
                address,
                details.windowBytes(),
                details.trafficClass(),
                linkRateBps == null ? 0 : linkRateBps,
                idle == SchedulingOptions.Idle.SPIN);
    }

    private static void requireNone(String option, int value, String kernels) {
        if (value != 0) {
            throw new ConfigException(
                    option + " is for Weir's frames; the kernel's have what is set by " + kernels + "; leave it out");
        }
    }

    /** Refuses what the kernel's connections to the server would not have, and IPv4 has not. */
    void requireFor(InetAddress server, boolean isComparing) {
        if (isComparing && (segmentBytesMax != 0 || flowLabel != 0)) {
            throw new ConfigException((segmentBytesMax != 0 ? "-M" : "-L")
                    + " is for Weir's frames alone, and --compare is for the same at both; leave one out");
        }
        if (flowLabel != 0 && server instanceof Inet4Address) {
            throw new ConfigException("-L " + flowLabel + ": " + server.getHostAddress()
                    + " is an IPv4 address, and IPv4 has no flow label; give an IPv6 address, or leave it out");
        }
    }

    /** {@return whether another process of this host may use the interface at the same time} */
    boolean mayShareInterface() {
        return backend.equals(BrokerBackend.NAME);
    }

    /**
     * {@return the configuration that the options say}
     *
     * @param timers when connections give up waiting
     * @param isReopening whether the interface is opened again when it was gone and has returned
     * @param windowBytes the buffers of each direction of a connection, or 0 for those that grow
     */
    TransportConfig config(ConnectionTimers timers, boolean isReopening, int windowBytes) {
        WeirEndpoint.requireBackend(backend);
        return TransportConfig.builder()
                .backend(isMemory() ? "" : backend)
                .idleMode(idle.mode())
                .addresses(addresses)
                .linkRateBps(linkRateBps == null ? 0 : linkRateBps)
                .prefer(preferred())
                .pauses(
                        pauseBudgetBytes == null
                                ? PauseBudget.DEFAULT
                                : PauseBudget.DEFAULT.withBytes(pauseBudgetBytes))
                .creditFramesMax(creditFramesMax)
                .udpChecksums(udpChecksums)
                .queueCount(queueCount)
                .segmentBytesMax(segmentBytesMax)
                .flowLabel(flowLabel)
                .port(portConfig())
                .scheduling(scheduling.config(affinity))
                .streams(
                        windowBytes == 0
                                ? StreamLimits.GROWING
                                : StreamLimits.fixed(windowBytes, windowBytes)
                                        .withGapsMax(StreamLimits.GROWING.gapsMax()))
                .timers(timers)
                .reopen(isReopening)
                .build();
    }

    private PortConfig portConfig() {
        PortConfig config = port.config();
        if (isMemory()) {
            config.requireNoXdp(WeirEndpoint.MEMORY);
        }
        return config;
    }

    private ProtocolConfig preferred() {
        return Catalogue.find(protocol)
                .orElseThrow(() -> new ConfigException("--protocol " + protocol + " is not in this build, which has "
                        + String.join(", ", Catalogue.names())
                        + Nearest.to(protocol, Catalogue.names())
                                .map(near -> "; did you mean " + near + "?")
                                .orElse("; nothing else is used in its place")));
    }
}
