package io.weir.nic.dpdk;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.nic.ffi.DpdkBinding;
import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import io.weir.transport.node.StampSources.Source;
import java.lang.reflect.Proxy;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Stamps of a device whose clock can be read, in place of the device a function. */
class DpdkStampsTest {
    private static final long MILLI = 1_000_000;
    private static final long UNSTAMPED = -1;
    private static final long LINK = 17;
    private static final int NOT_SUPPORTED = -95;
    /** A clock of 250 MHz. */
    private static final int NANOS_PER_TICK = 4;

    private final FramePool pool = new FramePool(16, 2_048);
    /** The machine's time. */
    private long nowNanos = 3 * MILLI;

    private int readings;
    private boolean isReadable = true;

    private final DpdkBinding dpdk = (DpdkBinding) Proxy.newProxyInstance(
            DpdkBinding.class.getClassLoader(), new Class<?>[] {DpdkBinding.class}, (proxy, method, arguments) -> {
                assertEquals("weir_link_read_clock", method.getName());
                assertEquals(LINK, arguments[0]);
                return read(new UnsafeBuffer((long) arguments[1], 3 * Long.BYTES));
            });

    private int read(UnsafeBuffer out) {
        if (!isReadable) {
            return NOT_SUPPORTED;
        }
        readings++;
        out.putLong(0, ticks(nowNanos));
        out.putLong(8, nowNanos);
        out.putLong(16, 100);
        return 0;
    }

    private static long ticks(long nanos) {
        return 9_000_000 + nanos / NANOS_PER_TICK;
    }

    /** {@return the stamp of a frame that came at one time and was found at another, or UNSTAMPED} */
    private long stamp(DpdkStamps stamps, long arrivedNanos, long polledNanos) {
        nowNanos = polledNanos;
        Frame frame = pool.allocate();
        stamps.onReceived(frame, arrivedNanos == UNSTAMPED ? 0 : ticks(arrivedNanos), polledNanos);
        long stampNanos = frame.stampNanos(UNSTAMPED);
        frame.release();
        return stampNanos;
    }

    @Test
    void onReceived_clockReadTwice_stampsByIt() {
        DpdkStamps stamps = new DpdkStamps(dpdk, LINK);
        assertEquals(1, readings);
        // Too early for a second reading to tell: 200 ns are too much of 10 ms.
        assertEquals(UNSTAMPED, stamp(stamps, 13 * MILLI, 13 * MILLI + 500));
        assertEquals(UNSTAMPED, stamp(stamps, 14 * MILLI, 14 * MILLI + 500));
        assertEquals(2, readings, "the clock was read for each frame");
        assertEquals(200 * MILLI + 500, stamp(stamps, 200 * MILLI, 200 * MILLI + 500));
        assertEquals(3, readings);
        assertEquals(200 * MILLI + 40_500, stamp(stamps, 200 * MILLI + 40_000, 200 * MILLI + 90_000));
        assertEquals(3, readings, "the clock was read although its rate is known");
        assertEquals(2, stamps.stampedCount());
        assertEquals(2, stamps.unstampedCount());
    }

    @Test
    void onReceived_noStamp_keepsTheTimeOfThePoll() {
        DpdkStamps stamps = new DpdkStamps(dpdk, LINK);
        stamp(stamps, 200 * MILLI, 200 * MILLI);
        assertEquals(UNSTAMPED, stamp(stamps, UNSTAMPED, 201 * MILLI));
        assertEquals(1, stamps.unstampedCount());
    }

    @Test
    void onReceived_clockCannotBeRead_unitIsLearntFromFrames() {
        isReadable = false;
        DpdkStamps stamps = new DpdkStamps(dpdk, LINK);
        // Ticks of 4 ns are neither unit.
        for (long i = 0; i < 10; i++) {
            assertEquals(UNSTAMPED, stamp(stamps, i * 400 * MILLI, i * 400 * MILLI));
        }
        assertEquals("0 of 10 frames, of unknown unit", stamps.toString());
    }

    @Test
    void sources_ofEachKindOfDriver() {
        assertEquals(
                Source.HARDWARE, DpdkStamps.sources(device("mlx5_pci", true)).receive());
        assertEquals(
                Source.SOFTWARE, DpdkStamps.sources(device("mlx5_pci", true)).transmit());
        assertEquals(
                Source.KERNEL, DpdkStamps.sources(device("net_pcap", false)).receive());
        assertEquals(
                "receive software, transmit software (driver net_memif offers none)",
                DpdkStamps.sources(device("net_memif", false)).line());
    }

    private static DpdkDevice device(String driver, boolean stampsArrivals) {
        return new DpdkDevice(0, driver, 2, 1_500, 1, stampsArrivals, false, false, 0);
    }
}
