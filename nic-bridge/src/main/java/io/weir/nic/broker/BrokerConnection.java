package io.weir.nic.broker;

import io.weir.nic.Errno;
import io.weir.nic.NicException;
import io.weir.nic.ffi.Libc;
import io.weir.nic.ffi.NativeMemory;
import io.weir.transport.node.PortEnd;
import io.weir.transport.runtime.OwnTimeLimit;
import io.weir.transport.wire.Ethernet;
import io.weir.transport.wire.IpAddress;
import io.weir.transport.wire.Path;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A client's connection to a broker: asks, and hands on what the broker tells, on its own thread. Any thread may
 * ask.
 */
final class BrokerConnection implements AutoCloseable {
    private static final long ANSWER_NANOS_MAX = TimeUnit.SECONDS.toNanos(30);
    private static final int DESCRIPTORS = 2;
    private static final int MAC_BYTES = 28;
    private static final int MACS_PER_MESSAGE = 100;
    private static final long CLOSE_SECONDS_MAX = 2;

    private final java.nio.file.Path path;
    private final UnixSocket socket;
    private final UnsafeBuffer buffer = NativeMemory.allocate(UnixSocket.MESSAGE_BYTES_MAX);
    private final AtomicInteger lastRequest = new AtomicInteger();
    private final Map<Integer, CompletableFuture<Path>> requests = new ConcurrentHashMap<>();
    private final int brokerProcessId;
    /** Why there is no broker any more, or null. Written once, by the thread that listens. */
    private volatile String endReason;
    /** Whether this side has ended it. */
    private volatile boolean isClosed;
    /** Set by {@link #start}. */
    private Thread thread;
    /** Set by {@link #start}. */
    private BrokerEvents events;

    /**
     * What a client gets.
     *
     * @param number of the client
     * @param layout of its region
     * @param memory descriptor of its region, to be closed by who has this
     * @param bell descriptor of its end of the bell, likewise
     * @param mtuBytes the interface's MTU
     * @param memoryMtuBytes the largest IP packet between two clients
     * @param linkRateBps the interface's rate, or 0
     * @param macAddress the interface's Ethernet address
     * @param interfaceName the interface's name
     * @param mode what moves the broker's frames, and how
     * @param addresses the interface's addresses
     */
    record Welcome(
            int number,
            RegionLayout layout,
            int memory,
            int bell,
            int mtuBytes,
            int memoryMtuBytes,
            long linkRateBps,
            long macAddress,
            String interfaceName,
            String mode,
            List<IpAddress> addresses) {}

    /** What the broker tells unasked. Called by the connection's thread. */
    interface BrokerEvents {
        /** Frames to and from another client go through this memory; the descriptors are the receiver's. */
        void onPeer(int number, RegionLayout layout, int side, int memory, int bell);

        /** Another client's memory was lost, because this process may open no more files. */
        void onPeerWithoutDescriptors(int number);

        /** The interface has these addresses. */
        void onAddresses(List<InetAddress> addresses);

        /** The interface has this MTU. */
        void onMtu(int mtuBytes);

        /** The interface's port moves no frames for this reason, or does again for null. */
        void onPort(String failure);

        /** Ways have changed. */
        void onWaysChanged();

        /** Next hops. */
        void onMacs(long localMac, Map<InetAddress, Long> macs);

        /** The network sent an opening back. */
        void onReturned(long tag, InetSocketAddress remote, boolean isRefused);

        /** The interface was deleted. */
        void onInterfaceGone();

        /** The broker is gone. */
        void onBrokerGone(String reason);
    }

    private BrokerConnection(java.nio.file.Path path, UnixSocket socket) throws NicException {
        this.path = path;
        this.socket = socket;
        this.brokerProcessId = socket.peer().processId();
    }

    /** {@return a connection to the broker that listens there} */
    static BrokerConnection connect(java.nio.file.Path path) throws NicException {
        UnixSocket socket = open(path);
        try {
            return new BrokerConnection(path, socket);
        } catch (NicException e) {
            socket.close();
            throw e;
        }
    }

