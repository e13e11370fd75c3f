package io.weir.nic.xdp;

import io.weir.nic.Errno;
import io.weir.nic.ffi.Libc;
import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FrameOwner;
import io.weir.transport.frame.FramePool;
import io.weir.transport.node.Node;
import io.weir.transport.time.Deadline;

/**
 * The frames of one AF_XDP socket on the move: pool to fill ring, receive ring to Node, Node to transmit ring,
 * completion ring to pool. A few nanoseconds a frame; no allocation; a system call only to wake the kernel up.
 *
 * <p>Invariant: frames in the kernel's hands to receive into are at most the fill ring's size, so that ring never
 * overflows and its consumer index need not be read.
 */
final class XskQueue {
    private static final int OPTION_CONTINUES = 1;
    private static final long OPTION_METADATA = 1 << 1;
    private static final int REFILL_FRAMES = 32;
    /** So long after a poll the kernel certainly leaves the work alone. */
    private static final long POLLED_NANOS = BusyPoller.DEFERRAL_NANOS / 2;

    private static final int RELIEF_BYTES = 1 << 16;
    private static final int REFUSED_FLUSHES_MAX = 1024;
    private static final long REFUSED_NANOS_MAX = 200_000;

    private final FramePool pool;
    private final short[] holders;
    private final short holder;
    private final Chunks chunks;
    /** Null where every frame is one descriptor. */
    private final Gatherer gatherer;

    private final int fd;
    private final ProducerRing fill;
    private final ProducerRing transmit;
    private final ConsumerRing receive;
    private final ConsumerRing completion;
    private final int completionFramesMax;
    private final int reliefFrames;
    private final boolean wakeAlways;
    private final boolean isAlwaysPolling;
    /** Null where the event loop stamps frames. */
    private final DeviceStamps stamps;
    /** How many frames the kernel gets to receive into. Set before the queue is used. */
    private FillLevel fillLevel;
    /** Null where the kernel always does the receive work. Set before the queue is used. */
    private BusyPoller poller;

    /**
     * Frames in the kernel's hands to receive into: raised by refill up to fillFramesWanted, lowered by each one
     * received; at most fillLevel.framesMax().
     */
    private int fillFrames;
    /** Whether transmit() put descriptors into the ring that flush() has not published. */
    private boolean unpublished;
    /** Whether the kernel may have left descriptors in the transmit ring; each flush asks again until it has none. */
    private boolean undrained;
    // Whether the kernel refused the latest wake-up, the completion ring's producer index before that call, flushes
    // since it, and the time of its cycle; all written by wakeTransmit, and read by isRelieved.
    private boolean refused;
    private int completionsBeforeCall;
    private int refusedFlushes;
    private long refusedNanos;
    /** Whether the link of this end was down at the latest wake-up. Written by wakeTransmit. */
    private boolean isDown;
    /** The time of the latest poll, which is the time of the flush after it. */
    private long cycleNanos;
    /** The time of the latest poll in which this thread did the receive work, or long ago; by pollWork and fillUp. */
    private long polledNanos = -POLLED_NANOS;
    // Who gets received frames, and as which port; written by each receive().
    private Node node;
    private int portIndex;
    // Counts since the socket was opened, for reports; the loop's thread raises them.
    private long nativeCalls;
    private long busyPolls;
    private long poolEmptyCount;
    /** Frames that came in pieces where none were asked for. */
    private long brokenFrames;
    /** Whether the piece at hand belongs to such a frame; written by each piece. */
    private boolean isBroken;
    /** Whether the driver writes into the chunks itself, and may cut frames. Set before the queue is used. */
    private boolean isZeroCopy;
    /** The error number of the latest failed call, 0 once {@link #takeError} has told it. */
    private int lastError;

    XskQueue(XskSocket socket, AfXdpConfig config, Umem umem, short holder, DeviceStamps stamps) {
        this.stamps = stamps;
        this.pool = umem.pool();
        this.holders = umem.holders();
        this.holder = holder;
        this.chunks = umem.chunks();
        this.gatherer = chunks.areScattered() ? new Gatherer(pool) : null;
        this.fd = socket.fd();
        this.fill = socket.fill();
        this.transmit = socket.transmit();
        this.receive = socket.receive();
        this.completion = socket.completion();
        this.fillLevel = FillLevel.constant(config.ringSizes().fillFrames());
        this.completionFramesMax = config.ringSizes().completionFrames();
        // About half of what the kernel's default limit lets a socket have on its way.
        this.reliefFrames = RELIEF_BYTES / chunks.chunkBytes();
        this.wakeAlways = !config.needWakeup();
        this.isAlwaysPolling = config.busyPoll().isAlways();
        refill(fillLevel.framesMax());
    }

