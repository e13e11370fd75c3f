package io.weir.cli.perf;

import io.weir.cli.environment.StopRequest;
import io.weir.cli.perf.carrier.Endpoint;
import io.weir.cli.perf.carrier.Link;
import io.weir.cli.perf.carrier.OnLoop;
import io.weir.transport.host.CloseReason;
import io.weir.transport.runtime.OwnTimeLimit;
import java.io.IOException;
import java.net.ProtocolException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One test, at one end, from the moment that both agreed on it: starts the streams, looks at them, and exchanges
 * reports. It belongs to one thread; only {@link #attach} is the loops'.
 */
final class TestSession implements DataStream.Owner {
    private static final long ALIVE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    /** Silence up to this long needs no further look. */
    private static final long QUIET_NANOS = 2 * ALIVE_NANOS;

    private static final long INTERVAL_SHARE_MIN = 10;

    private final Role role;
    private final TestSpec spec;
    private final Endpoint endpoint;
    private final ControlChannel control;
    private final SessionConfig config;
    private final String peer;
    private final StreamSet streams;
    private final List<Interval> intervals = new ArrayList<>();
    private final AtomicInteger connectedCount = new AtomicInteger();
    private final AtomicInteger doneCount = new AtomicInteger();
    private final TrafficWatch watch;
    /** Null until the streams start. */
    private StreamSampler sampler;
    /** Whether the server has said that its streams run; set once. */
    private boolean hasStarted;
    /** Whether this end's streams were told that their time is over; set once. */
    private boolean hasStopped;
    /** Whether the last interval has ended; set once. */
    private boolean hasMeasured;
    /** What the peer measured; null until it has told. */
    private SideReport peerReport;
    /** When the peer was last heard from, by System.nanoTime; a silence counts from it. */
    private long heardNanos = System.nanoTime();
    /** How long a peer that has been quiet may still be; null while it speaks. */
    private OwnTimeLimit silence;
    /** When the peer is told next that this end is there, by System.nanoTime. */
    private long aliveNanos;
    /** When the interval at hand ends, since the test's begin; Long.MAX_VALUE for never. */
    private long intervalNanos;

    /**
     * Creates a session whose streams have no connections yet.
     *
     * @param payloadSeed what this end's senders make payload from; the test's own, but for tests of the check
     */
    TestSession(
            Role role,
            TestSpec spec,
            Endpoint endpoint,
            ControlChannel control,
            SessionConfig config,
            String peer,
            Long payloadSeed) {
        this.role = role;
        this.spec = spec;
        this.endpoint = endpoint;
        this.control = control;
        this.config = config;
        this.peer = peer;
        this.streams = StreamSet.of(role, spec, config, payloadSeed, endpoint.linkRateBps(), this);
        this.watch = new TrafficWatch(role, config, streams.all());
    }

    /** A client's connection says first to which stream it belongs. */
    @Override
    public void onConnected(DataStream stream, Link link) {
        byte[] preface = Preface.data(spec.id(), stream.index()).encoded();
        link.write(new UnsafeBuffer(preface), 0, preface.length);
        attach(stream.index(), link);
    }

    @Override
    public void eachCycle(DataStream stream, BooleanSupplier work) {
        endpoint.eachCycle(stream.link(), work);
    }

    @Override
    public void onDone() {
        doneCount.incrementAndGet();
        control.signal();
    }

    TestSpec spec() {
        return spec;
    }

    List<DataStream> streams() {
        return streams.all();
    }

    /**
     * {@return the stream that the connection is for from now on, or null when there is none} The connection's loop's
     * thread only.
     */
    synchronized DataStream attach(int stream, Link link) {
        if (stream >= streams.all().size() || streams.all().get(stream).isConnected()) {
            return null;
        }
        DataStream attached = streams.all().get(stream);
        link.tune(spec.details().windowBytes(), spec.details().trafficClass());
        attached.attach(link);
        connectedCount.incrementAndGet();
        control.signal();
        return attached;
    }

    // ---- the session's own thread

    /**
     * Runs the test to its end.
     *
     * @return what was found: all of it, or, when the test was cut off, what was there by then, and why
     * @throws IOException if the test did not begin, or this end cannot tell any more what there was
     */
    PerfResult run() throws IOException {
        await(
                () -> connectedCount.get() == streams.all().size() || doneCount.get() > 0,
                "data connections",
                config.patienceNanos());
        requireConnected();
        if (role == Role.SERVER) {
            control.send(ControlMessage.of(ControlMessage.Type.START));
        } else {
            await(() -> hasStarted, "the server's start", config.patienceNanos());
        }
        start();
        try {
            await(() -> doneCount.get() == streams.all().size() || lostPeer() != null, "its end", Long.MAX_VALUE);
            requirePeer();
            endMeasurement();
            return exchangeReports();
        } catch (IOException e) {
            return cutOff(e);
        }
    }

    private void endMeasurement() throws IOException {
        if (!hasMeasured) {
            hasMeasured = true;
            intervalNanos = Long.MAX_VALUE;
            endInterval(true);
            config.listeners().forEach(listener -> listener.onEnd(sampler.latencies()));
        }
    }

    /** {@return why a stream lost its peer, or null: no other stream will go on for long then} */
    private CloseReason lostPeer() {
        return streams.all().stream()
                .map(DataStream::lostPeer)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    private void requirePeer() throws IOException {
        CloseReason reason = lostPeer();
        if (reason != null) {
            throw gone(reason);
        }
    }

    private SocketException gone(CloseReason reason) {
        boolean isPeers = reason == CloseReason.TIMED_OUT || reason == CloseReason.FORGOTTEN;
        return new SocketException(
                (isPeers ? peer + " is gone, the test is over: " : "the test with " + peer + " is over: ")
                        + reason.phrase());
    }

    /**
     * {@return what there is of a test that has failed} Without what this end saw, which a loop that has ended cannot
     * tell, there is no result.
     */
    private PerfResult cutOff(IOException failure) throws IOException {
        if (Thread.interrupted()) {
            config.stop().onInterrupt();
        }
        String reason = config.stop().isAsked() ? StopRequest.REASON : failure.getMessage();
        SideReport own;
        try {
            endMeasurement();
            own = report();
        } catch (IOException e) {
            failure.addSuppressed(e);
            throw failure;
        }
        tellPeer(reason);
        return result(own, reason);
    }

    private void tellPeer(String reason) {
        if (lostPeer() != null || isSilent(System.nanoTime())) {
            control.abort();
        } else {
            control.send(ControlMessage.because(
                    ControlMessage.Type.FAILED,
                    config.stop().isAsked() ? "the " + role.word() + " was interrupted" : reason));
        }
    }

    private PerfResult result(SideReport own, String ended) {
        SideReport client = role == Role.CLIENT ? own : peerReport;
        SideReport server = role == Role.CLIENT ? peerReport : own;
        return new PerfResult(role, peer, spec, client, server, intervals, null, ended);
    }

    private void requireConnected() throws IOException {
        if (connectedCount.get() < streams.all().size()) {
            String failure = streams.all().stream()
                    .map(DataStream::failure)
                    .filter(Objects::nonNull)
                    .findFirst()
                    .orElse("one ended at once");
            throw new SocketException("the data connections with " + peer + " could not be opened: " + failure);
        }
    }

    private void start() {
        TestStart beginning = TestStart.of(role, peer, spec, streams.all());
        boolean isOmitting = spec.details().omitNanos() > 0;
        sampler = new StreamSampler(endpoint, streams.all(), hasRequester(), isOmitting);
        intervalNanos = firstIntervalNanos();
        config.listeners().forEach(listener -> listener.onStart(beginning));
        onLoops(DataStream::start);
    }

    private long firstIntervalNanos() {
        return config.intervalNanos() == 0 ? Long.MAX_VALUE : config.intervalNanos();
    }

    private boolean hasRequester() {
        return spec.kind() == Kind.REQUEST_RESPONSE && role == Role.CLIENT;
    }

    /** The client speaks first, so that the server knows that its answer can arrive. */
    private PerfResult exchangeReports() throws IOException {
        SideReport own = report();
        if (role == Role.CLIENT) {
            control.send(ControlMessage.report(own));
        }
        await(() -> peerReport != null, "the peer's report", Long.MAX_VALUE);
        if (role == Role.SERVER) {
            control.send(ControlMessage.report(own));
        }
        return result(own, null);
    }

    private SideReport report() throws IOException {
        return new SideReport(
                role,
                endpoint.linkRateBps(),
                OnLoop.callEach(endpoint, links(), i -> streams.all().get(i).report()),
                sampler.counts(),
                sampler.loop(),
                sampler.cpu(),
                sampler.latencies() == null ? null : Latency.of(sampler.latencies()),
                streams.messages() == null ? null : messagesReport(),
                role == Role.SERVER && spec.details().isServerTextWanted()
                        ? config.text().get()
                        : null,
                endpoint.fingerprint(spec.verifySeed()));
    }

    private WorkloadReport messagesReport() throws IOException {
        long elapsedNanos = sampler.elapsedNanos();
        return OnLoop.call(endpoint, links().get(0), () -> streams.messages()
                .report(spec.details(), endpoint.linkRateBps(), elapsedNanos));
    }

    /** Does what is due, and handles what comes, until the condition holds. */
    private void await(BooleanSupplier condition, String what, long nanosMax) throws IOException {
        OwnTimeLimit limit = nanosMax == Long.MAX_VALUE ? null : OwnTimeLimit.ofNanos(nanosMax);
        while (!condition.getAsBoolean()) {
            if (limit != null && limit.leftNanos() == 0) {
                throw new SocketTimeoutException("waited " + TimeUnit.NANOSECONDS.toSeconds(nanosMax) + " s"
                        + limit.remark() + " in vain for " + what + " of the test with " + peer
                        + "; a higher --patience waits longer");
            }
            long now = System.nanoTime();
            if (isSilent(now)) {
                throw new SocketTimeoutException(peer + " was not heard from for "
                        + TimeUnit.NANOSECONDS.toSeconds(config.patienceNanos()) + " s" + silence.remark()
                        + "; the test is over");
            }
            ControlEvent event = control.poll(onTime(now), config.stop());
            if (event != null) {
                on(event);
            }
        }
    }

    /** {@return whether the peer has said nothing for longer than this end's patience} */
    private boolean isSilent(long now) {
        long quietNanos = Math.min(QUIET_NANOS, config.patienceNanos() / 2);
        if (now - heardNanos < quietNanos) {
            silence = null;
            return false;
        }
        if (silence == null) {
            silence = OwnTimeLimit.ofNanos(config.patienceNanos() - quietNanos);
        }
        return silence.leftNanos() == 0;
    }

    /** {@return how long nothing is due} */
    private long onTime(long now) throws IOException {
        if (now - aliveNanos >= 0) {
            control.send(ControlMessage.of(ControlMessage.Type.ALIVE));
            aliveNanos = now + ALIVE_NANOS;
        }
        long idleNanos = aliveNanos - now;
        if (sampler == null) {
            return idleNanos;
        }
        if (sampler.isOmitting() && sampler.elapsedNanos() >= spec.details().omitNanos()) {
            beginMeasurement();
        }
        long elapsedNanos = sampler.elapsedNanos();
        // The last interval ends with the streams, a moment after their time: what is on its way belongs to it.
        if (elapsedNanos >= intervalNanos && (sampler.isOmitting() || intervalNanos < timeNanos())) {
            endInterval(false);
            intervalNanos = (elapsedNanos / config.intervalNanos() + 1) * config.intervalNanos();
        }
        if (!hasStopped && !sampler.isOmitting() && elapsedNanos >= timeNanos()) {
            hasStopped = true;
            onLoops(DataStream::stop);
        }
        watch.look(now, hasStopped);
        return Math.min(idleNanos, streamIdleNanos(elapsedNanos));
    }

    private long timeNanos() {
        return spec.timeNanos() == 0 ? Long.MAX_VALUE : spec.timeNanos();
    }

    private void beginMeasurement() throws IOException {
        endInterval(true);
        OnLoop.callEach(endpoint, links(), i -> {
            streams.all().get(i).omit();
            return i;
        });
        sampler.restart();
        intervalNanos = firstIntervalNanos();
    }

    private long streamIdleNanos(long elapsedNanos) {
        if (spec.bitrateBps() > 0) {
            onLoops(DataStream::onTick);
            return TICK_NANOS;
        }
        if (sampler.isOmitting()) {
            return Math.max(0, Math.min(spec.details().omitNanos(), intervalNanos) - elapsedNanos);
        }
        long endNanos = hasStopped ? Long.MAX_VALUE : timeNanos();
        long nextNanos = intervalNanos < timeNanos() ? intervalNanos : Long.MAX_VALUE;
        return Math.max(0, Math.min(endNanos, nextNanos) - elapsedNanos);
    }

    /** The last interval is as long as what is left of the test; a sliver without bytes is none. */
    private void endInterval(boolean isLast) throws IOException {
        Interval interval = sampler.next();
        long nanos = interval.endNanos() - interval.startNanos();
        boolean isSliver = nanos < config.intervalNanos() / INTERVAL_SHARE_MIN
                && interval.sentBytes() == 0
                && interval.receivedBytes() == 0;
        if (!isLast || !isSliver) {
            intervals.add(interval);
            config.listeners().forEach(listener -> listener.onInterval(interval, sampler.lastLatencies()));
        }
    }

    private void on(ControlEvent event) throws IOException {
        switch (event.kind()) {
            case MESSAGE -> {
                heardNanos = System.nanoTime();
                onMessage(event.message());
            }
            case MALFORMED -> throw new ProtocolException(event.problem());
            case ENDED, CLOSED -> throw ended(event.closeReason());
            case CONNECTED, SIGNAL -> {
                // What was waited for is looked at next.
            }
        }
    }

    private IOException ended(CloseReason reason) {
        if (reason == CloseReason.TIMED_OUT) {
            return new SocketTimeoutException(peer + " was not heard from until its connection ended ("
                    + reason.phrase() + "); the test is over");
        }
        if (reason != null && DataStream.isLoss(reason)) {
            return gone(reason);
        }
        return new ProtocolException(peer + " ended its control connection before the test was over"
                + (reason == null ? "" : " (" + reason.phrase() + ")"));
    }

    private void onMessage(ControlMessage message) throws IOException {
        switch (message.type()) {
            case START -> hasStarted = true;
            case REPORT -> peerReport = message.report();
            case FAILED -> throw new ProtocolException(peer + " gave the test up: " + message.reason());
            case ALIVE -> {
                // Nothing else is to be done.
            }
            case REQUEST, ACCEPTED, REFUSED, KERNEL, PORT ->
                throw new ProtocolException(peer + " sent " + message.type() + " in the middle of a test");
        }
    }

    /** Ends every data connection at once: the test is over, however it went. */
    void abandon() {
        onLoops(stream -> stream.link().abort());
        streams.close();
    }

    private List<Link> links() {
        return streams.all().stream().map(DataStream::link).toList();
    }

    /** Has the loop of each stream that is connected do something with it. */
    private void onLoops(Consumer<DataStream> action) {
        try {
            Map<Object, List<DataStream>> byLoop = streams.all().stream()
                    .filter(DataStream::isConnected)
                    .collect(Collectors.groupingBy(stream -> stream.link().loop()));
            for (List<DataStream> ofLoop : byLoop.values()) {
                Link first = ofLoop.get(0).link();
                endpoint.execute(first, now -> ofLoop.forEach(action));
            }
        } catch (RejectedExecutionException e) {
            // The control connection has ended with the transport, and says why.
        }
    }
}