    private static UnixSocket open(java.nio.file.Path path) throws NicException {
        try {
            return UnixSocket.connect(path.toString());
        } catch (NicException e) {
            if (e.is(Errno.ENOENT) || e.is(Errno.ECONNREFUSED)) {
                throw new NicException(
                        Errno.ECONNREFUSED,
                        "no broker listens at " + path
                                + (e.is(Errno.ECONNREFUSED) ? " any more" : "")
                                + "; start one as root: weir broker --interface NAME (docs/SHARING.md)");
            }
            if (e.is(Errno.EACCES)) {
                throw new NicException(
                        Errno.EACCES,
                        "this user may not connect to " + path
                                + "; let it enter the folder and write to the socket (chmod), or run a broker elsewhere");
            }
            throw e;
        }
    }

    /** {@return what the broker gives to this process} */
    Welcome hello() throws IOException {
        NicException unsent = null;
        try {
            send(new MessageWriter(MessageKind.HELLO).putInt(MessageKind.VERSION));
        } catch (NicException e) {
            // A broker that has no place says so without waiting for a hello.
            unsent = e;
        }
        int lengthBytes = socket.receive(buffer);
        MessageReader message = new MessageReader(buffer, lengthBytes);
        MessageKind kind = MessageKind.of(message.getInt());
        if (kind == MessageKind.REFUSED) {
            message.getInt();
            RefusalKind reason = RefusalKind.of(message.getInt());
            throw reason.toException(message.getText());
        }
        int[] descriptors = socket.takeDescriptors();
        if (kind == MessageKind.WELCOME && descriptors.length < DESCRIPTORS) {
            closeAll(descriptors);
            throw new NicException(
                    Errno.EMFILE.number(),
                    "take the memory of the broker at " + path,
                    "raise the limit of open files (ulimit -n)");
        }
        if (unsent != null) {
            closeAll(descriptors);
            throw unsent;
        }
        Welcome welcome = kind == MessageKind.WELCOME ? welcome(message, descriptors) : null;
        if (welcome == null) {
            closeAll(descriptors);
            throw new NicException("process " + brokerProcessId + " at " + path
                    + (lengthBytes == 0
                            ? " hung up: it has " + Broker.CLIENTS_PER_USER_MAX + " clients of this user or "
                                    + Broker.CLIENTS_MAX + " in all, or has just ended; close some and try again"
                            : " does not speak as a broker of this version; run the same version of Weir on both"
                                    + " sides"));
        }
        return welcome;
    }

    private static Welcome welcome(MessageReader message, int[] descriptors) {
        int number = message.getInt();
        int slotCount = message.getInt();
        int frameBytesMax = message.getInt();
        int mtuBytes = message.getInt();
        int memoryMtuBytes = message.getInt();
        long linkRateBps = message.getLong();
        long macAddress = message.getLong();
        String interfaceName = message.getText();
        String mode = message.getText();
        List<IpAddress> addresses = AddressesMessage.read(message);
        boolean isGood = message.isWhole()
                && RegionLayout.isPossible(slotCount, frameBytesMax)
                && memoryMtuBytes >= mtuBytes
                && RegionLayout.isPossible(1, memoryMtuBytes + Ethernet.HEADER_BYTES)
                && descriptors.length == DESCRIPTORS;
        if (!isGood) {
            return null;
        }
        return new Welcome(
                number,
                new RegionLayout(slotCount, frameBytesMax),
                descriptors[0],
                descriptors[1],
                mtuBytes,
                memoryMtuBytes,
                linkRateBps,
                macAddress,
                interfaceName,
                mode,
                addresses);
    }

    int brokerProcessId() {
        return brokerProcessId;
    }

    java.nio.file.Path path() {
        return path;
    }

    /** Listens to the broker from now on; once, after {@link #hello}. */
    void start(BrokerEvents receiver, String interfaceName) {
        events = receiver;
        thread = new Thread(this::listen, "weir-broker-" + interfaceName);
        thread.setDaemon(true);
        thread.start();
    }

    private void listen() {
        int lengthBytes = socket.receive(buffer);
        while (lengthBytes > 0 && onMessage(new MessageReader(buffer, lengthBytes))) {
            lengthBytes = socket.receive(buffer);
        }
        endReason = PortEnd.BROKER_ENDED.sentenceOf("the broker of " + path + " (process " + brokerProcessId + ")");
        socket.close();
        requests.values().forEach(request -> request.completeExceptionally(new NicException(endReason)));
        if (!isClosed) {
            events.onBrokerGone(endReason);
        }
    }