    /**
     * Hands at most {@code limit} received frames to the Node; as many descriptors go back into the fill ring.
     *
     * @return how many frames it handed over
     */
    int receive(Node receiver, int receiverPort, int limit, long nowNanos) {
        cycleNanos = nowNanos;
        node = receiver;
        portIndex = receiverPort;
        int count = receive.available(limit * chunks.perSlot());
        if (poller != null) {
            count = pollWork(count, limit, nowNanos);
        }
        int waiting = receive.waiting();
        int frames = 0;
        for (int i = 0; i < count && frames < limit; i++) {
            Frame frame = takeReceived();
            if (frame == null) {
                continue;
            }
            frames++;
            if (poller != null && poller.wantsFrame()) {
                askSender(frame, nowNanos);
            }
            frame.setIngressPort(portIndex);
            node.onFrame(portIndex, frame, nowNanos);
        }
        if (count > 0) {
            receive.release();
        }
        fillLevel.onPoll(waiting, waiting - receive.waiting(), nowNanos);
        int missing = fillFramesWanted() - fillFrames;
        if (missing >= REFILL_FRAMES) {
            refill(missing);
        }
        if (count == 0 && (isAlwaysPolling || fill.needsWakeup())) {
            kickReceive();
        }
        return frames;
    }

    /** Runs the receive work if nothing was found and that is this thread's; returns how much is there now. */
    private int pollWork(int found, int limit, long nowNanos) {
        boolean isPolling = found == 0 && poller.isOn();
        int count = found;
        if (isPolling) {
            nativeCalls++;
            busyPolls++;
            polledNanos = nowNanos;
            poller.poll();
            count = receive.available(limit * chunks.perSlot());
        }
        if (poller.onReceive(count, isPolling, nowNanos)) {
            poller.onWindow(!node.measuresDelay(), nowNanos);
        }
        return count;
    }

    private void askSender(Frame frame, long nowNanos) {
        if (transmitCapacity() > 0) {
            Frame question = poller.ask(frame, pool, nowNanos);
            if (question != null) {
                transmit(question);
            }
        }
    }

    /** {@return how many frames {@link #transmit} takes; takes completed ones back first} */
    int transmitCapacity() {
        reclaim();
        int free = transmit.freeCount();
        return gatherer == null ? free : free / chunks.perSlot();
    }

    /** Takes a held frame into the transmit ring, where there must be room. */
    void transmit(Frame frame) {
        if (poller != null) {
            poller.onTransmit();
        }
        frame.transfer(FrameOwner.HELD, FrameOwner.TRANSMIT);
        int index = frame.index();
        holders[index] = holder;
        long options = stamps != null && stamps.request(frame) ? OPTION_METADATA : 0;
        long address = chunks.addressOf(index) + frame.offset();
        if (gatherer == null) {
            transmit.putDescriptor(address, frame.length(), options);
        } else {
            putPieces(address, frame.length(), options);
        }
        unpublished = true;
    }

    /** One descriptor for each chunk that has a part of the frame. What the frame asks for, its first one asks. */
    private void putPieces(long frameAddress, int frameBytes, long frameOptions) {
        long address = frameAddress;
        int leftBytes = frameBytes;
        long options = frameOptions;
        int pieceBytes = chunks.pieceBytes(address, leftBytes);
        while (pieceBytes < leftBytes) {
            transmit.putDescriptor(address, pieceBytes, options | OPTION_CONTINUES);
            address += pieceBytes;
            leftBytes -= pieceBytes;
            options = 0;
            pieceBytes = chunks.pieceBytes(address, leftBytes);
        }
        transmit.putDescriptor(address, leftBytes, options);
    }

    /**
     * Publishes what was put into the transmit ring and wakes the kernel up if it has not taken everything. What one
     * call leaves in the ring, because the kernel took its share or has too much in hand, a later flush asks for again.
     */
    void flush() {
        if (unpublished) {
            transmit.publish();
            unpublished = false;
            undrained = true;
        }
        if (undrained && (!refused || isRelieved())) {
            wakeTransmit();
        }
    }

    /** Asks the kernel whether the socket still has its interface. */
    void probe() {
        kickReceive();
    }

    /** {@return the error number of the last system call that failed since the last asking, or 0} */
    int takeError() {
        int error = lastError;
        lastError = 0;
        return error;
    }

    /** {@return system calls made at run time} */
    long nativeCallCount() {
        return nativeCalls;
    }

    /** {@return polls in which the owning thread ran the receive work} */
    long busyPollCount() {
        return busyPolls;
    }

    /** {@return how often the fill ring could not be filled up because the pool was empty} */
    long poolEmptyCount() {
        return poolEmptyCount;
    }

    /** {@return frames that came in pieces, or without their end, where none of these was asked for} */
    long brokenFrames() {
        return brokenFrames;
    }

    /** The driver writes into the chunks itself. Before the queue is used. */
    void setZeroCopy() {
        isZeroCopy = true;
    }

    /** Hands the kernel fewer frames where fewer are enough. Before the queue is used. */
    void adaptFillLevel() {
        fillLevel = FillLevel.adaptive(fillLevel.framesMax());
    }

