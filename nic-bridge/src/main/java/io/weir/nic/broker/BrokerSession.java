package io.weir.nic.broker;

import io.weir.nic.Errno;
import io.weir.nic.NicException;
import io.weir.nic.ffi.NativeMemory;
import io.weir.transport.wire.IpAddress;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client at the broker: reads what it asks for, on its own thread, until it hangs up, ends or breaks the
 * protocol. Then everything that it had is given back.
 */
final class BrokerSession {
    /** The most UDP ports of a client: each costs the broker a descriptor per address. */
    static final int PORTS_MAX = 4_096;
    /** The most ways that a client may wait for. */
    static final int RESOLVES_MAX = 4_096;

    /** Ways that are looked for at once for a client: each may take a thread for seconds. */
    private static final int RESOLVERS = 8;

    private static final long RESOLVER_IDLE_SECONDS = 5;

    /** Hosts whose changes a client is told: those that it asked about last. */
    private static final int REMOTES_MAX = 8_192;
    /** The most that fit a message. */
    private static final int MACS_PER_MESSAGE = 100;

    private static final int ADDRESS_BYTES = 20;
    /** A process says hello with its first system calls; who does not takes a place from others. */
    private static final long HELLO_NANOS_MAX = TimeUnit.SECONDS.toNanos(1);
    /** How long a client may leave the answers to its own requests unread when no more fit. */
    private static final long ANSWER_NANOS_MAX = TimeUnit.SECONDS.toNanos(1);
    /** How long a client may leave news unread that others cause: a process that stops for a debugger or for swap. */
    private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(30);
    /** Silent hosts that a client may have looked for in a second: each costs the kernel a question to the network. */
    private static final int VERIFICATIONS_PER_SECOND = 32;

    /** What the thread that follows the interface takes for a request: it wakes, and looks at the interface. */
    private static final long FOLLOWER_REQUEST_NANOS = TimeUnit.MICROSECONDS.toNanos(50);
    /** What it takes for each host: a question to the kernel's routes, by a socket that is opened for it. */
    private static final long FOLLOWER_HOST_NANOS = TimeUnit.MICROSECONDS.toNanos(25);

    private static final Logger LOG = LoggerFactory.getLogger(BrokerSession.class);

