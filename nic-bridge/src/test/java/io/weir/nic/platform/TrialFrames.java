package io.weir.nic.platform;

import io.weir.nic.NicException;
import io.weir.nic.testing.Deadline;
import io.weir.nic.testing.SinkNode;
import io.weir.nic.testing.UdpFrames;
import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import io.weir.transport.node.NetPort;
import io.weir.transport.runtime.Backend;
import io.weir.transport.runtime.NetInterface;
import java.io.IOException;
import java.util.Set;
import java.util.TreeSet;

/** Moves single frames between two ports, both ways, and compares each byte. */
final class TrialFrames implements AutoCloseable {
    private static final int UDP_PORT = 9000;
    private static final int FRAME_BYTES_MIN = 60;
    private static final int ETHERNET_BYTES = 14;
    private static final int MARK_BYTES = Long.BYTES;
    private static final int STEP_BYTES = 97;
    private static final int BURST_FRAMES = 64;
    private static final int OFFSET = 128;

    private final TrialLink link;
    private final NetInterface first;
    private final NetInterface second;
    private final Side a;
    private final Side b;
    // Written by the first stage: how to write to each end, and the longest packet.
    private UdpFrames toA;
    private UdpFrames toB;
    private int mtuBytes;
    /** The mark of the frame written last: each has another, and a later one is larger. */
    private long lastMark;

    /** One port. */
    private record Side(NetPort port, FramePool pool, SinkNode sink) {}

    TrialFrames(TrialLink link, Backend.Opened a, Backend.Opened b) {
        this.link = link;
        this.first = a.netInterface();
        this.second = b.netInterface();
        this.a = new Side(first.port(), a.pool(), new SinkNode());
        this.b = new Side(second.port(), b.pool(), new SinkNode());
    }

    /** {@return what writes the datagrams from one end to the other} */
    private static UdpFrames writer(TrialEnd from, TrialEnd to) throws NicException {
        return new UdpFrames(
                from.facts().macAddress(), from.address(), to.facts().macAddress(), to.address());
    }

    /** {@return the lengths to try: around each power of two, and steps between} */
    static Set<Integer> lengths(int mtuBytes) {
        int lengthMax = mtuBytes + ETHERNET_BYTES;
        Set<Integer> lengths = new TreeSet<>(Set.of(FRAME_BYTES_MIN, lengthMax - 1, lengthMax));
        for (int power = 64; power <= lengthMax; power *= 2) {
            lengths.add(power - 1);
            lengths.add(power);
            lengths.add(power + 1);
        }
        for (int length = FRAME_BYTES_MIN; length < lengthMax; length += STEP_BYTES) {
            lengths.add(length);
        }
        lengths.removeIf(length -> length > lengthMax);
        return lengths;
    }

    /** Waits until frames pass both ways: a link may need a while after a program was attached. */
    private void awaitLink() throws Exception {
        awaitPassage(a, b);
        awaitPassage(b, a);
    }

    private void awaitPassage(Side from, Side to) throws Exception {
        long next = lastMark + 1;
        Deadline.await("a first frame", () -> {
            send(from, FRAME_BYTES_MIN, FRAME_BYTES_MIN);
            receive(from, to);
            return to.sink().lastMark() >= next;
        });
        to.sink().releaseAll();
    }

    /** {@return how many frames of each length arrived unchanged} */
    String everyLength() throws Exception {
        first.claimPort(UDP_PORT);
        second.claimPort(UDP_PORT);
        toA = writer(link.b(), link.a());
        toB = writer(link.a(), link.b());
        mtuBytes = link.a().facts().mtuBytes();
        awaitLink();
        Set<Integer> lengths = lengths(mtuBytes);
        for (int length : lengths) {
            exchange(a, b, length, length);
            exchange(b, a, length, length);
        }
        return 2 * lengths.size() + " frames of " + FRAME_BYTES_MIN + " to " + (mtuBytes + ETHERNET_BYTES) + " bytes";
    }

    /** {@return how many frames shorter than Ethernet's least arrived, padded by the sender or by the device} */
    String shortFrames() throws Exception {
        int count = 0;
        for (int length = UdpFrames.HEADER_BYTES + MARK_BYTES; length < FRAME_BYTES_MIN; length++) {
            exchange(a, b, length, FRAME_BYTES_MIN);
            exchange(b, a, length, FRAME_BYTES_MIN);
            exchange(a, b, length, length);
            exchange(b, a, length, length);
            count += 4;
        }
        return count + " frames";
    }

    /**
     * Sends a frame and one behind it. That one shows that the first is lost, where it comes alone.
     *
     * @param lengthBytes the datagram with its headers
     * @param frameBytes the frame: what is more is padding
     */
    private void exchange(Side from, Side to, int lengthBytes, int frameBytes) throws Exception {
        byte[] sent = send(from, lengthBytes, frameBytes);
        long mark = lastMark;
        send(from, FRAME_BYTES_MIN, FRAME_BYTES_MIN);
        Deadline.await("a frame of " + frameBytes + " bytes", () -> {
            receive(from, to);
            return to.sink().lastMark() >= mark;
        });
        boolean found = false;
        for (Frame frame = to.sink().poll(); frame != null; frame = to.sink().poll()) {
            if (UdpFrames.mark(frame) == mark) {
                compare(sent, frame, frameBytes);
                found = true;
            }
            frame.release();
        }
        if (!found) {
            throw new IOException("a frame of " + frameBytes + " bytes was lost, and the next one was not");
        }
    }

    private static void compare(byte[] sent, Frame frame, int frameBytes) throws IOException {
        if (frame.length() < sent.length || frame.length() > Math.max(frameBytes, FRAME_BYTES_MIN)) {
            throw new IOException("a frame of " + frameBytes + " bytes arrived with " + frame.length());
        }
        for (int i = 0; i < sent.length; i++) {
            if (frame.buffer().getByte(frame.offset() + i) != sent[i]) {
                throw new IOException("byte " + i + " of a frame of " + frameBytes + " bytes arrived changed");
            }
        }
    }

    private byte[] send(Side from, int lengthBytes, int frameBytes) throws Exception {
        Deadline.await("room to transmit", () -> {
            from.port().flush();
            return from.port().transmitCapacity() > 0 && from.pool().available() > 0;
        });
        lastMark++;
        Frame frame = from.pool().allocate();
        (from.equals(a) ? toB : toA).write(frame, OFFSET, lengthBytes - UdpFrames.HEADER_BYTES, UDP_PORT, lastMark);
        for (int i = UdpFrames.HEADER_BYTES + MARK_BYTES; i < lengthBytes; i++) {
            frame.buffer().putByte(OFFSET + i, (byte) (i * 31L + lastMark));
        }
        byte[] sent = new byte[lengthBytes];
        frame.buffer().getBytes(OFFSET, sent);
        frame.buffer().setMemory(OFFSET + lengthBytes, frameBytes - lengthBytes, (byte) 0);
        frame.setExtent(OFFSET, frameBytes);
        from.port().transmit(frame);
        from.port().flush();
        return sent;
    }

    private static void receive(Side from, Side to) {
        from.port().flush();
        to.port().pollReceive(to.sink(), 0, BURST_FRAMES, 1);
    }

    /** Gives back the UDP port and the frames that came late. */
    @Override
    public void close() {
        first.releasePort(UDP_PORT);
        second.releasePort(UDP_PORT);
        a.sink().releaseAll();
        b.sink().releaseAll();
    }
}
