package io.weir.nic.dpdk;

import io.weir.nic.Errno;
import io.weir.nic.NicException;
import io.weir.nic.ffi.DpdkBinding;
import io.weir.nic.ffi.NativeMemory;
import io.weir.transport.node.StampSources;
import java.nio.ByteOrder;
import java.util.Set;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What DPDK tells about a device that was made or probed.
 *
 * @param port its number
 * @param driver the driver's name
 * @param macAddress its Ethernet address
 * @param mtuBytesMax the largest IP packet that it says it takes
 * @param receiveQueuesMax how many receive queues it can have
 * @param stampsArrivals whether it can stamp frames that come
 * @param linkRateBps the link's rate, or 0
 */
record DpdkDevice(
        int port,
        String driver,
        long macAddress,
        int mtuBytesMax,
        int receiveQueuesMax,
        boolean stampsArrivals,
        long linkRateBps) {
    private static final int INFO_BYTES = 96;
    private static final int DRIVER_BYTES = 32;
    private static final int RECEIVE_OFFLOADS_AT = 56;
    private static final int LINK_MBPS_AT = 80;
    private static final long STAMP_OFFLOAD = 1L << 14;
    private static final long BITS_PER_MBIT = 1_000_000;
    /** Links in memory, which carry more than their drivers say, and whose rate is made up. */
    private static final Set<String> MEMORY_DRIVERS = Set.of("net_memif", "net_ring");

    private static final String MEMIF = "net_memif";
    private static final int MEMIF_BUFFER_BYTES = 2048;
    private static final int FRAMING_BYTES = 18;

    /** Makes or probes the device of a configuration. */
    static DpdkDevice attach(DpdkBinding dpdk, DpdkConfig config) throws NicException {
        UnsafeBuffer arguments = NativeMemory.text(config.device());
        UnsafeBuffer name = NativeMemory.text(config.deviceName());
        int port = (int) NativeMemory.call(
                arguments, at -> NativeMemory.call(name, nameAt -> dpdk.weir_device_attach(at, nameAt)));
        if (port < 0) {
            throw new NicException("DPDK cannot use the device " + config.device() + ": " + Errno.describe(-port)
                    + Dpdk.said(dpdk) + "; check its name and arguments, and that nothing else has it");
        }
        return read(dpdk, port, config);
    }

    private static DpdkDevice read(DpdkBinding dpdk, int port, DpdkConfig config) throws NicException {
        UnsafeBuffer info = NativeMemory.allocate(INFO_BYTES);
        int result = (int) NativeMemory.call(info, address -> dpdk.weir_device_info(port, address));
        if (result < 0) {
            throw new NicException("DPDK does not describe the device " + config.deviceName() + ": "
                    + Errno.describe(-result) + "; try the device with dpdk-testpmd");
        }
        long mac = (info.getShort(DRIVER_BYTES, ByteOrder.BIG_ENDIAN) & 0xFFFFL) << Integer.SIZE
                | (info.getInt(DRIVER_BYTES + 2, ByteOrder.BIG_ENDIAN) & 0xFFFF_FFFFL);
        String driver = NativeMemory.textAt(info, 0, DRIVER_BYTES);
        return new DpdkDevice(
                port,
                driver,
                mac,
                info.getInt(40),
                info.getInt(48),
                (info.getLong(RECEIVE_OFFLOADS_AT) & STAMP_OFFLOAD) != 0,
                MEMORY_DRIVERS.contains(driver) ? 0 : (info.getInt(LINK_MBPS_AT) & 0xFFFF_FFFFL) * BITS_PER_MBIT);
    }

    /** Refuses what the device cannot do. */
    void require(DpdkConfig config) throws NicException {
        if (config.mtuBytes() > mtuBytesMax && !MEMORY_DRIVERS.contains(driver)) {
            throw new NicException("mtu=" + config.mtuBytes() + " exceeds " + mtuBytesMax + ", the most that " + driver
                    + " takes for " + config.deviceName() + "; lower mtu");
        }
        if (driver.equals(MEMIF) && config.mtuBytes() + FRAMING_BYTES > memifBufferBytes(config)) {
            // The driver would write beyond its buffers.
            throw new NicException(
                    "mtu=" + config.mtuBytes() + " needs buffers of " + (config.mtuBytes() + FRAMING_BYTES)
                            + " bytes, and " + config.deviceName() + " has " + memifBufferBytes(config)
                            + "; add bsize=16384 to its arguments, at both ends");
        }
        if (config.queueCount() > receiveQueuesMax) {
            throw new NicException("queues=" + config.queueCount() + " exceeds " + receiveQueuesMax
                    + ", the receive queues that " + driver + " has for " + config.deviceName() + "; lower queues");
        }
    }

    private static int memifBufferBytes(DpdkConfig config) throws NicException {
        String text = config.deviceArgument("bsize");
        try {
            return text == null ? MEMIF_BUFFER_BYTES : Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new NicException("bsize=" + text + " of " + config.deviceName() + " is no number of bytes", e);
        }
    }

    /** {@return the MTU to set, or 0 to leave the device's: a link in memory refuses to set what it carries} */
    int mtuBytesToSet(DpdkConfig config) {
        return config.mtuBytes() > mtuBytesMax ? 0 : config.mtuBytes();
    }

    StampSources stamps() {
        return StampSources.software(
                stampsArrivals
                        ? "the device offers stamps of arrivals, which the DPDK port does not read"
                        : "driver " + driver + " offers no stamps");
    }
}
