package io.weir.nic.xdp;

import io.weir.nic.Errno;
import io.weir.nic.NicException;
import io.weir.nic.ffi.Libc;
import io.weir.nic.host.KernelPort;
import io.weir.transport.frame.Frame;
import io.weir.transport.node.Node;
import io.weir.transport.node.PortEnd;
import io.weir.transport.node.PortInfo;
import io.weir.transport.time.Deadline;
import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receive queues of an interface as one port, by AF_XDP; as a rule all of them. Opened by {@link AfXdp#open}, or with
 * other ports for the other queues by {@link AfXdpInterface#openQueues}.
 *
 * <p>Owned by one thread, except for what chooses addresses and ports. A frame costs tens of nanoseconds here and
 * no allocation; a flush costs at most one system call. A deleted interface is noticed when sending, and by asking the
 * kernel once a second when only receiving.
 */
public final class AfXdpPort implements KernelPort {
    private static final Logger LOG = LoggerFactory.getLogger(AfXdpPort.class);
    private static final long PROBE_NANOS = TimeUnit.SECONDS.toNanos(1);

    // Replaced as a whole by the loop's thread when the port begins to copy.
    private volatile PortInfo info;
    private volatile List<PortSocket> sockets;
    private XskQueue[] queues;
    private XskQueue transmitQueue;
    /** How the port begins to copy, or null where it copies already. The opening thread, and then the loop's. */
    private CopyFallback copyFallback;

    /** Looks whether frames vanish, or null where that cannot be told. The opening thread, and then the loop's. */
    private ArrivalProbe arrivals;

    private final ArrivalWatch arrivalWatch = new ArrivalWatch();
    /** Whether sockets could not be put back into the program's reach; the loop's thread. */
    private boolean areSocketsOut;
    /** Why frames do not arrive by any rung, or null; written by the loop's thread. */
    private volatile String arrivalFailure;

    private final PortProgram program;
    private final DeviceStamps stamps;
    private final int epollFd;
    private final Consumer<AfXdpPort> onClosed;

    /** The index of the queue that was polled last; the next poll begins behind it. The loop's thread. */
    private int nextQueue;
    /** When the sockets are asked for their interface next; the loop's thread moves it on with each question. */
    private long probeNanos;
    /** Why frames move no more, or null; written by the loop's thread before its listener is told. */
    private volatile String failure;
    /** Whether the kernel said that the interface is gone; written by the thread that follows it. */
    private volatile boolean gone;
    /** The number of an interface of that name made since, or 0; written by the thread that follows it. */
    private volatile int successorIndex;
    /** Why frames are stuck or lost for now, or null; written by the thread that follows the interface. */
    private volatile String impairment;

    // Broken frames, and what the kernel counted, of sockets that were replaced; the loop's thread.
    private long brokenFramesBefore;
    private XdpStatistics statisticsBefore = XdpStatistics.NONE;

    // Whether frames move no more for good, and whether the sockets are closed: closed implies stopped. The loop's
    // thread; never cleared.
    private boolean stopped;
    private boolean closed;
    // Told when the port is closed, and when its frames move no more; set before it runs, never null.
    private Runnable closeListener = () -> {};
    private Runnable stopListener = () -> {};
    /** What the kernel counted until the port was closed; before, the sockets are asked. */
    private XdpStatistics lastStatistics = XdpStatistics.NONE;

    AfXdpPort(
            PortInfo info,
            List<PortSocket> sockets,
            PortProgram program,
            DeviceStamps stamps,
            int epollFd,
            Consumer<AfXdpPort> onClosed) {
        this.stamps = stamps;
        this.info = info;
        this.sockets = List.copyOf(sockets);
        this.queues = sockets.stream().map(PortSocket::queue).toArray(XskQueue[]::new);
        this.transmitQueue = queues[0];
        this.program = program;
        this.epollFd = epollFd;
        this.onClosed = onClosed;
        LOG.info(
                "port opened interface={} queues={} mode={} reason=\"{}\" mtuBytes={} stamps=\"{}\"",
                info.name(),
                queues.length,
                info.mode(),
                info.modeReason(),
                info.mtuBytes(),
                info.stamps().line());
    }

    /** Sets how the port begins to copy when its driver turns out to hand over pieces; before it moves any frames. */
    void setCopyFallback(CopyFallback fallback) {
        copyFallback = fallback;
    }

    /** Has the port look whether frames for it vanish; before it moves any. For a program of this port alone. */
    void setArrivalProbe(ArrivalProbe probe) {
        arrivals = probe;
    }

    @Override
    public int pollReceive(Node node, int portIndex, int limit, long nowNanos) {
        if (stopped) {
            return 0;
        }
        if (nowNanos >= probeNanos || gone) {
            probe(nowNanos);
            if (stopped) {
                return 0;
            }
        }
        if (queues.length == 1) {
            return transmitQueue.receive(node, portIndex, limit, nowNanos);
        }
        return pollQueues(node, portIndex, limit, nowNanos);
    }

    /** Begins at another queue each time, so that no queue starves the others. */
    private int pollQueues(Node node, int portIndex, int limit, long nowNanos) {
        int received = 0;
        for (int i = 0; i < queues.length && received < limit; i++) {
            nextQueue = nextQueue + 1 == queues.length ? 0 : nextQueue + 1;
            received += queues[nextQueue].receive(node, portIndex, limit - received, nowNanos);
        }
        return received;
    }

    @Override
    public int transmitCapacity() {
        return stopped ? 0 : transmitQueue.transmitCapacity();
    }

    @Override
    public void transmit(Frame frame) {
        if (stopped) {
            // The interface vanished between the question for capacity and this: the frame is lost as on a cut wire.
            frame.release();
            return;
        }
        transmitQueue.transmit(frame);
    }

    /**
     * Makes the frames given since the last flush leave, and those that the kernel left in the ring at an earlier one.
     * To be called in every cycle of the loop: without anything to send it costs nothing.
     */
    @Override
    public void flush() {
        if (stopped) {
            return;
        }
        transmitQueue.flush();
        noteErrors();
    }

    @Override
    public long nextFlushNanos() {
        return stopped ? Deadline.NO_DEADLINE : transmitQueue.nextFlushNanos();
    }

    @Override
    public PortInfo info() {
        return info;
    }

    @Override
    public String failure() {
        String reason = failure;
        if (reason == null) {
            String impaired = impairment;
            return impaired == null ? arrivalFailure : impaired;
        }
        int index = successorIndex;
        return index == 0
                ? reason
                : "interface " + info.name() + " was deleted and made again, as number " + index
                        + "; this transport is of the old one: open another";
    }

    @Override
    public boolean needsProgram() {
        return true;
    }

    /** Takes the program off the interface, as another process with the right may; for tests. */
    void detachProgram() {
        program.detach();
    }

    @Override
    public void setGone() {
        gone = true;
    }

    @Override
    public void setSuccessor(int index) {
        successorIndex = index;
    }

    @Override
    public void setImpairment(String reason) {
        impairment = reason;
    }

    @Override
    public void setStopListener(Runnable listener) {
        stopListener = listener;
    }

    @Override
    public PortEnd end() {
        return failure == null ? null : PortEnd.INTERFACE_DELETED;
    }

    @Override
    public int pollFileDescriptor() {
        if (closed) {
            return -1;
        }
        if (epollFd >= 0) {
            return epollFd;
        }
        List<PortSocket> open = sockets;
        return open.isEmpty() ? -1 : open.get(0).socket().fd();
    }

    /**
     * Takes the datagrams for an address too, of the ports that are taken of every address. For host ports; any thread
     * may call.
     */
    @Override
    public void addAddress(InetAddress address) throws NicException {
        program.addAddress(address);
    }

    /** Leaves the datagrams for an address to the kernel again. For host ports; any thread may call. */
    @Override
    public void removeAddress(InetAddress address) throws NicException {
        program.removeAddress(address);
    }

    /** Takes the datagrams of a UDP port of every address from now on. For host ports; any thread may call. */
    public void addPort(int udpPort) throws NicException {
        program.setPort(udpPort, true);
    }

    /** Takes the datagrams of a UDP port of one address from now on. For host ports; any thread may call. */
    @Override
    public void addPort(InetAddress address, int udpPort) throws NicException {
        program.setPort(address, udpPort, true);
    }

    /** Takes the datagrams of every UDP port from now on. For host ports; any thread may call. */
    public void addAllPorts() throws NicException {
        program.setAllPorts();
    }

    /** Leaves the datagrams of a UDP port to the kernel again. For host ports; any thread may call. */
    public void removePort(int udpPort) throws NicException {
        program.setPort(udpPort, false);
    }

    /** Leaves the datagrams of a UDP port of one address to the kernel again. For host ports; any thread may call. */
    @Override
    public void removePort(InetAddress address, int udpPort) throws NicException {
        program.setPort(address, udpPort, false);
    }

    @Override
    public void setCloseListener(Runnable listener) {
        closeListener = listener;
    }

    @Override
    public long lostFrames() {
        XdpStatistics counted = statistics();
        return counted.receiveDropped() + counted.receiveRingFull() + counted.fillRingEmpty() + brokenFrames();
    }

    @Override
    public Map<String, Long> skippedFrames() {
        Map<String, Long> counts = new LinkedHashMap<>();
        program.skipped().forEach((reason, count) -> counts.put(reason.words(), count));
        return counts;
    }

    /** {@return what the kernel counted; of a closed port, until it was closed. A system call for each queue.} */
    public XdpStatistics statistics() {
        return closed ? lastStatistics : readStatistics();
    }

    /** {@return system calls made since the port was opened: wake-ups, and the question once a second} */
    public long nativeCallCount() {
        long count = 0;
        for (XskQueue queue : queues) {
            count += queue.nativeCallCount();
        }
        return count;
    }

    /** {@return polls in which the loop's thread ran the receive work itself} */
    public long busyPollCount() {
        long count = 0;
        for (XskQueue queue : queues) {
            count += queue.busyPollCount();
        }
        return count;
    }

    /** {@return how often frames to receive into were wanted and the pool had too few} */
    public long poolEmptyCount() {
        long count = 0;
        for (XskQueue queue : queues) {
            count += queue.poolEmptyCount();
        }
        return count;
    }

    /**
     * {@return received frames that the device or the kernel stamped; of those that were to be and were not, see the
     * next}
     */
    public long stampedCount() {
        return stamps == null ? 0 : stamps.receivedCount();
    }

    /**
     * {@return received frames of which device or kernel, although asked, told no time: their stamp is that of the
     * poll}
     */
    public long unstampedCount() {
        return stamps == null ? 0 : stamps.unstampedCount();
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        lastStatistics = readStatistics();
        closed = true;
        stopped = true;
        program.leave();
        sockets.forEach(PortSocket::close);
        if (epollFd >= 0) {
            Libc.close(epollFd);
        }
        closeListener.run();
        onClosed.accept(this);
        LOG.info("port closed interface={} failure={} {}", info.name(), failure, lastStatistics);
    }

    private void probe(long nowNanos) {
        probeNanos = nowNanos + PROBE_NANOS;
        transmitQueue.probe();
        noteErrors();
        if (!stopped && copyFallback != null && brokenFrames() > 0) {
            beginCopying();
        }
        if (!stopped && arrivals != null) {
            checkArrivals();
        }
    }

    private void checkArrivals() {
        if (areSocketsOut) {
            putSocketsBack();
            return;
        }
        int received = 0;
        int sent = 0;
        for (PortSocket socket : sockets) {
            received += socket.socket().receive().producerIndex();
            sent += socket.socket().transmit().producerIndex();
        }
        switch (arrivalWatch.onLook(received, sent, arrivals)) {
            case TAKE_SOCKETS_OUT -> arrivals.takeOut();
            case PUT_SOCKETS_BACK -> putSocketsBack();
            case FALL -> fall();
            case NOTHING -> {}
        }
    }

    private void putSocketsBack() {
        try {
            arrivals.putBack(sockets);
            areSocketsOut = false;
        } catch (NicException e) {
            areSocketsOut = true;
            LOG.warn("interface={} sockets=\"not set again\"; tried again in a second", info.name(), e);
        }
    }

    /** Goes on by the next rung, since frames for this port do not arrive by the one that it has. */
    private void fall() {
        String before = info.mode();
        if (copyFallback != null && before.endsWith("zero-copy")) {
            beginCopying("frames for this port did not arrive by " + before + ", so that they are copied");
            return;
        }
        if (before.startsWith("generic")) {
            giveUp("frames for this port reach the XDP program of " + info.name()
                    + ", and none of its sockets; open it by backend af-packet");
            return;
        }
        try {
            arrivals.runGeneric();
            String reason = "frames for this port did not arrive by " + before + ", so that the program runs generic";
            LOG.warn("interface={} {}", info.name(), reason);
            describe(before.replace("native", "generic"), reason);
        } catch (NicException e) {
            giveUp("frames for this port do not arrive by " + before + ": " + e.getMessage());
        }
    }

    private void giveUp(String reason) {
        arrivals = null;
        arrivalFailure = reason;
        LOG.warn("interface={} arrivals=\"{}\"", info.name(), reason);
    }

    private void describe(String mode, String reason) {
        info = new PortInfo(
                        info.name(),
                        info.backend(),
                        mode,
                        info.modeReason() + "; " + reason,
                        info.stamps(),
                        info.macAddress(),
                        info.mtuBytes(),
                        info.linkRateBps())
                .withDataChecksums(info.needsDataChecksums());
    }

    /** {@return what feeds the sockets, for tests} */
    PortProgram program() {
        return program;
    }

    /** {@return a queue's socket, for tests} */
    PortSocket socket(int index) {
        return sockets.get(index);
    }

    /** {@return what the first queue receives by, for tests} */
    ConsumerRing receiveRing() {
        return sockets.get(0).socket().receive();
    }

    /** {@return frames that the driver handed over in pieces although none were asked for, and that were dropped} */
    public long brokenFrames() {
        long count = brokenFramesBefore;
        for (XskQueue queue : queues) {
            count += queue.brokenFrames();
        }
        return count;
    }

    /** Has the kernel copy from now on. Connections last: what was on its way is lost as on a wire. */
    void beginCopying() {
        LOG.warn(
                "interface={} frames=\"{} came in pieces that were not asked for\"; copies from now on; say so at the"
                        + " beginning (--copy, forceCopy), or give slots of 4096 bytes",
                info.name(),
                brokenFrames());
        beginCopying(CopyFallback.REASON);
    }

    private void beginCopying(String reason) {
        LOG.info("interface={} copies since \"{}\"", info.name(), reason);
        CopyFallback fallback = copyFallback;
        copyFallback = null;
        long broken = brokenFrames();
        XdpStatistics counted = readStatistics();
        List<PortSocket> before = sockets;
        sockets = List.of();
        queues = new XskQueue[0];
        brokenFramesBefore = broken;
        statisticsBefore = counted;
        try {
            sockets = List.copyOf(fallback.reopen(before));
            queues = sockets.stream().map(PortSocket::queue).toArray(XskQueue[]::new);
            transmitQueue = queues[0];
            nextQueue = 0;
            for (PortSocket socket : sockets) {
                if (epollFd >= 0) {
                    Libc.epollAdd(epollFd, socket.socket().fd());
                }
            }
            describe(info.mode().replace("zero-copy", "copy"), reason);
        } catch (NicException e) {
            failure = "interface " + info.name() + " cannot be copied from: " + e.getMessage();
            stopped = true;
            stopListener.run();
        }
    }

    private void noteErrors() {
        if (transmitQueue.takeError() == Errno.ENXIO.number() || gone) {
            failure = PortEnd.INTERFACE_DELETED.sentenceOf("interface " + info.name());
            stopped = true;
            stopListener.run();
        }
    }

    private XdpStatistics readStatistics() {
        XdpStatistics sum = statisticsBefore;
        for (PortSocket socket : sockets) {
            sum = sum.plus(socket.socket().statistics());
        }
        return sum;
    }
}