    /** {@return whether the broker may go on} Nothing that it sends throws. */
    boolean onMessage(MessageReader message) {
        MessageKind kind = MessageKind.of(message.getInt());
        int[] descriptors = socket.takeDescriptors();
        if (kind == MessageKind.PEER) {
            return onPeer(message, descriptors);
        }
        closeAll(descriptors);
        if (kind == null) {
            return false;
        }
        return switch (kind) {
            case CLAIMED, PATH, REFUSED -> onAnswer(kind, message);
            case ADDRESSES, MTU, PORT, WAYS_CHANGED, MACS, RETURNED, GONE -> onEvent(kind, message);
            default -> false;
        };
    }

    private static void closeAll(int[] descriptors) {
        for (int descriptor : descriptors) {
            Libc.close(descriptor);
        }
    }

    private boolean onPeer(MessageReader message, int[] descriptors) {
        int number = message.getInt();
        int slotCount = message.getInt();
        int frameBytesMax = message.getInt();
        int side = message.getInt();
        boolean isSound =
                message.isWhole() && RegionLayout.isPossible(slotCount, frameBytesMax) && (side == 0 || side == 1);
        if (isSound && descriptors.length < DESCRIPTORS) {
            // No descriptor is free in this process, which is no fault of the broker's; the other client asks again.
            closeAll(descriptors);
            events.onPeerWithoutDescriptors(number);
            return true;
        }
        boolean isGood = isSound && descriptors.length == DESCRIPTORS;
        if (isGood) {
            events.onPeer(number, new RegionLayout(slotCount, frameBytesMax), side, descriptors[0], descriptors[1]);
        } else {
            closeAll(descriptors);
        }
        return isGood;
    }

    private boolean onAnswer(MessageKind kind, MessageReader message) {
        CompletableFuture<Path> request = requests.remove(message.getInt());
        if (kind == MessageKind.REFUSED) {
            RefusalKind reason = RefusalKind.of(message.getInt());
            String sentence = message.getText();
            if (request != null) {
                request.completeExceptionally(reason.toException(sentence));
            }
            return message.isWhole();
        }
        Path way = kind == MessageKind.PATH ? PathMessage.read(message) : null;
        boolean isGood = message.isWhole() && (kind == MessageKind.CLAIMED || way != null);
        if (request != null) {
            if (isGood) {
                request.complete(way);
            } else {
                request.completeExceptionally(new NicException("the broker of " + path + " gave no possible answer"));
            }
        }
        return isGood;
    }

    private boolean onEvent(MessageKind kind, MessageReader message) {
        switch (kind) {
            case ADDRESSES -> {
                List<IpAddress> addresses = AddressesMessage.read(message);
                if (message.isWhole()) {
                    events.onAddresses(
                            addresses.stream().map(IpAddress::toInetAddress).toList());
                }
            }
            case MTU -> {
                int mtuBytes = message.getInt();
                if (message.isWhole()) {
                    events.onMtu(mtuBytes);
                }
            }
            case PORT -> {
                String failure = message.getText();
                if (message.isWhole()) {
                    events.onPort(failure.isEmpty() ? null : failure);
                }
            }
            case MACS -> readMacs(message);
            case RETURNED -> readReturned(message);
            case WAYS_CHANGED -> events.onWaysChanged();
            default -> events.onInterfaceGone();
        }
        return message.isWhole();
    }

    private void readMacs(MessageReader message) {
        long localMac = message.getLong();
        int count = message.getCount(MAC_BYTES);
        Map<InetAddress, Long> macs = new HashMap<>();
        for (int i = 0; i < count; i++) {
            InetAddress remote = message.getAddress().toInetAddress();
            macs.put(remote, message.getLong());
        }
        if (message.isWhole()) {
            events.onMacs(localMac, macs);
        }
    }

