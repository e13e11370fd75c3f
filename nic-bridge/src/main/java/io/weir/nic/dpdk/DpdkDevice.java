package io.weir.nic.dpdk;

import io.weir.nic.Errno;
import io.weir.nic.NicException;
import io.weir.nic.ffi.DpdkBinding;
import io.weir.nic.ffi.NativeMemory;
import io.weir.nic.net.Interfaces;
import io.weir.transport.node.PortInfo;
import io.weir.transport.node.StampSources;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Set;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What DPDK tells about a device that was made or probed.
 *
 * @param port its number
 * @param driver the driver's name
 * @param macAddress its Ethernet address
 * @param mtuBytesMax the largest IP packet that it says it takes
 * @param queuesMax how many queues it can have, each for receiving and transmitting
 * @param stampsArrivals whether it can stamp frames that come
 * @param makesChecksums whether it completes UDP checksums of frames that leave
 * @param checksArrivals whether it can tell of frames that come that their UDP checksum is right
 * @param linkRateBps the link's rate, or 0: of an interface of the kernel's what that says
 */
record DpdkDevice(
        int port,
        String driver,
        long macAddress,
        int mtuBytesMax,
        int queuesMax,
        boolean stampsArrivals,
        boolean makesChecksums,
        boolean checksArrivals,
        long linkRateBps) {
    private static final int INFO_BYTES = 96;
    private static final int DRIVER_BYTES = 32;
    private static final int RECEIVE_QUEUES_AT = 48;
    private static final int RECEIVE_OFFLOADS_AT = 56;
    private static final int TRANSMIT_OFFLOADS_AT = 64;
    private static final int LINK_MBPS_AT = 80;
    private static final long STAMP_OFFLOAD = 1L << 14;
    private static final long TRANSMIT_UDP_CHECKSUM_OFFLOAD = 1L << 2;
    private static final long RECEIVE_UDP_CHECKSUM_OFFLOAD = 1L << 2;
    private static final long BITS_PER_MBIT = 1_000_000;
    /** Links in memory, which carry more than their drivers say, and whose rate is made up. */
    private static final Set<String> MEMORY_DRIVERS = Set.of("net_memif", "net_ring");
    /** What sends through interfaces of the kernel, and the arguments that may name one. */
    private static final Set<String> KERNEL_DRIVERS = Set.of("net_af_xdp", "net_af_packet", "net_pcap");

    private static final List<String> INTERFACE_ARGUMENTS = List.of("iface", "tx_iface");
    /** More than processors copy: a link in memory is no bottleneck. */
    static final long MEMORY_RATE_BPS = 100_000_000_000L;

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
                Math.min(info.getInt(RECEIVE_QUEUES_AT), info.getInt(RECEIVE_QUEUES_AT + Integer.BYTES)),
                (info.getLong(RECEIVE_OFFLOADS_AT) & STAMP_OFFLOAD) != 0,
                (info.getLong(TRANSMIT_OFFLOADS_AT) & TRANSMIT_UDP_CHECKSUM_OFFLOAD) != 0,
                (info.getLong(RECEIVE_OFFLOADS_AT) & RECEIVE_UDP_CHECKSUM_OFFLOAD) != 0,
                linkRateBps(driver, config, info.getInt(LINK_MBPS_AT) & 0xFFFF_FFFFL));
    }

    /** The drivers over the kernel's interfaces and over memory make their rate up: 10 Gbit/s. */
    private static long linkRateBps(String driver, DpdkConfig config, long saidMbps) throws NicException {
        if (MEMORY_DRIVERS.contains(driver)) {
            return MEMORY_RATE_BPS;
        }
        if (KERNEL_DRIVERS.contains(driver)) {
            for (String argument : INTERFACE_ARGUMENTS) {
                String kernelInterface = config.deviceArgument(argument);
                if (kernelInterface != null) {
                    return Interfaces.find(kernelInterface).linkRateBps();
                }
            }
        }
        return saidMbps * BITS_PER_MBIT;
    }

    /** Refuses what the device cannot do for so many ports. */
    void require(DpdkConfig config, int portCount) throws NicException {
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
        if (config.queueCount() > queuesMax) {
            throw new NicException("queues=" + config.queueCount() + " exceeds " + queuesMax
                    + ", the receive queues that " + driver + " has for " + config.deviceName() + "; lower queues");
        }
        if (portCount > queuesMax) {
            throw new NicException("queueCount=" + portCount + " exceeds " + queuesMax + ", the queues that " + driver
                    + " has for " + config.deviceName() + "; ask for at most that many" + moreQueues(portCount));
        }
        if (portCount > config.queueCountFor(portCount)) {
            throw new NicException("queueCount=" + portCount + " exceeds queues=" + config.queueCount() + " of "
                    + config.deviceName() + ", and each loop needs a queue; raise queues, or leave it out");
        }
    }

    /** {@return how some drivers are given more queues, behind a comma, or nothing} */
    private String moreQueues(int queueCount) {
        return switch (driver) {
            case "net_af_packet" -> ", or add qpairs=" + queueCount + " to its arguments";
            case "net_af_xdp" ->
                ", or add queue_count=" + queueCount + " to its arguments, for an interface with as many (ethtool -L)";
            default -> "";
        };
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

    /** {@return whether the device looks for its other end only when it is started} */
    boolean looksForItsPeerWhenStarted(DpdkConfig config) {
        return driver.equals(MEMIF) && !"server".equals(config.deviceArgument("role"));
    }

    /** {@return the description of a port of the device} */
    PortInfo info(DpdkConfig config, int queueCount, boolean isSwitch) {
        return new PortInfo(
                        config.deviceName(),
                        DpdkBackend.NAME,
                        driver + (queueCount > 1 ? "/" + queueCount + " queues" : "") + checksums(),
                        "asked for",
                        isSwitch ? StampSources.software("a switch measures no delays") : DpdkStamps.sources(this),
                        macAddress,
                        config.mtuBytes(),
                        linkRateBps)
                .withDataChecksums(!MEMORY_DRIVERS.contains(driver) && !makesChecksums);
    }

    private String checksums() {
        return makesChecksums
                ? checksArrivals ? ", makes and checks UDP checksums" : ", makes UDP checksums"
                : checksArrivals ? ", checks UDP checksums" : "";
    }
}
