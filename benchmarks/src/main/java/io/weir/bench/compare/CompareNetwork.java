package io.weir.bench.compare;

import io.weir.nic.Errno;
import io.weir.nic.NicException;
import io.weir.nic.bpf.BpfProgram;
import io.weir.nic.lab.Lab;
import io.weir.nic.lab.LabEnd;
import io.weir.nic.lab.LabLink;
import io.weir.nic.net.Interfaces;
import io.weir.nic.net.NetNamespace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Two namespaces, and between them one veth pair for each kind of link that somebody needs. */
final class CompareNetwork implements AutoCloseable {
    private static final String PROGRAM = "host";
    /** Above it the program has to take frames in several pieces. */
    private static final int PAGE_MTU_BYTES_MAX = 3498;

    private static final int FLAG_NATIVE = 1 << 2;
    /** What a shaped link may hold: more than kernel TCP's window needs at these delays. */
    private static final String SHAPER_BURST = "128kb";

    private static final String SHAPER_LIMIT = "1mb";

    /** Closed connections must not use up the client's ports: kernel TCP keeps each for a minute otherwise. */
    private static final Map<String, String> SETTINGS = Map.of(
            "/proc/sys/net/ipv4/tcp_tw_reuse", "1",
            "/proc/sys/net/ipv4/ip_local_port_range", "1024 65535",
            "/proc/sys/net/core/somaxconn", "4096");

    private final Lab lab;
    private final NetNamespace client;
    private final NetNamespace server;
    private final List<BpfProgram> programs = new ArrayList<>();
    private final Map<LinkKind, String> obstacles = new EnumMap<>(LinkKind.class);

    CompareNetwork(CompareOptions options) throws IOException {
        lab = Lab.create();
        try {
            client = lab.namespace("client");
            server = lab.namespace("server");
            for (NetNamespace namespace : List.of(client, server)) {
                namespace.call(CompareNetwork::configure);
            }
            for (LinkKind kind : LinkKind.values()) {
                boolean isUsed = options.rivals().stream().anyMatch(rival -> rival.link() == kind);
                if (isUsed && kind.isVirtualEthernet()) {
                    add(kind, options);
                }
            }
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    private static Void configure() throws IOException {
        for (Map.Entry<String, String> setting : SETTINGS.entrySet()) {
            Files.writeString(Path.of(setting.getKey()), setting.getValue());
        }
        return null;
    }

    private void add(LinkKind kind, CompareOptions options) throws NicException {
        LabEnd left = new LabEnd(client, kind.clientInterface(), kind.clientAddress() + "/24");
        LabEnd right = new LabEnd(server, kind.serverInterface(), kind.serverAddress() + "/24");
        LabLink link = LabLink.between(left, right).withMtuBytes(options.mtuBytes());
        lab.link(kind == LinkKind.OFFLOADS ? link.withOffloads() : link.withStaticNeighbours());
        if (kind == LinkKind.XDP) {
            attach(left, kind, options.mtuBytes());
            attach(right, kind, options.mtuBytes());
        }
        // Frames of AF_XDP do not pass the kernel's queues: Weir is told the rate instead.
        if (options.rateBps() > 0 && kind.isShaped()) {
            shape(left, options.rateBps());
            shape(right, options.rateBps());
        }
    }

    private void attach(LabEnd end, LinkKind kind, int mtuBytes) throws NicException {
        BpfProgram program = BpfProgram.load(PROGRAM, mtuBytes > PAGE_MTU_BYTES_MAX);
        programs.add(program);
        int result = end.namespace()
                .call(() -> program.attach(Interfaces.find(end.interfaceName()).index(), FLAG_NATIVE));
        if (result < 0) {
            obstacles.put(
                    kind,
                    "the kernel refuses the XDP program in native mode on " + end.interfaceName() + ": "
                            + Errno.describe(-result));
        }
    }

    private void shape(LabEnd end, long rateBps) throws NicException {
        String command = "tc qdisc add dev " + end.interfaceName() + " root tbf rate " + rateBps + "bit burst "
                + SHAPER_BURST + " limit " + SHAPER_LIMIT;
        lab.run(end.namespace(), command.split(" "));
    }

    /** {@return why a kind of link cannot be had, or empty} */
    Optional<String> obstacle(LinkKind kind) {
        return Optional.ofNullable(obstacles.get(kind));
    }

    NetNamespace client() {
        return client;
    }

    NetNamespace server() {
        return server;
    }

    @Override
    public void close() {
        programs.forEach(BpfProgram::close);
        lab.close();
    }
}