    private final Broker broker;
    private final UnixSocket socket;
    private final UnixSocket.Peer peer;
    private final String user;
    /** Null until it wants a way. The session's thread. */
    private ThreadPoolExecutor resolvers;
    /** The UDP ports that it has, and how many descriptors each takes. The session's thread. */
    private final Map<Integer, Integer> ports = new HashMap<>();
    /** The hosts that it asked about; the value is not used. With its lock. */
    private final Map<InetAddress, Boolean> remotes = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<InetAddress, Boolean> eldest) {
            return size() > REMOTES_MAX;
        }
    };
    /**
     * The latest of each kind of news that the client had no room for, the oldest first; it is told when it reads. With
     * the map's lock.
     */
    private final Map<MessageKind, MessageWriter> untold = new LinkedHashMap<>();
    /** Since when there is such news; with the map's lock. */
    private long untoldNanos;
    /** When {@link #verifications} began to count. The session's thread. */
    private long verificationsNanos;
    /** Silent hosts that the client has named since. The session's thread. */
    private int verifications;
    /** What the session's thread has used since it was charged; null before it runs. The session's thread. */
    private ThreadTime used;
    /** Of its rings with the broker, or 0. The session's thread. */
    private int memoryBytes;
    /** Null until it has said hello. Written by the session's thread. */
    private volatile Member member;
    /** Why it is hung up, where the broker does; the first reason stays. */
    private volatile String endReason;

    BrokerSession(Broker broker, UnixSocket socket, UnixSocket.Peer peer, String user) {
        this.broker = broker;
        this.socket = socket;
        this.peer = peer;
        this.user = user;
    }

    private ThreadPoolExecutor resolvers() {
        if (resolvers == null) {
            resolvers = new ThreadPoolExecutor(
                    RESOLVERS,
                    RESOLVERS,
                    RESOLVER_IDLE_SECONDS,
                    TimeUnit.SECONDS,
                    new ArrayBlockingQueue<>(RESOLVES_MAX),
                    BrokerSession::newResolver);
            resolvers.allowCoreThreadTimeOut(true);
        }
        return resolvers;
    }

    private static Thread newResolver(Runnable work) {
        Thread thread = new Thread(work, "weir-broker-ways");
        thread.setDaemon(true);
        return thread;
    }

    int processId() {
        return peer.processId();
    }

    int userNumber() {
        return peer.user();
    }

    String user() {
        return user;
    }

    Member member() {
        return member;
    }

    /** Takes memory for rings that it has until {@link #giveMemoryBack}; refuses it beyond the quota. */
    void takeMemory(UserQuota quota, int bytes) throws NicException {
        String excess = quota.take(peer.user(), user, bytes);
        if (excess != null) {
            throw new NicException(excess);
        }
        memoryBytes = bytes;
    }

    void giveMemoryBack(UserQuota quota) {
        if (memoryBytes > 0) {
            quota.giveBack(peer.user(), memoryBytes);
            memoryBytes = 0;
        }
    }

    /** It is this client from now on. */
    void become(Member newMember) {
        member = newMember;
    }

    /** Serves the client until it is gone. */
    void run() {
        UnsafeBuffer buffer = NativeMemory.allocate(UnixSocket.MESSAGE_BYTES_MAX);
        used = new ThreadTime();
        try {
            socket.setSendTimeout(ANSWER_NANOS_MAX);
            socket.setReceiveTimeout(HELLO_NANOS_MAX);
            int lengthBytes = socket.receive(buffer);
            if (lengthBytes == 0 && endReason == null) {
                endReason = "it said no hello within " + TimeUnit.NANOSECONDS.toSeconds(HELLO_NANOS_MAX) + " s";
            }
            socket.setReceiveTimeout(0);
            while (lengthBytes > 0
                    && awaitTime()
                    && endReason == null
                    && onMessage(new MessageReader(buffer, lengthBytes))) {
                tellNews();
                charge(used.takeNanos() - UserTime.REQUEST_NANOS);
                lengthBytes = socket.receive(buffer);
            }
        } catch (RuntimeException | Error e) {
            endReason = "the broker failed to serve it: " + e;
            LOG.error("client process={} user={} could not be served", peer.processId(), user, e);
            broker.onFault(e);
        } finally {
            ports.forEach(this::releasePort);
            leave();
            if (resolvers != null) {
                resolvers.shutdownNow();
            }
            socket.close();
            charge(used.takeNanos());
        }
    }

    /** {@return whether the client is there to be served, once its user's time allows} */
    private boolean awaitTime() {
        long nowNanos = System.nanoTime();
        long waitNanos = broker.userTime().book(peer.user(), nowNanos);
        if (waitNanos == 0) {
            return true;
        }
        broker.onWait(this, nowNanos);
        return !socket.awaitEnd(waitNanos);
    }

    private void charge(long usedNanos) {
        broker.userTime().charge(peer.user(), usedNanos, System.nanoTime());
    }

    /** Ends the session soon. Any thread. */
    void hangUp(String reason) {
        if (endReason == null) {
            endReason = reason;
        }
        socket.shutdown();
    }

    /** {@return whether the session goes on} What a client sends is never trusted. */
    boolean onMessage(MessageReader message) {
        MessageKind kind = MessageKind.of(message.getInt());
        boolean isGood = member == null ? kind == MessageKind.HELLO && onHello(message) : onMessage(kind, message);
        if (!isGood && endReason == null) {
            endReason = "it sent what is no message of this version's protocol";
        }
        return isGood;
    }

    private boolean onMessage(MessageKind kind, MessageReader message) {
        if (kind == null) {
            return false;
        }
        return switch (kind) {
            case CLAIM -> onClaim(message);
            case RELEASE -> onRelease(message);
            case RESOLVE -> onResolve(message);
            case FIND_MACS -> onFindMacs(message);
            case VERIFY -> onVerify(message);
            case DROP_PEER -> onDropPeer(message);
            default -> false;
        };
    }

    private boolean onHello(MessageReader message) {
        int version = message.getInt();
        if (!message.isWhole()) {
            return false;
        }
        try {
            if (version != MessageKind.VERSION) {
                throw new NicException("the broker speaks version " + MessageKind.VERSION
                        + " of its protocol, and this process version " + version
                        + "; run the same version of Weir on both sides");
            }
            broker.requireMayConnect(this);
            if (!enter()) {
                return false;
            }
            // What has changed meanwhile was told to nobody.
            broker.tellState(this);
            return true;
        } catch (IOException e) {
            refuse(0, RefusalKind.of(e), e.getMessage());
            broker.onRefusal(this, e.getMessage());
            endReason = e.getMessage();
            return false;
        }
    }

    /** {@return whether the client has its rings: it is still there when it has its turn and its user has time} */
    private boolean enter() throws IOException {
        broker.userTurns().begin(peer.user());
        try {
            long waitNanos = broker.userTime().waitNanos(peer.user(), System.nanoTime());
            if (waitNanos > 0 && socket.awaitEnd(waitNanos)) {
                return false;
            }
            broker.welcome(this);
            return true;
        } finally {
            // Before the next one looks at the user's time.
            charge(used.takeNanos());
            broker.userTurns().end(peer.user());
        }
    }

    /** Gives back what the client had. */
    private void leave() {
        broker.userTurns().begin(peer.user());
        try {
            broker.end(this, endReason == null ? "it ended or closed its transport" : endReason);
        } finally {
            charge(used.takeNanos());
            broker.userTurns().end(peer.user());
        }
    }

    // ---- what clients ask for

    private boolean onClaim(MessageReader message) {
        int request = message.getInt();
        int udpPort = message.getPort();
        if (!message.isWhole()) {
            return false;
        }
        try {
            claim(udpPort);
            answer(new MessageWriter(MessageKind.CLAIMED).putInt(request));
        } catch (IOException e) {
            refuse(request, RefusalKind.of(e), e.getMessage());
        }
        return true;
    }

    private void claim(int udpPort) throws IOException {
        if (!broker.rights().mayTake(peer.user(), udpPort)) {
            throw new NicException(
                    Errno.EACCES,
                    "user " + user + " has no right to UDP port " + udpPort
                            + " of this broker; add it to the file that the broker was given by --rights, or without one"
                            + " take a port from 1024 on");
        }
        if (ports.size() >= PORTS_MAX) {
            throw new NicException("this process has " + PORTS_MAX
                    + " UDP ports of the broker, the most of one client; close some connections or listeners");
        }
        Member owner = broker.exchange().takePort(udpPort, member);
        if (ports.containsKey(udpPort)) {
            throw new BindException("UDP port " + udpPort + " is in use by this transport");
        }
        if (owner != member) {
            throw new BindException("UDP port " + udpPort + " is in use by another process of this broker"
                    + broker.describe(owner) + "; end that one, or take another port");
        }
        boolean isClaimed = false;
        int descriptorCount = Math.max(1, broker.netInterface().addresses().size());
        String excess = broker.descriptorQuota().take(peer.user(), user, descriptorCount);
        try {
            if (excess != null) {
                throw new NicException(excess);
            }
            broker.netInterface().claimPort(udpPort);
            isClaimed = true;
        } finally {
            if (!isClaimed) {
                broker.exchange().leavePort(udpPort, member);
                if (excess == null) {
                    broker.descriptorQuota().giveBack(peer.user(), descriptorCount);
                }
            }
        }
        ports.put(udpPort, descriptorCount);
    }

    private boolean onRelease(MessageReader message) {
        int udpPort = message.getPort();
        if (!message.isWhole()) {
            return false;
        }
        Integer descriptorCount = ports.remove(udpPort);
        if (descriptorCount != null) {
            releasePort(udpPort, descriptorCount);
        }
        return true;
    }

    private void releasePort(int udpPort, int descriptorCount) {
        broker.releasePort(udpPort, member);
        broker.descriptorQuota().giveBack(peer.user(), descriptorCount);
    }

    private boolean onResolve(MessageReader message) {
        int request = message.getInt();
        int localPort = message.getPort();
        IpAddress remote = message.getAddress();
        int remotePort = message.getPort();
        long waitNanosMax = message.getLong();
        if (!message.isWhole()) {
            return false;
        }
        InetSocketAddress target = new InetSocketAddress(remote.toInetAddress(), remotePort);
        remember(target.getAddress());
        try {
            resolvers().execute(() -> resolve(request, localPort, target, waitNanosMax));
        } catch (RejectedExecutionException e) {
            refuse(
                    request,
                    RefusalKind.TIMED_OUT,
                    "the broker looks for " + RESOLVES_MAX
                            + " ways for this process already; open fewer connections at once");
        }
        return true;
    }

    private void resolve(int request, int localPort, InetSocketAddress target, long waitNanosMax) {
        ThreadTime used = new ThreadTime();
        if (!awaitTime()) {
            return;
        }
        try {
            answer(PathMessage.write(request, broker.resolve(this, localPort, target, waitNanosMax)));
        } catch (IOException e) {
            refuse(request, RefusalKind.of(e), e.getMessage());
        } catch (RuntimeException | Error e) {
            LOG.error("a way for process={} of user={} could not be found", peer.processId(), user, e);
            refuse(request, RefusalKind.ENVIRONMENT, "the broker failed: " + e);
            broker.onFault(e);
        } finally {
            charge(used.takeNanos() - UserTime.REQUEST_NANOS);
        }
    }

    private void remember(InetAddress remote) {
        synchronized (remotes) {
            remotes.put(remote, Boolean.TRUE);
        }
    }

    private boolean hasAskedFor(InetAddress remote) {
        synchronized (remotes) {
            return remotes.containsKey(remote);
        }
    }

    private boolean onFindMacs(MessageReader message) {
        int count = message.getCount(ADDRESS_BYTES);
        List<InetAddress> wanted = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            wanted.add(message.getAddress().toInetAddress());
        }
        if (!message.isWhole()) {
            return false;
        }
        wanted.forEach(this::remember);
        charge(FOLLOWER_REQUEST_NANOS + wanted.size() * FOLLOWER_HOST_NANOS);
        broker.findMacs(this, wanted);
        return true;
    }

    private boolean onVerify(MessageReader message) {
        IpAddress remote = message.getAddress();
        if (!message.isWhole()) {
            return false;
        }
        long nowNanos = System.nanoTime();
        if (nowNanos - verificationsNanos >= TimeUnit.SECONDS.toNanos(1)) {
            verificationsNanos = nowNanos;
            verifications = 0;
        }
        // Others have to wait; a client names them again while they are silent.
        if (++verifications <= VERIFICATIONS_PER_SECOND) {
            charge(FOLLOWER_REQUEST_NANOS + FOLLOWER_HOST_NANOS);
            broker.netInterface().verify(remote.toInetAddress());
        }
        return true;
    }

    private boolean onDropPeer(MessageReader message) {
        int number = message.getInt();
        if (!message.isWhole()) {
            return false;
        }
        broker.pairs().drop(member.number(), number);
        return true;
    }

    // ---- what clients are told; any thread

    void refuse(int request, RefusalKind kind, String sentence) {
        answer(new MessageWriter(MessageKind.REFUSED)
                .putInt(request)
                .putInt(kind.ordinal())
                .putText(String.valueOf(sentence)));
    }

    /**
     * Answers what the client has asked for, with descriptors; hangs up if it leaves no room for the answer. A thread
     * that serves this client alone.
     */
    void answer(MessageWriter message, int... descriptors) {
        if (!socket.trySend(message.buffer(), message.lengthBytes(), descriptors)) {
            hangUp("it does not read the answers that it asked for");
        }
    }

    /** {@return whether a message for which another client is the cause found room, with descriptors} Never waits. */
    boolean offer(MessageWriter message, int... descriptors) {
        return socket.offer(message.buffer(), message.lengthBytes(), descriptors);
    }

    /** Tells the client something, now or when it reads again: the latest of each kind. Never waits. */
    void tell(MessageKind kind, MessageWriter message) {
        synchronized (untold) {
            if (untold.isEmpty()) {
                untoldNanos = System.nanoTime();
            }
            // At the end: news of other kinds that came before is told before.
            untold.remove(kind);
            untold.put(kind, message);
        }
        tellNews();
    }

    /** Tells what there was no room for, and hangs up if that has been so for too long. Never waits. */
    void tellNews() {
        synchronized (untold) {
            Iterator<MessageWriter> news = untold.values().iterator();
            boolean hasRoom = true;
            while (hasRoom && news.hasNext()) {
                hasRoom = offer(news.next());
                if (hasRoom) {
                    news.remove();
                    untoldNanos = System.nanoTime();
                }
            }
            if (!hasRoom && System.nanoTime() - untoldNanos >= SILENCE_NANOS) {
                hangUp("it has read nothing for " + TimeUnit.NANOSECONDS.toSeconds(SILENCE_NANOS) + " s");
            }
        }
    }

    void tellAddresses(List<IpAddress> addresses) {
        tell(MessageKind.ADDRESSES, AddressesMessage.write(addresses));
    }

    void tellPort(String failure) {
        tell(MessageKind.PORT, new MessageWriter(MessageKind.PORT).putText(failure == null ? "" : failure));
    }

    /** Answers {@link MessageKind#FIND_MACS}. Never waits: a client without room is told that ways have changed. */
    void tellMacs(long localMac, Map<InetAddress, Long> macs) {
        List<Map.Entry<InetAddress, Long>> wanted = List.copyOf(macs.entrySet());
        for (int first = 0; first == 0 || first < wanted.size(); first += MACS_PER_MESSAGE) {
            List<Map.Entry<InetAddress, Long>> part =
                    wanted.subList(first, Math.min(wanted.size(), first + MACS_PER_MESSAGE));
            MessageWriter message =
                    new MessageWriter(MessageKind.MACS).putLong(localMac).putInt(part.size());
            part.forEach(
                    entry -> message.putAddress(IpAddress.of(entry.getKey())).putLong(entry.getValue()));
            if (!offer(message)) {
                tell(MessageKind.WAYS_CHANGED, new MessageWriter(MessageKind.WAYS_CHANGED));
            }
        }
    }

    void tellReturned(long tag, InetSocketAddress remote, boolean isRefused) {
        if (hasAskedFor(remote.getAddress())) {
            offer(new MessageWriter(MessageKind.RETURNED)
                    .putLong(tag)
                    .putAddress(IpAddress.of(remote.getAddress()))
                    .putInt(remote.getPort())
                    .putInt(isRefused ? 1 : 0));
        }
    }
}
