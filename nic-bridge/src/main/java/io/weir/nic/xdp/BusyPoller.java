package io.weir.nic.xdp;

import io.weir.nic.NicException;
import io.weir.nic.net.BusyPollSocket;
import io.weir.nic.net.InterfaceFacts;
import io.weir.nic.net.NapiDeferral;
import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import io.weir.transport.wire.Datagram;
import io.weir.transport.wire.Dscp;
import io.weir.transport.wire.HeaderTemplate;
import io.weir.transport.wire.OpenHeader;
import io.weir.transport.wire.Path;

/**
 * Runs a veth's receive work in the thread that polls its queue, while traffic is bulk. Otherwise the kernel runs it in
 * the sending thread, once per frame, so that the sender pays for both ends (docs/adr/0025-busy-polling.md).
 *
 * <p>Only a socket that has received a datagram by a NAPI can poll it ({@link BusyPollSocket}). So when bulk begins for
 * the first time, the peer gets an opening from a UDP port that the XDP program leaves to the kernel. Its answer, a
 * challenge or a refusal, reaches that socket. The opening is never confirmed, so the peer keeps no state. A peer that
 * does not answer is asked again after a second, then less often.
 *
 * <p>Owned by the loop's thread. A poll is one system call. Only asking the peer allocates.
 */
final class BusyPoller implements AutoCloseable {
    /**
     * How long after a poll the kernel begins the work itself: the longest wait of a frame while the loop is off its
     * core, or stopped. Longer than a tick of the kernel, since a poll that sets the processor's next timer costs
     * microseconds.
     */
    static final int DEFERRAL_NANOS = 20_000_000;

    private static final long ANSWER_NANOS_MAX = 100_000_000;
    private static final long RETRY_NANOS_MIN = 1_000_000_000;
    private static final long RETRY_NANOS_MAX = 64_000_000_000L;
    /** So many polls that find nothing, while frames come without them, are of a NAPI that is gone. */
    private static final int POLLS_TO_JUDGE = 16;
    /** Any tag but 0: no connection comes of it. */
    private static final long TAG = 1;

    private enum State {
        /** The kernel does the work. */
        OFF,
        /** The next frame tells whom to ask. */
        WANTS_FRAME,
        /** The peer was asked. */
        ASKING,
        /** This thread does the work. */
        ON
    }

    private final BulkDetector detector = new BulkDetector();
    private final PollGaps gaps = new PollGaps();
    private final Datagram datagram = new Datagram();
    private final BusyPollSocket socket;
    private final NapiDeferral deferral;
    private final int mtuBytes;

    /** Runs before the kernel gets the work back; set before the first poll. */
    private Runnable beforeEnd = () -> {};
    /** What the poller does now; written by the transitions below, on the loop's thread. */
    private State state = State.OFF;
    /** The NAPI's number, or 0 while it is unknown; written at a window's end. */
    private int napiId;
    /** When the wait for an answer ends (ASKING), or when to try again (OFF); set by ask and fail. */
    private long limitNanos;
    /** The wait after the next failure; doubled by each, reset by success. */
    private long retryNanos = RETRY_NANOS_MIN;
    // Since the latest window's end: polls, descriptors found right after one, and all descriptors.
    private int polls;
    private int polledDescriptors;
    private int descriptors;

    BusyPoller(BusyPollSocket socket, NapiDeferral deferral, int mtuBytes) {
        this.socket = socket;
        this.deferral = deferral;
        this.mtuBytes = mtuBytes;
    }

    /** {@return one for the interface, in the calling thread's namespace} */
    static BusyPoller open(InterfaceFacts device, BusyPoll config) throws NicException {
        BusyPollSocket socket = BusyPollSocket.open(device.index(), config.microseconds(), config.budgetFrames());
        try {
            return new BusyPoller(socket, NapiDeferral.open(), device.mtuBytes());
        } catch (NicException e) {
            socket.close();
            throw e;
        }
    }

    /** Sets what is to run before the kernel gets the work back. */
    void setBeforeEnd(Runnable action) {
        beforeEnd = action;
    }

