package io.weir.nic.broker;

import io.weir.nic.NicException;
import io.weir.nic.ffi.Libc;
import io.weir.nic.ffi.NativeMemory;
import io.weir.transport.wire.IpAddress;
import java.io.IOException;
import java.lang.ref.Reference;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A process of an ordinary user that does to a broker's other clients what it can: {@code socket ATTACK ADDRESS PORT},
 * the last two of a victim, which is the broker's first client. It says {@link #DONE} with the number of times, of
 * which there are no more than the broker serves within {@link #ATTACK_NANOS}, and stays until it is ended; with {@code
 * again} behind, it gives back what it has and begins again, until it is ended.
 */
public final class StrangerProcess {
    public static final String DONE = "DONE";
    /** Longer than what its user may take at once from a broker. */
    private static final long ATTACK_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final int MESSAGES = 25_000;
    private static final int INTRODUCTIONS = 400;
    private static final int CONNECTIONS = 300;
    private static final int PORTS = 5_000;
    private static final int PORT_FIRST = 10_000;
    private static final int VICTIMS_NUMBER = 1;

    /** What is tried. */
    public enum Attack {
        /** Questions for next hops of no host, whose answers nobody reads. */
        EMPTY_QUESTIONS,
        /** Questions for next hops that the host does not know. */
        UNKNOWN_HOSTS,
        /** The victim is met and left, again and again. */
        INTRODUCTIONS,
        /** Connections that say nothing. */
        SILENCE,
        /** All places. */
        PLACES,
        /** All ports, and descriptors with them. */
        PORTS
    }

    private final Path path;
    private final InetSocketAddress victim;
    /** When the attack, or the latest repetition of it, ends. */
    private long endNanos;
    /** Kept until the process ends. */
    private final List<AutoCloseable> kept = new ArrayList<>();

    private StrangerProcess(Path path, InetSocketAddress victim) {
        this.path = path;
        this.victim = victim;
    }

    @SuppressWarnings("SystemOut")
    public static void main(String[] arguments) throws Exception {
        InetSocketAddress victim = new InetSocketAddress(arguments[2], Integer.parseInt(arguments[3]));
        StrangerProcess stranger = new StrangerProcess(Path.of(arguments[0]), victim);
        try {
            System.out.println(DONE + " " + stranger.attack(Attack.valueOf(arguments[1])));
            while (arguments.length > 4) {
                for (AutoCloseable each : stranger.kept) {
                    each.close();
                }
                stranger.kept.clear();
                stranger.attack(Attack.valueOf(arguments[1]));
            }
            while (System.in.read() >= 0) {
                // Until it is ended.
            }
        } finally {
            Reference.reachabilityFence(stranger.kept);
        }
    }

    private int attack(Attack attack) throws IOException {
        endNanos = System.nanoTime() + ATTACK_NANOS;
        return switch (attack) {
            case EMPTY_QUESTIONS -> ask(List.of());
            case UNKNOWN_HOSTS -> ask(unknownHosts());
            case INTRODUCTIONS -> introduce();
            case SILENCE -> connectSilently();
            case PLACES -> takePlaces();
            case PORTS -> takePorts();
        };
    }

    private boolean isOver() {
        return System.nanoTime() - endNanos >= 0;
    }

    private static List<InetAddress> unknownHosts() throws IOException {
        List<InetAddress> hosts = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            hosts.add(InetAddress.getByName("10.200.0." + (i + 1)));
        }
        return hosts;
    }

    private UnixSocket silent() throws IOException {
        UnixSocket raw = UnixSocket.connect(path.toString());
        MessageWriter hello = new MessageWriter(MessageKind.HELLO).putInt(MessageKind.VERSION);
        raw.send(hello.buffer(), hello.lengthBytes());
        UnsafeBuffer buffer = NativeMemory.allocate(UnixSocket.MESSAGE_BYTES_MAX);
        raw.receive(buffer);
        kept.add(raw);
        return raw;
    }

    private int ask(List<InetAddress> hosts) throws IOException {
        UnixSocket raw = silent();
        MessageWriter question = new MessageWriter(MessageKind.FIND_MACS).putInt(hosts.size());
        for (InetAddress host : hosts) {
            question.putAddress(IpAddress.of(host));
        }
        raw.setSendTimeout(ATTACK_NANOS);
        int count = 0;
        while (count < MESSAGES && !isOver() && raw.trySend(question.buffer(), question.lengthBytes())) {
            count++;
        }
        return count;
    }

    private BrokerConnection client() throws IOException {
        BrokerConnection connection = BrokerConnection.connect(path);
        kept.add(connection);
        BrokerConnection.Welcome welcome = connection.hello();
        Libc.close(welcome.memory());
        kept.add(() -> Libc.close(welcome.bell()));
        connection.start(new HeardEvents(), "stranger");
        return connection;
    }

    private int introduce() throws IOException {
        List<BrokerConnection> clients = List.of(client(), client(), client(), client());
        int met = 0;
        for (int i = 0; i < INTRODUCTIONS && !isOver(); i++) {
            BrokerConnection client = clients.get(i % clients.size());
            try {
                client.dropPeer(VICTIMS_NUMBER);
                client.resolve(PORT_FIRST, victim, 0);
                met++;
            } catch (IOException e) {
                // So often it may not.
            }
        }
        return met;
    }

    private int connectSilently() throws IOException {
        int count = 0;
        for (int i = 0; i < CONNECTIONS && !isOver(); i++) {
            try {
                kept.add(UnixSocket.connect(path.toString()));
                count++;
            } catch (NicException e) {
                // Nobody accepts so many.
            }
        }
        return count;
    }

    private int takePlaces() {
        int count = 0;
        try {
            for (; count < CONNECTIONS && !isOver(); count++) {
                client();
            }
        } catch (IOException e) {
            // There are no more for this user.
        }
        return count;
    }

    private int takePorts() throws IOException {
        BrokerConnection client = client();
        int count = 0;
        try {
            for (; count < PORTS && !isOver(); count++) {
                client.claim(PORT_FIRST + count);
            }
        } catch (IOException e) {
            // There are no more for this user.
        }
        return count;
    }
}
