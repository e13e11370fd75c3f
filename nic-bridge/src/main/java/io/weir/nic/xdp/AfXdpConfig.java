package io.weir.nic.xdp;

import io.weir.nic.net.InterfaceFacts;
import io.weir.nic.net.Interfaces;
import io.weir.nic.net.LocalAddress;
import io.weir.transport.node.ConfigException;
import io.weir.transport.runtime.PortConfig;
import io.weir.transport.runtime.XdpMode;
import java.net.InetAddress;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * How to open an AF_XDP port. Made with {@link #host} or {@link #switchPort}; whatever needs no kernel to be judged is
 * checked here.
 *
 * @param interfaceName the interface
 * @param namespace the network namespace that it is in, as {@code ip netns} names it, or null for the process's own
 * @param queues the receive queues to take, empty for all of the interface's; transmission uses the first
 * @param ringSizes the rings of each queue, or null for as large as the queues and the pool allow
 * @param mode where in the kernel the XDP program is to run
 * @param program which frames the port takes
 * @param udpPorts the UDP ports that a host port takes from the beginning
 * @param addresses addresses that a host port takes datagrams for next to the interface's own, such as virtual ones
 * @param forceCopy whether frames are copied even where the driver could do without, for drivers whose zero-copy fails
 * @param needWakeup whether the kernel may sleep and ask to be woken up; saves system calls, never costs one
 * @param busyPoll whether polling runs the device's receive work
 * @param transmitBudgetFrames how many frames one system call may transmit, where the kernel (6.17 and newer) lets that
 *     be chosen; older ones take 32
 * @param stamps who is to stamp frames with times
 */
public record AfXdpConfig(
        String interfaceName,
        String namespace,
        List<Integer> queues,
        RingSizes ringSizes,
        XdpMode mode,
        ProgramKind program,
        List<Integer> udpPorts,
        List<InetAddress> addresses,
        boolean forceCopy,
        boolean needWakeup,
        BusyPoll busyPoll,
        int transmitBudgetFrames,
        StampMode stamps) {

    /** The most that a UDP port can be. */
    public static final int UDP_PORT_MAX = 65_535;

    private static final int TRANSMIT_BUDGET_FRAMES_MIN = 32;

    public AfXdpConfig {
        Objects.requireNonNull(interfaceName, "interfaceName");
        Objects.requireNonNull(mode, "mode");
        Objects.requireNonNull(program, "program");
        Objects.requireNonNull(busyPoll, "busyPoll");
        Objects.requireNonNull(stamps, "stamps");
        require(
                mode != XdpMode.ZERO_COPY || !forceCopy,
                "mode=ZERO_COPY and forceCopy=true exclude each other; leave one out");
        queues = List.copyOf(queues);
        udpPorts = List.copyOf(udpPorts);
        addresses = List.copyOf(addresses);
        requireName(interfaceName);
        for (int queue : queues) {
            require(queue >= 0, "queues contain " + queue + "; they are numbered from 0");
        }
        require(queues.stream().distinct().count() == queues.size(), "queues=" + queues + " name one twice");
        require(
                program == ProgramKind.HOST || udpPorts.isEmpty(),
                "udpPorts=" + udpPorts + " make no sense for a switch port, which takes every frame; leave them out");
        udpPorts.forEach(AfXdpConfig::requireUdpPort);
        require(
                program == ProgramKind.HOST || addresses.isEmpty(),
                "addresses=" + addresses + " make no sense for a switch port, which takes every frame; leave them out");
        addresses.forEach(AfXdpConfig::requireUnicast);
        int budgetMax = (ringSizes == null ? RingSizes.DEFAULT : ringSizes).transmitFrames();
        require(
                transmitBudgetFrames >= TRANSMIT_BUDGET_FRAMES_MIN && transmitBudgetFrames <= budgetMax,
                "transmitBudgetFrames=" + transmitBudgetFrames + " must be " + TRANSMIT_BUDGET_FRAMES_MIN
                        + "..ringSizes.transmitFrames=" + budgetMax);
    }

    /** {@return the beginning of a configuration for a host: takes chosen UDP ports, leaves the rest to the kernel} */
    public static Builder host(String interfaceName) {
        return new Builder(interfaceName, ProgramKind.HOST);
    }

    /** {@return the beginning of a configuration for a port of a software switch: takes every frame} */
    public static Builder switchPort(String interfaceName) {
        return new Builder(interfaceName, ProgramKind.SWITCH);
    }

    static void requireUdpPort(int port) {
        if (port < 1 || port > UDP_PORT_MAX) {
            throw new ConfigException("UDP port " + port + " must be 1.." + UDP_PORT_MAX);
        }
    }

    private static void requireUnicast(InetAddress address) {
        require(
                !address.isAnyLocalAddress() && !address.isMulticastAddress() && !address.isLoopbackAddress(),
                "addresses contain " + address.getHostAddress() + ", which is not the address of one host");
    }

    /** {@return what a host port takes datagrams for: the interface's own addresses and the further ones} */
    List<InetAddress> addressesOn(InterfaceFacts device) {
        return Stream.concat(device.addresses().stream().map(LocalAddress::address), addresses.stream())
                .distinct()
                .collect(Collectors.toList());
    }

    /** {@return the rings of each of so many queues, where the pool is large enough} */
    public RingSizes ringSizesFor(int queueCount) {
        return ringSizes == null ? FramePlan.ofQueues(queueCount) : ringSizes;
    }

    /** {@return this, with what was chosen in place of what it has} */
    public AfXdpConfig with(PortConfig chosen) {
        Builder builder = toBuilder();
        builder.mode = chosen.xdpMode() == XdpMode.AUTO ? mode : chosen.xdpMode();
        builder.forceCopy = forceCopy || chosen.forceCopy();
        if (!chosen.queues().isEmpty()) {
            builder.queues = chosen.queues();
        }
        if (chosen.ringFrames() != 0) {
            builder.ringSizes = RingSizes.ofAll(chosen.ringFrames());
            builder.transmitBudgetFrames = Math.min(transmitBudgetFrames, chosen.ringFrames());
        }
        return builder.build();
    }

    /** {@return this with rings of these sizes} */
    AfXdpConfig withRingSizes(RingSizes sizes) {
        Builder builder = toBuilder();
        builder.ringSizes = sizes;
        builder.transmitBudgetFrames = Math.min(transmitBudgetFrames, sizes.transmitFrames());
        return builder.build();
    }

    /** {@return this with frames copied} */
    AfXdpConfig copying() {
        Builder builder = toBuilder();
        builder.mode = mode == XdpMode.ZERO_COPY ? XdpMode.NATIVE : mode;
        builder.forceCopy = true;
        return builder.build();
    }

    private Builder toBuilder() {
        Builder builder = new Builder(interfaceName, program);
        builder.namespace = namespace;
        builder.queues = queues;
        builder.ringSizes = ringSizes;
        builder.mode = mode;
        builder.udpPorts = udpPorts;
        builder.addresses = addresses;
        builder.forceCopy = forceCopy;
        builder.needWakeup = needWakeup;
        builder.busyPoll = busyPoll;
        builder.transmitBudgetFrames = transmitBudgetFrames;
        builder.stamps = stamps;
        return builder;
    }

    private static void requireName(String name) {
        boolean valid = !name.isEmpty()
                && name.length() <= Interfaces.NAME_BYTES_MAX
                && name.chars().allMatch(c -> c > ' ' && c < 127 && c != '/');
        require(
                valid,
                "interfaceName=\"" + name + "\" must have 1.." + Interfaces.NAME_BYTES_MAX
                        + " printable characters without space or slash");
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new ConfigException(message);
        }
    }

    /** Collects what differs from the defaults. */
    public static final class Builder {
        private static final int TRANSMIT_BUDGET_FRAMES = 256;

        private final String interfaceName;
        private final ProgramKind program;
        private String namespace;
        private List<Integer> queues = List.of();
        private RingSizes ringSizes;
        private XdpMode mode = XdpMode.AUTO;
        private List<Integer> udpPorts = List.of();
        private List<InetAddress> addresses = List.of();
        private boolean forceCopy;
        private boolean needWakeup = true;
        private BusyPoll busyPoll = BusyPoll.DEFAULT;
        private int transmitBudgetFrames;
        private StampMode stamps = StampMode.AUTO;

        private Builder(String interfaceName, ProgramKind program) {
            this.interfaceName = interfaceName;
            this.program = program;
        }

        /** The network namespace that the interface is in; null, the default, for the process's own. */
        public Builder namespace(String name) {
            namespace = name;
            return this;
        }

        /** The receive queues to take; by default all. */
        public Builder queues(int... indices) {
            queues = IntStream.of(indices).boxed().collect(Collectors.toList());
            return this;
        }

        /** The rings of each queue; by default, or null, as large as the queues and the pool allow. */
        public Builder ringSizes(RingSizes sizes) {
            ringSizes = sizes;
            return this;
        }

        /** Where in the kernel the XDP program is to run; by default {@link XdpMode#AUTO}. */
        public Builder mode(XdpMode value) {
            mode = value;
            return this;
        }

        /** The UDP ports that a host port takes from the beginning; by default none. */
        public Builder udpPorts(int... ports) {
            udpPorts = IntStream.of(ports).boxed().collect(Collectors.toList());
            return this;
        }

        /** Addresses that a host port takes datagrams for next to the interface's own; by default none. */
        public Builder addresses(List<InetAddress> further) {
            addresses = further;
            return this;
        }

        /** Whether frames are copied even where the driver could do without; by default not. */
        public Builder forceCopy(boolean value) {
            forceCopy = value;
            return this;
        }

        /** Whether the kernel may sleep and ask to be woken up; by default yes. */
        public Builder needWakeup(boolean value) {
            needWakeup = value;
            return this;
        }

        /** Whether polling runs the device's receive work; by default {@link BusyPoll#DEFAULT}. */
        public Builder busyPoll(BusyPoll value) {
            busyPoll = value;
            return this;
        }

        /** How many frames one system call may transmit; by default 256, or the transmit ring if that is smaller. */
        public Builder transmitBudgetFrames(int frames) {
            transmitBudgetFrames = frames;
            return this;
        }

        /** Who is to stamp frames with times; by default {@link StampMode#AUTO}. */
        public Builder stamps(StampMode value) {
            stamps = value;
            return this;
        }

        /** {@return the configuration, checked} */
        public AfXdpConfig build() {
            int budget = transmitBudgetFrames != 0
                    ? transmitBudgetFrames
                    : Math.min(
                            TRANSMIT_BUDGET_FRAMES, ringSizes == null ? Integer.MAX_VALUE : ringSizes.transmitFrames());
            return new AfXdpConfig(
                    interfaceName,
                    namespace,
                    queues,
                    ringSizes,
                    mode,
                    program,
                    udpPorts,
                    addresses,
                    forceCopy,
                    needWakeup,
                    busyPoll,
                    budget,
                    stamps);
        }
    }
}
