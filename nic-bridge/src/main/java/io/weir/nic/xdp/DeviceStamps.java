package io.weir.nic.xdp;

import io.weir.transport.frame.Frame;
import io.weir.transport.node.Node;
import io.weir.transport.time.DeviceClock;
import java.util.function.LongSupplier;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The time stamps of one port's frames: reads what the XDP program put before received frames, by the device's clock
 * or the kernel's; asks the device for those of frames that leave, and reads them when they are complete. All are told
 * by the driver's clock. A few nanoseconds per frame; no allocation.
 */
final class DeviceStamps {
    /** What the kernel is told that stands before a frame to transmit: flags, and room for an answer. */
    static final int TRANSMIT_METADATA_BYTES = 24;

    /** "WEIRSTMP", as weir_xdp_stamps.bpf.c writes it. */
    private static final long MARK = 0x5745495253544D50L;

    private static final int RECEIVE_BYTES = 2 * Long.BYTES;
    private static final long FLAG_STAMP = 1;
    private static final int ANSWER = Long.BYTES;

    private final DeviceClock clock = new DeviceClock();
    /** The kernel's clock, or null where stamps are by the device's. */
    private final KernelClock kernelClock;

    private final boolean transmits;
    private long receivedCount;
    private long unstampedCount;
    private long departedCount;

    private DeviceStamps(KernelClock kernelClock, boolean transmits) {
        this.kernelClock = kernelClock;
        this.transmits = transmits;
    }

    /** {@return stamps by the device's clock; {@code transmits}: of frames that leave, too} */
    static DeviceStamps byDevice(boolean transmits) {
        return new DeviceStamps(null, transmits);
    }

    /** {@return stamps of frames that come, by the kernel's monotonic clock, which {@code machineNanos} reads} */
    static DeviceStamps byKernel(LongSupplier machineNanos) {
        return new DeviceStamps(new KernelClock(machineNanos), false);
    }

    /** Stamps a received frame; one without a usable stamp keeps the time of the poll. */
    void onReceived(Frame frame, long polledNanos) {
        int at = frame.offset() - RECEIVE_BYTES;
        UnsafeBuffer buffer = frame.buffer();
        long nanos = at >= 0 && buffer.getLong(at) == MARK ? buffer.getLong(at + Long.BYTES) : 0;
        if (nanos != 0) {
            // The slot may come again with a frame that has no stamp.
            buffer.putLong(at, 0);
            nanos = arrivalNanos(nanos, polledNanos);
        } else {
            nanos = KernelClock.UNKNOWN;
        }
        if (nanos == KernelClock.UNKNOWN) {
            unstampedCount++;
            return;
        }
        frame.setStampNanos(nanos);
        receivedCount++;
    }

    private long arrivalNanos(long stampNanos, long polledNanos) {
        return kernelClock == null
                ? clock.arrivalNanos(stampNanos, polledNanos)
                : kernelClock.arrivalNanos(stampNanos, polledNanos);
    }

    /**
     * {@return whether the frame about to be transmitted asks for its stamp: its Node wants it, and it has room before
     * it}
     */
    boolean request(Frame frame) {
        int at = frame.offset() - TRANSMIT_METADATA_BYTES;
        if (!transmits || frame.ticket() == Frame.NO_TICKET || at < 0) {
            return false;
        }
        frame.buffer().putLong(at, FLAG_STAMP);
        frame.buffer().putLong(at + ANSWER, 0);
        return true;
    }

    /** Tells the Node when a frame left that has been transmitted, if it asked and the device says. */
    void onCompleted(Frame frame, Node node, int portIndex) {
        int at = frame.offset() - TRANSMIT_METADATA_BYTES;
        if (!transmits || frame.ticket() == Frame.NO_TICKET || at < 0 || node == null || !clock.isKnown()) {
            return;
        }
        long deviceNanos = frame.buffer().getLong(at + ANSWER);
        if (deviceNanos != 0) {
            node.onDeparted(portIndex, frame.ticket(), clock.toDriverNanos(deviceNanos));
            departedCount++;
        }
    }

    /** {@return received frames with a stamp} */
    long receivedCount() {
        return receivedCount;
    }

    /** {@return received frames without one} */
    long unstampedCount() {
        return unstampedCount;
    }

    /** {@return transmitted frames whose departure the device told} */
    long departedCount() {
        return departedCount;
    }
}
