package io.weir.bench.compare;

import io.weir.bench.compare.end.Carrier;
import io.weir.bench.compare.end.SchedulingChoice;
import io.weir.bench.compare.end.Task;
import io.weir.transport.protocol.ProtocolConfig;
import io.weir.transport.protocol.catalogue.Catalogue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One of those that are compared.
 *
 * @param name what the command line calls it
 * @param label what reports call it
 * @param carrier what carries its bytes
 * @param link the link that it uses
 * @param protocol Weir's protocol, or empty
 * @param agent what the agent of its processes does, if they have one
 * @param scheduling what Weir's loops ask the machine's scheduler for
 */
record Rival(
        String name,
        String label,
        Carrier carrier,
        LinkKind link,
        String protocol,
        Agent agent,
        SchedulingChoice scheduling) {
    /** What {@code weir-agent.jar} does with the connections of a program that knows nothing of Weir. */
    enum Agent {
        /** There is none. */
        NONE,
        /** All go over Weir. */
        WEIR,
        /** All go to the kernel. */
        KERNEL,
        /** The client prefers Weir, and the server has no agent. */
        PREFERRING
    }

    /** What the kernel does on a link that carries an XDP program, as Weir's does: the usual base of ratios. */
    static final String KERNEL_BASE = "tcp-xdp";

    /** Netty over the kernel's TCP, and over Weir; gRPC over either. */
    static final String NETTY = "netty";

    static final String WEIR_NETTY = "weir-netty";
    static final String GRPC = "grpc";
    static final String WEIR_GRPC = "weir-grpc";

    private static final char SCHEDULING_MARK = '@';
    private static final String WEIR = "weir-";
    private static final String EVERY_PROTOCOL = "weir";

    /** Creates one whose loops, if it has any, ask for what is usual. */
    Rival(String name, String label, Carrier carrier, LinkKind link, String protocol) {
        this(name, label, carrier, link, protocol, Agent.NONE, SchedulingChoice.SLICES);
    }

    private Rival with(Agent newAgent) {
        return new Rival(name, label, carrier, link, protocol, newAgent, scheduling);
    }

    /** {@return all, Weir's protocols first, the preferred one before the others} */
    static List<Rival> all() {
        List<Rival> all = new ArrayList<>();
        Set<String> protocols = new LinkedHashSet<>();
        for (ProtocolConfig protocol : Catalogue.forRealPorts()) {
            protocols.add(protocol.id().name());
        }
        for (String protocol : protocols) {
            all.add(new Rival(WEIR + protocol, "Weir, " + protocol, Carrier.WEIR, LinkKind.WEIR, protocol));
        }
        addWeir(all, protocols.iterator().next());
        addOthers(all);
        return all;
    }

    private static void addWeir(List<Rival> all, String preferred) {
        all.add(new Rival(
                "weir-sockets",
                "Weir, " + preferred + ", blocking sockets",
                Carrier.WEIR_SOCKETS,
                LinkKind.WEIR,
                preferred));
        all.add(new Rival(
                "weir-jdk",
                "Weir, " + preferred + ", java.net.Socket",
                Carrier.WEIR_JDK_SOCKETS,
                LinkKind.WEIR,
                preferred));
        all.add(new Rival(WEIR_NETTY, "Weir, " + preferred + ", Netty", Carrier.WEIR_NETTY, LinkKind.WEIR, preferred));
        all.add(new Rival(WEIR_GRPC, "Weir, " + preferred + ", gRPC", Carrier.WEIR_GRPC, LinkKind.WEIR, preferred));
        all.add(new Rival(
                        "weir-agent-nio",
                        "Weir, " + preferred + ", a program's channels and selector, by the agent",
                        Carrier.JAVA_CHANNELS,
                        LinkKind.WEIR,
                        preferred)
                .with(Agent.WEIR));
        all.add(new Rival(
                        "weir-agent-socket",
                        "Weir, " + preferred + ", a program's java.net.Socket, by the agent",
                        Carrier.JAVA_SOCKETS,
                        LinkKind.WEIR,
                        preferred)
                .with(Agent.WEIR));
        all.add(new Rival(
                "weir-af-packet", "Weir, " + preferred + ", AF_PACKET", Carrier.WEIR, LinkKind.PACKET, preferred));
        all.add(new Rival(
                "weir-dpdk", "Weir, " + preferred + ", DPDK on AF_XDP", Carrier.WEIR, LinkKind.DPDK_XDP, preferred));
        all.add(new Rival(
                "weir-memif",
                "Weir, " + preferred + ", DPDK, memory, two processes",
                Carrier.WEIR,
                LinkKind.DPDK_MEMIF,
                preferred));
        all.add(new Rival(
                "weir-memory",
                "Weir, " + preferred + ", memory, one process",
                Carrier.WEIR_MEMORY,
                LinkKind.MEMORY,
                preferred));
    }

    private static void addOthers(List<Rival> all) {
        all.add(new Rival("tcp-offloads", "Kernel TCP, offloads on", Carrier.KERNEL_TCP, LinkKind.OFFLOADS, ""));
        all.add(new Rival("tcp-plain", "Kernel TCP, offloads off", Carrier.KERNEL_TCP, LinkKind.PLAIN, ""));
        all.add(new Rival(KERNEL_BASE, "Kernel TCP, XDP program attached", Carrier.KERNEL_TCP, LinkKind.XDP, ""));
        all.add(new Rival(
                "tcp-nio",
                "Kernel TCP, channels and selector, XDP program attached",
                Carrier.JAVA_CHANNELS,
                LinkKind.XDP,
                ""));
        all.add(new Rival(
                "tcp-socket",
                "Kernel TCP, java.net.Socket, XDP program attached",
                Carrier.JAVA_SOCKETS,
                LinkKind.XDP,
                ""));
        all.add(new Rival(
                        "tcp-agent-nio",
                        "Kernel TCP, channels and selector, an agent whose rules say tcp",
                        Carrier.JAVA_CHANNELS,
                        LinkKind.XDP,
                        "")
                .with(Agent.KERNEL));
        all.add(new Rival(
                        "tcp-prefer-nio",
                        "Kernel TCP, channels and selector, an agent that prefers Weir to a server without",
                        Carrier.JAVA_CHANNELS,
                        LinkKind.WEIR,
                        "")
                .with(Agent.PREFERRING));
        all.add(new Rival(
                "tcp-epoll", "Kernel TCP, epoll in C, XDP program attached", Carrier.KERNEL_EPOLL, LinkKind.XDP, ""));
        all.add(new Rival("udp", "Kernel UDP, offloads on", Carrier.KERNEL_UDP, LinkKind.OFFLOADS, ""));
        all.add(new Rival(NETTY, "Netty over epoll, offloads on", Carrier.NETTY, LinkKind.OFFLOADS, ""));
        all.add(new Rival(GRPC, "gRPC over epoll, offloads on", Carrier.GRPC, LinkKind.OFFLOADS, ""));
        all.add(new Rival("aeron-udp", "Aeron UDP, offloads on", Carrier.AERON_UDP, LinkKind.OFFLOADS, ""));
        all.add(new Rival("aeron-ipc", "Aeron IPC, memory", Carrier.AERON_IPC, LinkKind.MEMORY, ""));
    }

    /** {@return those that a list names; {@code weir} stands for all of Weir's protocols over AF_XDP} */
    static List<Rival> parse(String list) {
        Set<Rival> chosen = new LinkedHashSet<>();
        List<Rival> all = all();
        for (String name : list.split(",", -1)) {
            if (name.equals(EVERY_PROTOCOL)) {
                all.stream()
                        .filter(rival -> rival.carrier == Carrier.WEIR && rival.link == LinkKind.WEIR)
                        .forEach(chosen::add);
            } else {
                chosen.add(find(all, name));
            }
        }
        return List.copyOf(chosen);
    }

    /** {@return the one of this name} */
    static Rival named(String name) {
        return find(all(), name);
    }

    private static Rival find(List<Rival> all, String given) {
        int at = given.indexOf(SCHEDULING_MARK);
        if (at >= 0) {
            return find(all, given.substring(0, at)).scheduledBy(given.substring(at + 1));
        }
        return findPlain(all, given);
    }

    private Rival scheduledBy(String word) {
        if (!isWeir()) {
            throw new IllegalArgumentException(name + " has no loops of Weir's; leave out " + SCHEDULING_MARK + word);
        }
        SchedulingChoice how = Arrays.stream(SchedulingChoice.values())
                .filter(known -> known.optionValue().equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no " + SCHEDULING_MARK + word + "; there are "
                        + String.join(", ", SchedulingChoice.optionValues())));
        unmet(how).ifPresent(reason -> {
            throw new IllegalArgumentException(name + " " + reason + "; leave out " + SCHEDULING_MARK + word);
        });
        return how == SchedulingChoice.SLICES
                ? this
                : new Rival(
                        name + SCHEDULING_MARK + word, label + ", " + how.label(), carrier, link, protocol, agent, how);
    }

    /** {@return why its loops would not get what its label then says, or empty if they are asked for it} */
    private Optional<String> unmet(SchedulingChoice how) {
        if (agent != Agent.NONE && how != SchedulingChoice.SLICES) {
            return Optional.of("has the agent's loops, which ask for what is usual");
        }
        if (how == SchedulingChoice.REALTIME && (carrier == Carrier.WEIR_NETTY || carrier == Carrier.WEIR_GRPC)) {
            return Optional.of("runs on Netty's threads, for which Weir does not ask for the real-time class");
        }
        if (how == SchedulingChoice.PINNED && isOneProcess()) {
            return Optional.of("has both ends in one process, where they would share one CPU");
        }
        return Optional.empty();
    }

    private static Rival findPlain(List<Rival> all, String name) {
        List<String> names = all.stream().map(Rival::name).toList();
        return all.stream()
                .filter(rival -> rival.name.equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no subject " + name + "; there are "
                        + EVERY_PROTOCOL + " (all of its protocols), " + String.join(", ", names)));
    }

    /** {@return why it cannot do a task, or empty if it can} */
    Optional<String> obstacle(Task task) {
        if (carrier == Carrier.KERNEL_EPOLL && task != Task.CALLS) {
            return Optional.of("the program in C only calls");
        }
        boolean hasNoConnections =
                task == Task.CONNECTS || task == Task.MANY || task == Task.CALLS || task == Task.DUPLEX;
        if (hasNoConnections && carrier == Carrier.KERNEL_UDP) {
            return Optional.of("UDP has no connections");
        }
        if (hasNoConnections && (carrier == Carrier.AERON_UDP || carrier == Carrier.AERON_IPC)) {
            return Optional.of("Aeron has publications, which no server accepts one by one");
        }
        boolean isBlocking = carrier == Carrier.WEIR_SOCKETS
                || carrier == Carrier.WEIR_JDK_SOCKETS
                || carrier == Carrier.JAVA_SOCKETS;
        if (isBlocking && task == Task.DUPLEX) {
            return Optional.of("a blocking socket would need two threads");
        }
        if (isOneProcess() && task == Task.DUPLEX) {
            return Optional.of("one process would count both ways as one");
        }
        if (isBlocking && (task == Task.MANY || task == Task.CALLS)) {
            return Optional.of("blocking sockets would need a thread for each connection");
        }
        if (task != Task.ROUND_TRIPS && (carrier == Carrier.GRPC || carrier == Carrier.WEIR_GRPC)) {
            return Optional.of("gRPC is compared by unary calls");
        }
        return Optional.empty();
    }

    boolean isWeir() {
        return agent == Agent.WEIR
                || switch (carrier) {
                    case WEIR, WEIR_SOCKETS, WEIR_JDK_SOCKETS, WEIR_NETTY, WEIR_GRPC, WEIR_MEMORY -> true;
                    default -> false;
                };
    }

    /** {@return whether both ends are one process} */
    boolean isOneProcess() {
        return carrier == Carrier.WEIR_MEMORY;
    }
}