    /** Lets the owning thread do the receive work at times. Before the queue is used. */
    void setPoller(BusyPoller busyPoller) {
        poller = busyPoller;
        poller.setBeforeEnd(this::fillUp);
    }

    /** When the kernel gets the work back, all that waits comes at once. */
    private void fillUp() {
        polledNanos = cycleNanos - POLLED_NANOS;
        refill(fillLevel.framesMax() - fillFrames);
    }

    /** Gives back what was received of a frame whose rest will not come. */
    void close() {
        if (poller != null) {
            poller.close();
        }
        if (gatherer != null) {
            gatherer.close();
        }
    }

    /** {@return frames in the kernel's hands to receive into} */
    int fillFrames() {
        return fillFrames;
    }

    /** {@return the frame that is whole with the descriptor at hand, or null} */
    private Frame takeReceived() {
        long address = receive.address();
        int index = chunks.slotOf(address);
        Frame frame = pool.frame(index);
        frame.transfer(FrameOwner.FILL, FrameOwner.HELD);
        frame.setExtent((int) (address - chunks.addressOf(index)), receive.lengthBytes());
        boolean continues = (receive.options() & OPTION_CONTINUES) != 0;
        receive.advance();
        fillFrames--;
        if (gatherer != null) {
            frame = gatherer.add(frame, continues);
            if (frame == null) {
                return null;
            }
        } else if (continues || isBroken || (isZeroCopy && Wholeness.isCutOff(frame))) {
            dropBroken(frame, continues);
            return null;
        }
        if (stamps != null) {
            stamps.onReceived(frame, cycleNanos);
        }
        return frame;
    }

    private void dropBroken(Frame piece, boolean continues) {
        isBroken = continues;
        if (!continues) {
            brokenFrames++;
        }
        pool.release(piece, FrameOwner.HELD);
    }

    /** A thread that is to poll and has not caught up yet does not: until its first poll the kernel does the work. */
    private int fillFramesWanted() {
        boolean isPolled = poller != null && poller.isOn() && cycleNanos - polledNanos < POLLED_NANOS;
        return isPolled ? fillLevel.framesPolled() : fillLevel.frames();
    }

    private void refill(int missing) {
        int count = missing;
        if (pool.available() < count) {
            reclaim();
        }
        if (pool.available() < count) {
            poolEmptyCount++;
            count = pool.available();
        }
        for (int i = 0; i < count; i++) {
            int index = pool.allocate(FrameOwner.FILL).index();
            holders[index] = holder;
            fill.putAddress(chunks.addressOf(index));
        }
        if (count > 0) {
            fillFrames += count;
            fill.publish();
        }
    }

    private void wakeTransmit() {
        refused = false;
        isDown = false;
        if (wakeAlways || transmit.needsWakeup()) {
            completionsBeforeCall = completion.producerIndex();
            refusedFlushes = 0;
            refusedNanos = cycleNanos;
            nativeCalls++;
            int result = Libc.kickTransmit(fd);
            if (result < 0) {
                lastError = -result;
                refused = true;
                isDown = result == -Errno.ENETDOWN.number();
            }
        }
        undrained = !transmit.isDrained();
    }

    /** {@return when the kernel is to be asked again to take what it has left in the transmit ring} */
    long nextFlushNanos() {
        // A link that is down may be so for hours.
        return undrained && !isDown ? refusedNanos + REFUSED_NANOS_MAX : Deadline.NO_DEADLINE;
    }

    /**
     * A kernel that has too much in hand takes one frame for each that it finishes: asking at every flush would be a
     * system call a frame. So it is asked again when it has finished a batch, or has been left alone for long: by the
     * time of the last poll, or by the number of flushes where nobody polls.
     *
     * <p>A frame that the device drops, because the peer is down or takes none so long, ends the kernel's call too, and
     * those behind it wait.
     *
     * <p>Completions alone tell the first, because the kernel says late what it has taken out of the transmit ring.
     */
    private boolean isRelieved() {
        return completion.producerIndex() - completionsBeforeCall >= reliefFrames
                || cycleNanos - refusedNanos >= REFUSED_NANOS_MAX
                || ++refusedFlushes >= REFUSED_FLUSHES_MAX;
    }

    private void reclaim() {
        int count = completion.available(completionFramesMax);
        for (int i = 0; i < count; i++) {
            long address = completion.address();
            completion.advance();
            Frame frame = pool.frame(chunks.slotOf(address));
            // The pieces of a frame are completed together, in their order.
            if (gatherer != null && !chunks.hasLast(frame, address)) {
                continue;
            }
            if (stamps != null) {
                stamps.onCompleted(frame, node, portIndex);
            }
            pool.release(frame, FrameOwner.TRANSMIT);
        }
        if (count > 0) {
            completion.release();
        }
    }

    private void kickReceive() {
        nativeCalls++;
        int result = Libc.kickReceive(fd);
        if (result < 0) {
            lastError = -result;
        }
    }
}
