package io.weir.cli.perf;

import io.weir.cli.perf.carrier.WeirEndpoint;
import io.weir.cli.unit.Durations;
import io.weir.transport.node.ConfigException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import picocli.CommandLine.Option;

/** Which addresses and ports a test has, and how long its connections wait. */
final class SocketOptions {
    private static final int PORT_MAX = 65_535;

    @Option(
            names = {"-p", "--port"},
            paramLabel = "PORT",
            defaultValue = "5201",
            description = "The server's UDP port. Default: ${DEFAULT-VALUE}.")
    int port;

    @Option(
            names = {"-B", "--bind"},
            paramLabel = "ADDRESS[%INTERFACE]",
            description = "This end's address; its interface is used where --interface names none.")
    String bind;

    @Option(names = "--bind-dev", paramLabel = "INTERFACE", description = "The same as --interface.")
    String bindInterface;

    @Option(
            names = "--cport",
            paramLabel = "PORT",
            description = "The port of the client's first stream; those of the others follow.")
    int clientPort;

    @Option(
            names = {"-4", "--version4"},
            description = "Use IPv4 addresses alone.")
    boolean isVersion4;

    @Option(
            names = {"-6", "--version6"},
            description = "Use IPv6 addresses alone.")
    boolean isVersion6;

    @Option(
            names = "--connect-timeout",
            paramLabel = "TIME",
            converter = Durations.MillisConverter.class,
            defaultValue = "5s",
            description = "How long connecting may take; a bare number is milliseconds. Default: ${DEFAULT-VALUE}.")
    long connectNanosMax;

    @Option(
            names = "--rcv-timeout",
            paramLabel = "TIME",
            converter = Durations.MillisConverter.class,
            defaultValue = "120s",
            description = "How long no data may come at the end that receives; a bare number is milliseconds. Default:"
                    + " ${DEFAULT-VALUE}.")
    long receiveNanosMax;

    @Option(
            names = "--snd-timeout",
            paramLabel = "TIME",
            converter = Durations.MillisConverter.class,
            description = "How long what was sent may stay without an acknowledgement; a bare number is milliseconds.")
    Long sendNanosMax;

    @Option(
            names = {"-N", "--no-delay"},
            description = "Small messages always leave at once; for iperf3's scripts.")
    @SuppressWarnings("unused") // it is so anyway
    boolean isNoDelay;

    @Option(
            names = {"--repeating-payload", "--dont-fragment"},
            description = "It is so anyway; for iperf3's scripts.")
    @SuppressWarnings("unused") // it is so anyway
    boolean isPlain;

    SocketOptions() {}

    /** Refuses what contradicts itself. */
    void requireConsistent() {
        if (port < 1 || port > PORT_MAX) {
            throw new ConfigException("-p " + port + " is outside 1.." + PORT_MAX + "; give another port");
        }
        if (clientPort < 0 || clientPort > PORT_MAX) {
            throw new ConfigException("--cport " + clientPort + " is outside 1.." + PORT_MAX + "; give another port");
        }
        if (isVersion4 && isVersion6) {
            throw new ConfigException("-4 and -6 contradict each other; leave one out");
        }
    }

    /** {@return the address of the host of {@code -c HOST[%INTERFACE]}, of the family that is asked for} */
    InetSocketAddress server(String host) {
        return new InetSocketAddress(resolve("-c", withoutInterface(host)), port);
    }

    /** {@return this end's address, or null for any} */
    InetAddress address() {
        return bind == null ? null : resolve("-B", withoutInterface(bind));
    }

    private InetAddress resolve(String option, String host) {
        try {
            List<InetAddress> all = Arrays.asList(InetAddress.getAllByName(host));
            return all.stream()
                    .filter(this::isAskedFor)
                    .findFirst()
                    .orElseThrow(() -> new ConfigException(option + " "
                            + host + " has no " + (isVersion4 ? "IPv4" : "IPv6") + " address here, only " + all
                            + "; leave out " + (isVersion4 ? "-4" : "-6")));
        } catch (UnknownHostException e) {
            throw new ConfigException(option + " " + host + " is no host that is known here; give its address", e);
        }
    }

    private boolean isAskedFor(InetAddress address) {
        return isVersion4 ? address instanceof Inet4Address : !isVersion6 || address instanceof Inet6Address;
    }

    private static String withoutInterface(String host) {
        // A link-local address needs it, and the JDK reads it.
        int percent = host.indexOf('%');
        return percent < 0 || host.startsWith("fe80:") ? host : host.substring(0, percent);
    }

    private static String interfaceOf(String host) {
        int percent = host == null ? -1 : host.indexOf('%');
        return percent < 0 ? null : host.substring(percent + 1);
    }

    /**
     * {@return the interface that a client uses which names none by {@code --interface}}
     *
     * @param host the server as it was typed
     */
    String clientInterface(String host, InetAddress server) throws IOException {
        String named = namedInterface(host);
        if (named != null) {
            return named;
        }
        // Connecting sends nothing: it has the kernel choose this end's address by its routes.
        try (DatagramSocket probe = new DatagramSocket()) {
            probe.connect(server, port);
            NetworkInterface found = NetworkInterface.getByInetAddress(probe.getLocalAddress());
            if (found != null && !found.isLoopback()) {
                return found.getName();
            }
        } catch (SocketException | UncheckedIOException e) {
            throw noInterface(e);
        }
        throw noInterface(null);
    }

    /** {@return the interface that a server uses which names none by {@code --interface}} */
    String serverInterface() throws IOException {
        String named = namedInterface(null);
        if (named != null) {
            return named;
        }
        List<String> up = new ArrayList<>();
        for (NetworkInterface one : Collections.list(NetworkInterface.getNetworkInterfaces())) {
            if (one.isUp()
                    && !one.isLoopback()
                    && one.getParent() == null
                    && one.getInetAddresses().hasMoreElements()) {
                up.add(one.getName());
            }
        }
        if (up.size() == 1) {
            return up.get(0);
        }
        throw noInterface(null);
    }

    private String namedInterface(String host) throws SocketException {
        String named = bindInterface != null
                ? bindInterface
                : interfaceOf(bind) != null ? interfaceOf(bind) : interfaceOf(host);
        if (named != null || bind == null) {
            return named;
        }
        NetworkInterface found = NetworkInterface.getByInetAddress(address());
        if (found == null) {
            throw new ConfigException("-B " + bind + " is no address of this host; give one, or --interface NAME");
        }
        return found.getName();
    }

    private static ConfigException noInterface(Exception cause) throws IOException {
        return new ConfigException("--interface is missing; interfaces here: " + WeirEndpoint.interfaces(), cause);
    }
}
