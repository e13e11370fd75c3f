package io.weir.transport.testing;

import io.weir.pacer.CreditShape;
import io.weir.pacer.SeededRandom;
import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import io.weir.transport.host.Connection;
import io.weir.transport.host.HostConfig;
import io.weir.transport.host.HostStack;
import io.weir.transport.node.Egress;
import io.weir.transport.protocol.ProtocolConfig;
import io.weir.transport.protocol.ProtocolFactory;
import io.weir.transport.protocol.Settings;
import io.weir.transport.protocol.credit.CreditPortConfig;
import io.weir.transport.protocol.expresspass.ExpressPass;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.wire.AcceptHeader;
import io.weir.transport.wire.ChallengeHeader;
import io.weir.transport.wire.Cookie;
import io.weir.transport.wire.Datagram;
import io.weir.transport.wire.FrameType;
import io.weir.transport.wire.OpenHeader;
import io.weir.transport.wire.Path;
import io.weir.transport.wire.ResetHeader;
import io.weir.transport.wire.WeirHeader;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A conversation with one real host in virtual time. The peer is nothing but frames made by hand; what the host sends,
 * and when, is compared with what the script says. Times are nanoseconds since {@link #mark} was called last, or since
 * the start.
 *
 * <p>The host's link carries one byte a nanosecond, credits are 84 B on the wire and come at even gaps of 1622 ns, so
 * that every time can be computed by hand. Closing a script fails if a frame is missing.
 */
public final class Script implements AutoCloseable {
    /** So long that nobody takes it for the round trip of a network. */
    private static final long CONFIRMATION_NANOS = 600_000;

    /** The rate of the host's link: one byte a nanosecond. */
    public static final long LINK_RATE_BPS = 8_000_000_000L;

    /** What a whole data frame carries over IPv4. */
    public static final int SEGMENT_BYTES = 1424;

    /** The time between two credits at the highest rate: a credit of 84 B and its frame of 1538 B. */
    public static final long CREDIT_GAP_NANOS = 1622;

    private static final int HOST = 1;
    private static final int PEER = 2;
    private static final int CLIENT_PORT = 40_000;
    private static final int CLOSED_PORT = 9;
    private static final long PEER_TAG = 0x7EE7_0000_0000_0001L;
    private static final int WIRE_FRAMES = 64;
    private static final int SAME_TIME_MAX = 1_000;

    private final int protocolCode;
    private final FramePool pool;
    private final FramePool wire = new FramePool(WIRE_FRAMES, 2048, true);
    private final HostStack host;
    private final Egress egress;
    private final ScriptApp app = new ScriptApp();
    private final UnsafeBuffer cookie = new UnsafeBuffer(new byte[Cookie.BYTES]);
    private final UnsafeBuffer cookieBefore = new UnsafeBuffer(new byte[Cookie.BYTES]);
    private final Queue<SentFrame> sent = new ArrayDeque<>();
    private final List<SentFrame> history = new ArrayList<>();
    private final Datagram datagram = new Datagram();
    private PeerFrames peer;
    private Connection connection;
    private int peerCreditFrames = 1;
    private boolean doesPeerTakeRiders;
    private long nowNanos;
    private long epochNanos;
    /** How many times the host was run because something was due. */
    private long eventCount;

    /** Creates a host; {@code options} change what is not the default. */
    public Script(ProtocolConfig protocol, UnaryOperator<HostConfig.Builder> options, int frameCount) {
        protocolCode = protocol.id().code();
        pool = new FramePool(frameCount, 2048, true);
        CreditShape shape = CreditShape.permitting(1538);
        HostConfig.Builder builder = HostConfig.builder(
                        TestNetwork.mac(HOST), List.of(TestNetwork.address(HOST)), LINK_RATE_BPS)
                .credits(CreditPortConfig.exact(LINK_RATE_BPS, shape, 0, 2));
        SeededRandom random = new SeededRandom(7);
        ProtocolFactory factory = protocol.newFactory(random.split());
        host = new HostStack(options.apply(builder).build(), pool, List.of(factory), random::nextLong);
        egress = host.egress(0);
        fill(cookie, (byte) 0x11);
    }

    /** Creates a host with the default options, whose idle flows hold no credits. */
    public Script() {
        this(builder -> builder);
    }

    /** Creates a host with other options, whose idle flows hold no credits. */
    public Script(UnaryOperator<HostConfig.Builder> options) {
        this(even(ExpressPass.weir().with(ExpressPass.STANDING_BYTES, 0L)), options, 256);
    }

    /** Creates a host with the default options; ExpressPass has {@link #even} credits. */
    public Script(Settings protocol) {
        this(protocol.kind().equals(ExpressPass.KIND) ? even(protocol) : protocol, builder -> builder, 256);
    }

    /** {@return the same protocol, whose credits are 84 B at even gaps} */
    public static Settings even(Settings protocol) {
        return protocol.with(ExpressPass.LARGEST, 84).with(ExpressPass.JITTER, 0.0);
    }

    private static void fill(UnsafeBuffer buffer, byte value) {
        buffer.setMemory(0, buffer.capacity(), value);
    }

    // ---- roles

    /** Makes the peer say, from its opening or acceptance on, that credits may grant so many frames. */
    public Script peerCreditFrames(int frames) {
        peerCreditFrames = frames;
        return this;
    }

    /** Makes the peer say, from its opening or acceptance on, that it takes acknowledgements and credits on data. */
    public Script peerTakesRiders() {
        doesPeerTakeRiders = true;
        return this;
    }

    /** Makes the host listen; the peer will open. */
    public Script listen() {
        host.listen(TestNetwork.PORT, incoming -> {
            connection = incoming;
            return app;
        });
        usePeer(pathOfHost(TestNetwork.PORT, CLIENT_PORT).mirrored());
        return this;
    }

    /** Makes the host open a connection; {@code earlyBytes} are written before anything is known of the peer. */
    public Script connect(int earlyBytes) {
        return connect(CLIENT_PORT, earlyBytes);
    }

    /** Makes the host open a connection from this port. */
    public Script connect(int clientPort, int earlyBytes) {
        Path path = pathOfHost(clientPort, TestNetwork.PORT);
        usePeer(path.mirrored());
        host.tick(nowNanos);
        connection = host.connect(path, app);
        if (earlyBytes > 0) {
            write(earlyBytes);
        }
        run(nowNanos);
        return this;
    }

    private static Path pathOfHost(int localPort, int remotePort) {
        return Path.from(TestNetwork.mac(HOST), TestNetwork.address(HOST), localPort)
                .to(TestNetwork.mac(PEER), TestNetwork.address(PEER), remotePort);
    }

    private void usePeer(Path path) {
        peer = new PeerFrames(wire, path, PEER_TAG, cookie, 0)
                .creditFrames(peerCreditFrames)
                .takesRiders(doesPeerTakeRiders);
    }

    /**
     * Opens a connection from the host with a challenge, and marks the time: everything sent until then is forgotten.
     */
    public Script establishFromHost(int earlyBytes, long peerWindowBytes) {
        connect(earlyBytes);
        receives(from -> from.challenge());
        at(10_000).receives(from -> from.accept(peerWindowBytes, 0, protocolCode));
        at(20_000).forgetSent();
        app.takeEvents();
        return mark();
    }

    /** Opens a connection from the peer with a cookie, and marks the time. */
    public Script establishFromPeer(long backlogBytes) {
        return establishFromPeer(backlogBytes, CONFIRMATION_NANOS);
    }

    /** Lets the peer open a connection, and confirm its acceptance after {@code confirmationNanos}. */
    public Script establishFromPeer(long backlogBytes, long confirmationNanos) {
        listen();
        int request = backlogBytes > 0 ? OpenHeader.FLAG_CREDIT_REQUEST : 0;
        receives(from -> from.open(0, 0, protocolCode, PeerFrames.MTU_BYTES));
        at(10_000)
                .receives(from ->
                        from.open(OpenHeader.FLAG_COOKIE | request, backlogBytes, protocolCode, PeerFrames.MTU_BYTES));
        at(10_000 + confirmationNanos).receives(from -> from.ack(0, PeerFrames.WINDOW_BYTES, 0));
        at(20_000 + confirmationNanos).forgetSent();
        app.takeEvents();
        return mark();
    }

    // ---- time

    /** Makes now time 0. */
    public Script mark() {
        epochNanos = nowNanos;
        return this;
    }

    /** Lets time pass up to and with {@code nanos} after the mark. */
    public Script at(long nanos) {
        run(epochNanos + nanos);
        return this;
    }

    /** Lets {@code nanos} pass. */
    public Script after(long nanos) {
        run(nowNanos + nanos);
        return this;
    }

    private void run(long untilNanos) {
        if (untilNanos < nowNanos) {
            throw new IllegalArgumentException("time " + untilNanos + " is past: it is " + nowNanos);
        }
        int sameTimeCount = 0;
        drain();
        for (long next = nextNanos(); next <= untilNanos; next = nextNanos()) {
            sameTimeCount = next > nowNanos ? 0 : sameTimeCount + 1;
            if (sameTimeCount > SAME_TIME_MAX) {
                throw new AssertionError("the host wants to be run again and again at " + (nowNanos - epochNanos));
            }
            eventCount++;
            nowNanos = Math.max(next, nowNanos);
            host.onTimeout(nowNanos);
            drain();
        }
        nowNanos = untilNanos;
        host.tick(nowNanos);
    }

    private long nextNanos() {
        return Math.min(host.nextTimeoutNanos(), egress.nextTransmitNanos(nowNanos));
    }

    private void drain() {
        for (Frame frame = egress.pollTransmit(nowNanos); frame != null; frame = egress.pollTransmit(nowNanos)) {
            learn(frame);
            SentFrame record = SentFrame.of(frame, nowNanos - epochNanos);
            sent.add(record);
            history.add(record);
            frame.release();
        }
    }

    /** A peer knows what the host's handshake frames have told it. */
    private void learn(Frame frame) {
        if (datagram.parse(frame) != null) {
            throw new AssertionError("the host sent a damaged frame");
        }
        UnsafeBuffer buffer = frame.buffer();
        int at = datagram.weirAt();
        FrameType type = WeirHeader.type(buffer, at);
        if (type == FrameType.OPEN) {
            peer = peer.withTag(WeirHeader.tag(buffer, at));
        } else if (type == FrameType.CHALLENGE) {
            buffer.getBytes(ChallengeHeader.cookieAt(at), cookie, 0, Cookie.BYTES);
        } else if (type == FrameType.ACCEPT) {
            peer = peer.withTag(AcceptHeader.responderTag(buffer, at));
            buffer.getBytes(AcceptHeader.tokenAt(at), cookie, 0, Cookie.BYTES);
        }
    }

    /** The host's driver does not run for {@code nanos}, and does not notice. */
    public Script stall(long nanos) {
        nowNanos += nanos;
        return this;
    }

    /** The host's driver does not run for {@code nanos}, and tells the host. */
    public Script pause(long nanos) {
        stall(nanos);
        host.onPause(nanos, nowNanos);
        return this;
    }

    /** The host's driver has found its rings empty. */
    public Script caughtUp() {
        host.onCaughtUp(nowNanos);
        return this;
    }

    /** Keeps the link busy from now on: the answer to an opening to a port without listener takes 84 ns. */
    public Script occupyLink() {
        Path path = peer.path();
        Path closed = Path.from(path.localMac(), path.local(), path.localPort())
                .to(path.remoteMac(), path.remote(), CLOSED_PORT);
        receives(from -> from.withPath(closed).open(0, 0));
        return sends("RESET reason=" + ResetHeader.REFUSED);
    }

    // ---- what the host receives, and what its application does

    /** The peer's frame reaches the host now. */
    public Script receives(Function<PeerFrames, Frame> made) {
        deliver(made.apply(peer));
        run(nowNanos);
        return this;
    }

    /** The peer's frame reaches the host now, whose driver does not ask it for frames to send before time goes on. */
    public Script receivesUnpolled(Function<PeerFrames, Frame> made) {
        deliver(made.apply(peer));
        return this;
    }

    /**
     * The peer's frame reaches the host with one byte changed, {@code index} bytes from its start, and right checksums.
     */
    public Script receivesDamaged(Function<PeerFrames, Frame> made, int index) {
        Frame frame = made.apply(peer);
        UnsafeBuffer buffer = frame.buffer();
        int at = frame.offset() + index;
        buffer.putByte(at, (byte) (buffer.getByte(at) ^ 0x40));
        Checksums.repair(frame);
        deliver(frame);
        run(nowNanos);
        return this;
    }

    /** A frame that was recorded, and changed since, reaches the host now with right checksums. */
    public Script receivesRepaired(SentFrame changed) {
        cookieBefore.putBytes(0, cookie, 0, Cookie.BYTES);
        Frame frame = changed.replay(wire);
        Checksums.repair(frame);
        deliver(frame);
        run(nowNanos);
        return this;
    }

    /** The peer forgets the cookie that {@link #receivesRepaired} was answered with, and has the one of before. */
    public Script restoreCookie() {
        cookie.putBytes(0, cookieBefore, 0, Cookie.BYTES);
        return this;
    }

    /** A frame that was recorded somewhere reaches the host now. */
    public Script receivesAgain(SentFrame frame) {
        deliver(frame.replay(wire));
        run(nowNanos);
        return this;
    }

    private void deliver(Frame frame) {
        host.onFrame(0, frame, nowNanos);
    }

    /** {@return a record of a frame of the peer, to be received more than once} */
    public SentFrame record(Function<PeerFrames, Frame> made) {
        Frame frame = made.apply(peer);
        SentFrame record = SentFrame.of(frame, nowNanos - epochNanos);
        frame.release();
        return record;
    }

    /** The application writes, and there is room. */
    public Script write(int bytes) {
        UnsafeBuffer source = new UnsafeBuffer(new byte[bytes]);
        StreamBytes.fill(
                source,
                0,
                bytes,
                PeerFrames.STREAM_SEED,
                connection.sendBuffer().endOffset());
        int written = connection.write(source, 0, bytes);
        if (written != bytes) {
            throw new AssertionError("there was room for " + written + " of " + bytes + " B");
        }
        run(nowNanos);
        return this;
    }

    /** The application ends its stream. */
    public Script shutdown() {
        connection.shutdownOutput();
        run(nowNanos);
        return this;
    }

    /** The application aborts the connection. */
    public Script abort() {
        connection.abort();
        run(nowNanos);
        return this;
    }

    /** The application takes {@code bytes} of what waits, and no more later. */
    public Script read(long bytes) {
        app.take(bytes);
        connection.resumeReading();
        run(nowNanos);
        return this;
    }

    // ---- expectations

    /** The next frame that the host has sent by now says this. */
    public Script sends(String text) {
        SentFrame next = sent.poll();
        if (next == null || !next.text().equals(text)) {
            throw new AssertionError("expected " + text + "\n but sent " + next + told());
        }
        return this;
    }

    /** The next frame that the host has sent says this, and left at exactly this time. */
    public Script sendsAt(long nanos, String text) {
        SentFrame next = sent.peek();
        if (next != null && next.nanos() != nanos) {
            throw new AssertionError("expected " + nanos + " " + text + "\n but sent " + next + told());
        }
        return sends(text);
    }

    /** The host has sent nothing else by now. */
    public Script sendsNothing() {
        if (!sent.isEmpty()) {
            throw new AssertionError("expected silence\n but sent " + sent.peek() + told());
        }
        return this;
    }

    private String told() {
        StringBuilder text = new StringBuilder("\nall that was sent, at " + (nowNanos - epochNanos) + ":");
        history.forEach(frame -> text.append("\n  ").append(frame));
        return text.append('\n').append(host.counters()).toString();
    }

    /** Does not ask what the host has sent until now. */
    public Script forgetSent() {
        sent.clear();
        return this;
    }

    /** The application has heard this since the last question. */
    public Script hears(String... events) {
        List<String> heard = app.takeEvents();
        if (!heard.equals(Arrays.asList(events))) {
            throw new AssertionError("expected " + Arrays.toString(events) + "\n but heard " + heard + told());
        }
        return this;
    }

    /** The host has counted this often. */
    public Script counts(CounterId id, long count) {
        if (host.counters().get(id) != count) {
            throw new AssertionError("expected " + id + "=" + count + "\n but it is "
                    + host.counters().get(id) + told());
        }
        return this;
    }

    // ---- questions

    /** {@return the frames that were sent and not asked for yet, the oldest first, now asked for} */
    public List<SentFrame> takeSent() {
        List<SentFrame> all = List.copyOf(sent);
        sent.clear();
        return all;
    }

    /** {@return everything that was ever sent} */
    public List<SentFrame> history() {
        return history;
    }

    /** {@return the host} */
    public HostStack host() {
        return host;
    }

    /** {@return the host's application} */
    public ScriptApp app() {
        return app;
    }

    /** {@return the peer as it knows the host now} */
    public PeerFrames peer() {
        return peer;
    }

    /** {@return the connection under test} */
    public Connection connection() {
        return connection;
    }

    /** {@return the host's frames} */
    public FramePool pool() {
        return pool;
    }

    /** {@return how many times the host was run because something was due} */
    public long eventCount() {
        return eventCount;
    }

    /** {@return the time since the mark} */
    public long nowNanos() {
        return nowNanos - epochNanos;
    }

    /** Ends the conversation, and fails if a frame is missing. */
    @Override
    public void close() {
        host.close();
        requireWhole(pool);
        requireWhole(wire);
    }

    private static void requireWhole(FramePool pool) {
        if (pool.available() != pool.frameCount()) {
            throw new AssertionError((pool.frameCount() - pool.available()) + " frames are missing");
        }
    }
}
