package io.weir.nic.lab;

import io.weir.nic.NicException;
import io.weir.nic.net.Ethtool;
import io.weir.nic.net.InterfaceFacts;
import io.weir.nic.net.Interfaces;
import io.weir.nic.net.MacAddress;
import io.weir.nic.net.NetNamespace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Network namespaces and virtual links that exist as long as this object does. Needs root and {@code ip}.
 *
 * <p>Namespaces are called {@code weir-PID-NAME}. Those of processes that ended without cleaning up are removed when
 * the next laboratory is created; those of living processes are never touched. An orderly exit of the JVM cleans up
 * too.
 */
public final class Lab implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Lab.class);
    private static final Pattern OURS = Pattern.compile("weir-(\\d+)-.+");
    private static final Path PROCESSES = Path.of("/proc");
    private static final Path IPV6_SETTINGS = Path.of("/proc/sys/net/ipv6/conf");
    private static final String[] IPV6_QUIET = {"accept_dad", "router_solicitations", "autoconf", "accept_ra"};

    private final String prefix = "weir-" + ProcessHandle.current().pid() + "-";
    private final List<NetNamespace> namespaces = new ArrayList<>();
    private final List<LabLink> links = new ArrayList<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread exitHook = new Thread(this::onExit, "weir-lab-exit");

    /** How long laboratories wait at the JVM's exit until their owner closes them. */
    private static volatile int closeSecondsMax;

    private Lab() {
        Runtime.getRuntime().addShutdownHook(exitHook);
    }

    /**
     * From now on an exiting JVM waits for the owners of laboratories to close them, for {@code seconds} at most, so
     * that interfaces do not vanish under those that still read results. Otherwise they are removed at once.
     */
    public static void expectClose(int seconds) {
        closeSecondsMax = seconds;
    }

    /** {@return an empty laboratory; leftovers of dead processes are removed first} */
    public static Lab create() throws NicException {
        removeLeftovers();
        return new Lab();
    }

    /** Creates a namespace; {@code name} becomes {@code weir-PID-name}. */
    public NetNamespace namespace(String name) throws NicException {
        NetNamespace namespace = NetNamespace.of(prefix + name);
        IpCommand.run("netns", "add", namespace.name());
        namespaces.add(namespace);
        IpCommand.run("-n", namespace.name(), "link", "set", "dev", "lo", "up");
        // Neighbour discovery and multicast reports are noise on a link that carries no IPv6.
        namespace.call(() -> setIpv6("default", "disable_ipv6", "1"));
        return namespace;
    }

    /** Creates a link, gives its ends their addresses, and sets them up. */
    public void link(LabLink link) throws NicException {
        List<String> command = new ArrayList<>(List.of("link", "add", "name"));
        describe(command, link.left(), link);
        command.addAll(List.of("type", "veth", "peer", "name"));
        describe(command, link.right(), link);
        IpCommand.run(command.toArray(String[]::new));
        links.add(link);
        prepare(link.left(), link.offloads());
        prepare(link.right(), link.offloads());
        setUp(link.left(), link.right(), link.staticNeighbours());
        setUp(link.right(), link.left(), link.staticNeighbours());
    }

    /** Tells an end the Ethernet addresses of IP addresses, so that it never asks. */
    public void addNeighbours(LabEnd end, Map<String, Long> macAddresses) throws NicException {
        List<String> commands = new ArrayList<>();
        macAddresses.forEach((address, mac) -> commands.add("neighbour replace " + address + " lladdr "
                + MacAddress.text(mac) + " dev " + end.interfaceName() + " nud permanent"));
        IpCommand.batch(end.namespace().name(), commands);
    }

    /** Deletes a link: both its interfaces vanish. */
    public void unlink(LabLink link) throws NicException {
        links.remove(link);
        LabEnd end = link.left();
        IpCommand.run("-n", end.namespace().name(), "link", "delete", "dev", end.interfaceName());
    }

    /** Sets one end's interface up or down. */
    public void setUp(LabEnd end, boolean up) throws NicException {
        IpCommand.run("-n", end.namespace().name(), "link", "set", "dev", end.interfaceName(), up ? "up" : "down");
    }

    /** Runs a program in a namespace, for at most 20 s; fails with its output unless it succeeds. */
    public void run(NetNamespace namespace, String... command) throws NicException {
        List<String> words = new ArrayList<>(List.of("netns", "exec", namespace.name()));
        words.addAll(List.of(command));
        IpCommand.run(words.toArray(String[]::new));
    }

    /** Removes everything. */
    @Override
    public void close() {
        removeAll();
        closed.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(exitHook);
        } catch (IllegalStateException e) {
            LOG.debug("the JVM is exiting already", e);
        }
    }

    /** Removes the namespaces of laboratories whose process is dead. */
    public static void removeLeftovers() throws NicException {
        for (String name : NetNamespace.names()) {
            Matcher matcher = OURS.matcher(name);
            if (matcher.matches() && !Files.exists(PROCESSES.resolve(matcher.group(1)))) {
                LOG.info("removing leftover namespace={}", name);
                removeInterfaces(name);
                // Another process that starts now may be doing the same.
                attempt("netns", "delete", name);
            }
        }
    }

    private static void describe(List<String> command, LabEnd end, LabLink link) {
        String queues = Integer.toString(link.queueCount());
        command.addAll(List.of(end.interfaceName(), "netns", end.namespace().name()));
        command.addAll(List.of("mtu", Integer.toString(link.mtuBytes())));
        command.addAll(List.of("numrxqueues", queues, "numtxqueues", queues));
        if (end.macAddress() != 0) {
            command.addAll(List.of("address", MacAddress.text(end.macAddress())));
        }
    }

    private static void prepare(LabEnd end, boolean offloads) throws NicException {
        end.namespace().call(() -> {
            if (!offloads) {
                Ethtool.disableOffloads(end.interfaceName());
            }
            if (end.hasIpv6()) {
                for (String setting : IPV6_QUIET) {
                    setIpv6(end.interfaceName(), setting, "0");
                }
                setIpv6(end.interfaceName(), "disable_ipv6", "0");
            }
            return null;
        });
    }

    private static void setUp(LabEnd end, LabEnd peer, boolean staticNeighbours) throws NicException {
        List<String> commands = new ArrayList<>();
        for (String address : end.addresses()) {
            commands.add("address add " + address + " dev " + end.interfaceName());
        }
        commands.add("link set dev " + end.interfaceName() + " up");
        if (staticNeighbours) {
            InterfaceFacts facts = peer.namespace().call(() -> Interfaces.find(peer.interfaceName()));
            for (String address : peer.addresses()) {
                commands.add("neighbour replace " + address.substring(0, address.indexOf('/')) + " lladdr "
                        + MacAddress.text(facts.macAddress()) + " dev " + end.interfaceName() + " nud permanent");
            }
        }
        IpCommand.batch(end.namespace().name(), commands);
    }

    private static Void setIpv6(String interfaceName, String setting, String value) throws NicException {
        Path file = IPV6_SETTINGS.resolve(interfaceName).resolve(setting);
        if (Files.exists(file)) {
            try {
                Files.writeString(file, value);
            } catch (IOException e) {
                throw new NicException("write " + value + " to " + file + ": " + e.getMessage() + "; needs root", e);
            }
        }
        return null;
    }

    private void onExit() {
        try {
            if (!closed.await(closeSecondsMax, TimeUnit.SECONDS)) {
                LOG.debug("the owner does not close its laboratory");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        removeAll();
    }

    private synchronized void removeAll() {
        for (LabLink link : links) {
            // A namespace lives on, nameless, while a socket in it is open; its interfaces must not.
            attempt(
                    "-n",
                    link.left().namespace().name(),
                    "link",
                    "delete",
                    link.left().interfaceName());
        }
        links.clear();
        for (NetNamespace namespace : namespaces) {
            attempt("netns", "delete", namespace.name());
        }
        namespaces.clear();
    }

    private static void removeInterfaces(String namespace) {
        try {
            for (String name : NetNamespace.of(namespace).call(Interfaces::names)) {
                if (!name.equals("lo")) {
                    attempt("-n", namespace, "link", "delete", "dev", name);
                }
            }
        } catch (NicException e) {
            LOG.debug("already gone", e);
        }
    }

    private static void attempt(String... arguments) {
        try {
            IpCommand.run(arguments);
        } catch (NicException e) {
            LOG.debug("already gone", e);
        }
    }
}