    boolean isOn() {
        return state == State.ON;
    }

    boolean wantsFrame() {
        return state == State.WANTS_FRAME;
    }

    /** Runs the receive work. */
    void poll() {
        polls++;
        socket.poll();
    }

    void onTransmit() {
        detector.onTransmit();
    }

    /**
     * The queue had so many descriptors, and whether only after {@link #poll}.
     *
     * @return whether {@link #onWindow} is to be called
     */
    boolean onReceive(int count, boolean isAfterPoll, long nowNanos) {
        descriptors += count;
        polledDescriptors += isAfterPoll ? count : 0;
        gaps.onPoll(count == 0, nowNanos);
        if (state == State.ON && gaps.isQuiet()) {
            end();
        }
        return detector.onPoll(count, nowNanos);
    }

    /**
     * Decides who does the receive work; never this thread where frames may not wait for each other, or while another
     * thread takes much of its core: then frames would wait for their receiver in the veth's few slots.
     */
    void onWindow(boolean mayBatch, long nowNanos) {
        boolean isBulk = mayBatch && detector.isOn() && !gaps.isCoreShared();
        switch (state) {
            case OFF -> {
                if (isBulk && nowNanos >= limitNanos) {
                    if (napiId == 0) {
                        state = State.WANTS_FRAME;
                    } else {
                        begin(nowNanos);
                    }
                }
            }
            case ASKING -> {
                napiId = socket.poll() ? socket.napiId() : 0;
                if (napiId != 0) {
                    deferral.choose(napiId, DEFERRAL_NANOS);
                    begin(nowNanos);
                } else if (nowNanos >= limitNanos) {
                    fail(nowNanos);
                }
            }
            case ON -> {
                if (!isBulk) {
                    end();
                } else if (polls >= POLLS_TO_JUDGE
                        && descriptors >= BulkDetector.FRAMES_TO_STAY
                        && polledDescriptors == 0) {
                    // The interface has another NAPI now, for example because it was set down and up.
                    end();
                    fail(nowNanos);
                }
            }
            case WANTS_FRAME -> {
                if (!isBulk) {
                    state = State.OFF;
                }
            }
        }
        polls = 0;
        descriptors = 0;
        polledDescriptors = 0;
    }

    /**
     * Asks the sender of a frame.
     *
     * @return the question, to be transmitted, or null
     */
    Frame ask(Frame received, FramePool pool, long nowNanos) {
        if (datagram.parse(received) != null) {
            return null;
        }
        Frame frame = pool.allocate();
        if (frame == null) {
            return null;
        }
        Path path = datagram.replyPath();
        int port = socket.expect(path);
        if (port < 0) {
            frame.release();
            fail(nowNanos);
            return null;
        }
        HeaderTemplate headers = new HeaderTemplate(path.withLocalPort(port));
        int at = headers.begin(frame, 0);
        OpenHeader.write(frame.buffer(), at, 0, TAG);
        OpenHeader.offer(frame.buffer(), at, 0, 0, mtuBytes);
        headers.finish(frame, OpenHeader.BYTES, Dscp.CONTROL, Dscp.ECN_NOT_ECT);
        state = State.ASKING;
        limitNanos = nowNanos + ANSWER_NANOS_MAX;
        return frame;
    }

    private void begin(long nowNanos) {
        if (deferral.begin() < 0) {
            fail(nowNanos);
        } else {
            state = State.ON;
            retryNanos = RETRY_NANOS_MIN;
        }
    }

    private void end() {
        beforeEnd.run();
        giveBack();
        state = State.OFF;
    }

    private void giveBack() {
        deferral.end();
        // Until its timer ends the kernel would stay away, were it not polled once without deferral.
        socket.poll();
    }

    private void fail(long nowNanos) {
        state = State.OFF;
        napiId = 0;
        limitNanos = nowNanos + retryNanos;
        retryNanos = Math.min(2 * retryNanos, RETRY_NANOS_MAX);
    }

    @Override
    public void close() {
        if (state == State.ON) {
            giveBack();
        }
        deferral.close();
        socket.close();
    }
}