    private void readReturned(MessageReader message) {
        long tag = message.getLong();
        InetAddress remote = message.getAddress().toInetAddress();
        int remotePort = message.getPort();
        boolean isRefused = message.getInt() == 1;
        if (message.isWhole()) {
            events.onReturned(tag, new InetSocketAddress(remote, remotePort), isRefused);
        }
    }

    // ---- asking

    /** Takes a UDP port; waits for the answer. */
    void claim(int udpPort) throws IOException {
        ask(request -> new MessageWriter(MessageKind.CLAIM).putInt(request).putInt(udpPort), ANSWER_NANOS_MAX);
    }

    /** {@return the way to a host; waits for the answer} */
    Path resolve(int localPort, InetSocketAddress remote, long waitNanosMax) throws IOException {
        long waitNanos = Math.min(waitNanosMax, ANSWER_NANOS_MAX);
        return ask(
                request -> new MessageWriter(MessageKind.RESOLVE)
                        .putInt(request)
                        .putInt(localPort)
                        .putAddress(IpAddress.of(remote.getAddress()))
                        .putInt(remote.getPort())
                        .putLong(waitNanos),
                ANSWER_NANOS_MAX + waitNanos);
    }

    /** A request with its number. */
    @FunctionalInterface
    private interface Request {
        MessageWriter write(int number);
    }

    private Path ask(Request request, long waitNanosMax) throws IOException {
        int number = lastRequest.incrementAndGet();
        CompletableFuture<Path> answer = new CompletableFuture<>();
        // The broker runs on the same machine: what that is busy with keeps both waiting.
        OwnTimeLimit limit = OwnTimeLimit.ofNanos(waitNanosMax);
        requests.put(number, answer);
        try {
            send(request.write(number));
            if (endReason != null) {
                throw new NicException(endReason);
            }
            return limit.get(answer);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException refusal ? again(refusal) : new IOException(e.getCause());
        } catch (TimeoutException e) {
            throw new NicException(
                    "the broker of " + path + " (process " + brokerProcessId + ") gives no answer within "
                            + TimeUnit.NANOSECONDS.toSeconds(waitNanosMax) + " s" + limit.remark()
                            + "; is it stopped?",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NicException("interrupted while the broker of " + path + " was asked", e);
        } finally {
            requests.remove(number);
        }
    }

    /** {@return a refusal of the same kind, with the trace of who asked} */
    private static IOException again(IOException refusal) {
        IOException thrown = RefusalKind.of(refusal).toException(refusal.getMessage());
        thrown.initCause(refusal);
        return thrown;
    }

    private void send(MessageWriter message) throws NicException {
        try {
            socket.send(message.buffer(), message.lengthBytes());
        } catch (NicException e) {
            throw endReason == null ? e : new NicException(endReason);
        }
    }

    /** Tells the broker something that needs no answer, and is no loss once it has ended. */
    private void tell(MessageWriter message) {
        socket.offer(message.buffer(), message.lengthBytes());
    }

    void release(int udpPort) {
        tell(new MessageWriter(MessageKind.RELEASE).putInt(udpPort));
    }

    void dropPeer(int number) {
        tell(new MessageWriter(MessageKind.DROP_PEER).putInt(number));
    }

    void verify(InetAddress remote) {
        tell(new MessageWriter(MessageKind.VERIFY).putAddress(IpAddress.of(remote)));
    }

    void findMacs(List<InetAddress> remotes) {
        for (int first = 0; first == 0 || first < remotes.size(); first += MACS_PER_MESSAGE) {
            List<InetAddress> part = remotes.subList(first, Math.min(remotes.size(), first + MACS_PER_MESSAGE));
            MessageWriter message = new MessageWriter(MessageKind.FIND_MACS).putInt(part.size());
            part.forEach(remote -> message.putAddress(IpAddress.of(remote)));
            tell(message);
        }
    }

    /** Hangs up; the broker takes everything back. */
    @Override
    public void close() {
        isClosed = true;
        socket.shutdown();
        if (thread == null) {
            socket.close();
        } else if (thread != Thread.currentThread()) {
            join();
        }
    }

    private void join() {
        boolean isInterrupted = Thread.interrupted();
        try {
            OwnTimeLimit.ofSeconds(CLOSE_SECONDS_MAX).join(thread);
        } catch (InterruptedException e) {
            isInterrupted = true;
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
