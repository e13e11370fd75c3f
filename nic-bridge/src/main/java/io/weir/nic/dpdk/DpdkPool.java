package io.weir.nic.dpdk;

import io.weir.nic.Errno;
import io.weir.nic.NicException;
import io.weir.nic.ffi.DpdkBinding;
import io.weir.nic.ffi.NativeLibrary;
import io.weir.nic.ffi.NativeMemory;
import io.weir.transport.frame.FramePool;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Frames in DPDK's memory: each slot is an mbuf and its data, and the data are the frame. A pool belongs to one port.
 */
final class DpdkPool {
    /** What DPDK keeps before a received frame, and before its data. */
    private static final int HEADROOM_BYTES = 128;
    /** DPDK's record of the slot and the mbuf. */
    private static final int HEAD_BYTES = 64 + 128;
    /** The Ethernet header, one VLAN tag and the check sequence, which some devices store. */
    private static final int FRAMING_BYTES = 22;

    /** Some drivers want this much whatever the MTU. */
    private static final int FRAME_BYTES_MIN = 2048;

    private static final int LINE_BYTES = 64;

    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final DpdkBinding dpdk;
    private final long address;
    private final FramePool frames;
    /** Whether a frame outlives the port; written by the port's thread when it closes the port. */
    private volatile boolean isKept;

    private DpdkPool(DpdkBinding dpdk, long address, FramePool frames) {
        this.dpdk = dpdk;
        this.address = address;
        this.frames = frames;
    }

    /** {@return the bytes of a frame's buffer for this MTU; with the head an odd number of lines} */
    static int capacityBytes(int mtuBytes) {
        int frameBytes = Math.max(FRAME_BYTES_MIN, mtuBytes + FRAMING_BYTES);
        int lines = (HEAD_BYTES + HEADROOM_BYTES + frameBytes + LINE_BYTES - 1) / LINE_BYTES;
        return (lines | 1) * LINE_BYTES - HEAD_BYTES;
    }

    static DpdkPool create(DpdkBinding dpdk, int frameCount, int mtuBytes) throws NicException {
        int strideBytes = HEAD_BYTES + capacityBytes(mtuBytes);
        if ((long) frameCount * strideBytes > Integer.MAX_VALUE) {
            throw new NicException("frameCount=" + frameCount + " of " + strideBytes
                    + " bytes each is beyond 2 GiB; take fewer, or a smaller mtu");
        }
        UnsafeBuffer name = NativeMemory.text("weir_" + NUMBER.incrementAndGet());
        long address = NativeMemory.call(name, at -> dpdk.weir_pool_create(at, frameCount, strideBytes));
        if (address == 0) {
            int error = dpdk.weir_dpdk_error();
            throw new NicException(
                    "DPDK has no " + frameCount * (long) strideBytes + " bytes in one piece for "
                            + frameCount + " frames: " + Errno.describe(error) + Dpdk.said(dpdk)
                            + "; reserve more hugepages (/proc/sys/vm/nr_hugepages), with --no-huge raise -m, or take fewer frames");
        }
        UnsafeBuffer head = new UnsafeBuffer(address, 2 * Long.BYTES);
        // The first two fields of struct weir_pool.
        ByteBuffer memory = NativeLibrary.memory(head.getLong(0), (int) head.getLong(Long.BYTES));
        return new DpdkPool(dpdk, address, FramePool.over(memory, strideBytes, HEAD_BYTES));
    }

    long address() {
        return address;
    }

    FramePool frames() {
        return frames;
    }

    /** Somebody still has a frame, and may look at it: the memory stays until the process ends. */
    void keep() {
        isKept = true;
    }

    /** Gives the memory back unless it is to be kept; after the device that used it. */
    void close() {
        if (!isKept) {
            dpdk.weir_pool_free(address);
        }
    }
}
