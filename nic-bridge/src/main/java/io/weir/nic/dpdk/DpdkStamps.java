package io.weir.nic.dpdk;

import io.weir.nic.ffi.DpdkBinding;
import io.weir.nic.ffi.NativeMemory;
import io.weir.transport.frame.Frame;
import io.weir.transport.node.StampSources;
import io.weir.transport.node.StampSources.Source;
import io.weir.transport.time.DeviceClock;
import java.util.Set;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * When the frames of one port came, by the clock of their device, told by the driver's. A frame without a usable stamp
 * keeps the time of its poll, and so do all until the length of a tick is known.
 *
 * <p>Owned by the port's thread. O(1), no allocation. Reading the clock is a native call, of which there are few.
 */
final class DpdkStamps {
    /** Drivers that stamp each frame without offering it, by a clock of the kernel's. */
    private static final Set<String> STAMPING_DRIVERS = Set.of("net_pcap");

    private static final String NO_DEPARTURES = "transmit: DPDK tells it of PTP frames alone, one at a time";
    private static final long READ_EVERY_NANOS = 100_000_000;

    private final DpdkBinding dpdk;
    private final long link;
    private final UnsafeBuffer reading = NativeMemory.allocate(3 * Long.BYTES);
    private final DeviceClock clock = new DeviceClock();
    private final TickLength tick = new TickLength();
    /** Whether the device's clock can be read. */
    private final boolean isReadable;
    /** When it is read again, by the driver's time. */
    private long readNanos;
    /** Received frames with a usable stamp, since the port was opened. */
    private long stampedCount;
    /** Received frames without one, since the port was opened. */
    private long unstampedCount;

    /** Creates the stamps of a port of a device that is set up with them; reads its clock where that is possible. */
    DpdkStamps(DpdkBinding dpdk, long link) {
        this.dpdk = dpdk;
        this.link = link;
        this.isReadable = read();
    }

    /** {@return where a host's port on such a device has its stamps from, and why} */
    static StampSources sources(DpdkDevice device) {
        String driver = "driver " + device.driver();
        if (device.stampsArrivals()) {
            return new StampSources(Source.HARDWARE, Source.SOFTWARE, "receive: by " + driver + "; " + NO_DEPARTURES);
        }
        if (STAMPING_DRIVERS.contains(device.driver())) {
            return new StampSources(Source.KERNEL, Source.SOFTWARE, "receive: by " + driver + "; " + NO_DEPARTURES);
        }
        return StampSources.software(driver + " offers none");
    }

    private boolean read() {
        if (NativeMemory.call(reading, at -> dpdk.weir_link_read_clock(link, at)) < 0) {
            return false;
        }
        tick.onReading(reading.getLong(0), reading.getLong(Long.BYTES), reading.getLong(2 * Long.BYTES));
        return true;
    }

    /** Stamps a received frame with what the device's clock showed, or does not where that is 0 or its unit unknown. */
    void onReceived(Frame frame, long ticks, long polledNanos) {
        if (ticks != 0 && !tick.isKnown()) {
            learn(ticks, polledNanos);
        }
        if (ticks == 0 || !tick.isKnown()) {
            unstampedCount++;
            return;
        }
        frame.setStampNanos(clock.arrivalNanos(tick.toNanos(ticks), polledNanos));
        stampedCount++;
    }

    private void learn(long ticks, long polledNanos) {
        if (!isReadable) {
            tick.onFrame(ticks, polledNanos);
        } else if (polledNanos >= readNanos) {
            readNanos = polledNanos + READ_EVERY_NANOS;
            read();
        }
    }

    /** {@return received frames with a stamp} */
    long stampedCount() {
        return stampedCount;
    }

    /** {@return received frames without one} */
    long unstampedCount() {
        return unstampedCount;
    }

    /** {@return it for the log: frames with and without a stamp, and the length of a tick} */
    @Override
    public String toString() {
        return stampedCount + " of " + (stampedCount + unstampedCount) + " frames, "
                + (tick.isKnown() ? tick.nanosPerTick() + " ns a tick" : "of unknown unit");
    }
}
