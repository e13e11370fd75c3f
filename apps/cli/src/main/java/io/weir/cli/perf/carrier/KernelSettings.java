package io.weir.cli.perf.carrier;

import java.net.InetAddress;

/**
 * How connections of the kernel's are set up.
 *
 * @param address this end's address, or null for any
 * @param windowBytes the socket's buffers of each direction, or 0 for what the kernel gives
 * @param trafficClass the octet of the IP header with DSCP and ECN, or 0
 * @param linkRateBps the link's rate, or 0 where it is not known
 * @param isSpinning whether the loop polls without rest
 */
public record KernelSettings(
        InetAddress address, int windowBytes, int trafficClass, long linkRateBps, boolean isSpinning) {
    /** As the kernel has it. */
    public static final KernelSettings DEFAULT = new KernelSettings(null, 0, 0, 0, false);
}
