package io.weir.cli.perf;

import io.weir.cli.environment.StopRequest;
import io.weir.cli.perf.carrier.Endpoint;
import io.weir.cli.perf.carrier.Link;
import io.weir.cli.perf.carrier.LinkHandler;
import io.weir.transport.host.CloseReason;
import io.weir.transport.runtime.LoopTask;
import io.weir.transport.runtime.OwnTimeLimit;
import java.io.InterruptedIOException;
import java.net.ProtocolException;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A test's control connection: messages out from any thread, messages in for the one that polls. */
final class ControlChannel implements LinkHandler {
    private static final Logger LOG = LoggerFactory.getLogger(ControlChannel.class);
    private static final long CLOSE_SECONDS_MAX = 2;
    /** The protocol's own limit, for a peer that says nothing more; this process may end before. */
    private static final long CLOSE_NANOS_MAX = TimeUnit.SECONDS.toNanos(10);

    private final Endpoint endpoint;
    private final BlockingQueue<ControlEvent> events = new LinkedBlockingQueue<>();
    private final Deque<byte[]> unwritten = new ArrayDeque<>();
    /** Null until it is open. Written once, by its loop's thread; before that, tasks are the first loop's. */
    private volatile Link link;

    /** Bytes of the first unwritten message that the connection has taken; less than its length. Loop's thread. */
    private int writtenBytes;
    // The part of a message that is being read, length or body: its bytes, how many are there, which part it is, and
    // whether an earlier one made no sense. Loop's thread.
    private byte[] incoming;
    private int incomingBytes;
    private boolean isBodyNext;
    private boolean isBroken;
    /** Whether the output is to end once all is written; cleared when it has. Loop's thread. */
    private boolean isClosing;

    ControlChannel(Endpoint endpoint) {
        this.endpoint = endpoint;
    }

    /**
     * {@return what happened next, or null when nothing has within the time}
     *
     * @throws InterruptedIOException if {@code stop} was asked for
     */
    ControlEvent poll(long timeoutNanos, StopRequest stop) throws InterruptedIOException {
        stop.requireGoing();
        try {
            return events.poll(Math.max(0, timeoutNanos), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            stop.onInterrupt();
            return ControlEvent.SIGNAL;
        }
    }

    /**
     * {@return what happened next, or null when nothing has within the limit}
     *
     * @throws InterruptedIOException if {@code stop} was asked for
     */
    ControlEvent poll(OwnTimeLimit limit, StopRequest stop) throws InterruptedIOException {
        while (true) {
            long nanos = limit.leftNanos();
            ControlEvent event = poll(nanos, stop);
            if (event != null || nanos == 0) {
                return event;
            }
        }
    }

    /** Makes the thread that polls look around: something other than a message happened. */
    void signal() {
        events.add(ControlEvent.SIGNAL);
    }

    /** {@return the connection, or null before it is open} It belongs to its loop's thread. */
    Link link() {
        return link;
    }

    void send(ControlMessage message) {
        byte[] bytes = ControlCodec.encode(message);
        onLoop(now -> write(bytes));
    }

    /**
     * Ends this direction after all that was sent; the connection ends when the peer does the same, or after a while.
     */
    void close() {
        onLoop(now -> {
            isClosing = true;
            flush();
        });
    }

    /** Ends the connection at once; the peer gets a reset. */
    void abort() {
        onLoop(now -> {
            if (link != null) {
                link.abort();
            }
        });
    }

    /** Waits until the connection is over, for as long as that may take in good order, or {@code stop} is asked for. */
    void awaitClosed(StopRequest stop) {
        OwnTimeLimit limit = OwnTimeLimit.ofSeconds(CLOSE_SECONDS_MAX);
        ControlEvent event = ControlEvent.SIGNAL;
        try {
            while (event != null && event.kind() != ControlEvent.Kind.CLOSED) {
                event = poll(limit, stop);
            }
        } catch (InterruptedIOException e) {
            LOG.debug("the connection is not waited for", e);
        }
    }

    private void onLoop(LoopTask task) {
        try {
            endpoint.execute(link, task);
        } catch (RejectedExecutionException e) {
            LOG.debug("the endpoint has ended already", e);
        }
    }

    // ---- on the loop's thread

    /** {@return what schedules the connection, which is open} */
    String protocol() {
        return link.protocol();
    }

    /** Sends bytes as they are. */
    void write(byte[] bytes) {
        unwritten.add(bytes);
        flush();
    }

    private void flush() {
        while (link != null && !unwritten.isEmpty()) {
            byte[] first = unwritten.peek();
            writtenBytes += link.write(new UnsafeBuffer(first), writtenBytes, first.length - writtenBytes);
            if (writtenBytes < first.length) {
                return;
            }
            writtenBytes = 0;
            unwritten.remove();
        }
        if (isClosing && link != null) {
            // Not before: what is not written yet would be cut off.
            isClosing = false;
            link.shutdownOutput();
            link.closeWithin(CLOSE_NANOS_MAX);
        }
    }

    @Override
    public void onConnected(Link opened) {
        link = opened;
        flush();
        events.add(ControlEvent.CONNECTED);
    }

    @Override
    public int onData(Link from, DirectBuffer buffer, int index, int length) {
        int taken = 0;
        try {
            while (taken < length && !isBroken) {
                taken += take(buffer, index + taken, length - taken);
            }
        } catch (ProtocolException e) {
            isBroken = true;
            events.add(ControlEvent.malformed(e.getMessage()));
        }
        // After something that is not understood, no boundary can be trusted: the rest is thrown away.
        return isBroken ? length : taken;
    }

    /** {@return how many bytes were taken: of the length before the message, or of the message} */
    private int take(DirectBuffer buffer, int index, int length) throws ProtocolException {
        if (incoming == null) {
            incoming = new byte[ControlCodec.LENGTH_BYTES];
            incomingBytes = 0;
        }
        int count = Math.min(length, incoming.length - incomingBytes);
        buffer.getBytes(index, incoming, incomingBytes, count);
        incomingBytes += count;
        if (incomingBytes == incoming.length) {
            onFilled();
        }
        return count;
    }

    private void onFilled() throws ProtocolException {
        byte[] filled = incoming;
        incomingBytes = 0;
        isBodyNext = !isBodyNext;
        if (isBodyNext) {
            int length = new UnsafeBuffer(filled).getInt(0, ByteOrder.BIG_ENDIAN);
            incoming = new byte[ControlCodec.requireLength(length)];
        } else {
            incoming = null;
            events.add(ControlEvent.message(ControlCodec.decode(filled)));
        }
    }

    @Override
    public void onEnd(Link from) {
        isClosing = true;
        flush();
        events.add(ControlEvent.ENDED);
    }

    @Override
    public void onWritable(Link to) {
        flush();
    }

    @Override
    public void onClosed(Link from, CloseReason reason) {
        events.add(ControlEvent.closed(reason));
    }
}
