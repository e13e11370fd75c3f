package io.weir.transport.node;

/**
 * What a port is, for results, logs and the stack's own set-up.
 *
 * @param name the interface's name
 * @param backend what moves the frames: {@code afxdp}, {@code memory}
 * @param mode how: {@code native/copy}, {@code generic/copy}, ...
 * @param modeReason why that mode: what was tried first and what the kernel said
 * @param stamps where time stamps come from
 * @param macAddress the port's Ethernet address in the low 48 bits
 * @param mtuBytes the largest IP packet
 * @param linkRateBps the link's rate as the device tells it, or 0 when it does not
 */
public record PortInfo(
        String name,
        String backend,
        String mode,
        String modeReason,
        StampSources stamps,
        long macAddress,
        int mtuBytes,
        long linkRateBps) {}
