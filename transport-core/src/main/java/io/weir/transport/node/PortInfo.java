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
 * @param needsDataChecksums whether data frames over IPv4 must have a UDP checksum when the port gets them: not where
 *     no wire follows, as in memory and on a veth, or where the device makes it
 */
public record PortInfo(
        String name,
        String backend,
        String mode,
        String modeReason,
        StampSources stamps,
        long macAddress,
        int mtuBytes,
        long linkRateBps,
        boolean needsDataChecksums) {

    /** Describes a port that gets every frame with its checksums. */
    public PortInfo(
            String name,
            String backend,
            String mode,
            String modeReason,
            StampSources stamps,
            long macAddress,
            int mtuBytes,
            long linkRateBps) {
        this(name, backend, mode, modeReason, stamps, macAddress, mtuBytes, linkRateBps, true);
    }

    /** {@return this with another need of checksums} */
    public PortInfo withDataChecksums(boolean areNeeded) {
        return new PortInfo(name, backend, mode, modeReason, stamps, macAddress, mtuBytes, linkRateBps, areNeeded);
    }

    @Override
    public String toString() {
        return "PortInfo[name=" + name + ", backend=" + backend + ", mode=" + mode + ", modeReason=" + modeReason
                + ", stamps=" + stamps + ", macAddress=" + macText() + ", mtuBytes=" + mtuBytes + ", linkRateBps="
                + linkRateBps + ", needsDataChecksums=" + needsDataChecksums + "]";
    }

    /** The address as people write it; this package knows no frames' fields. */
    private String macText() {
        StringBuilder text = new StringBuilder(17);
        for (int shift = 40; shift >= 0; shift -= Byte.SIZE) {
            text.append(String.format("%02x", macAddress >>> shift & 0xFF)).append(shift == 0 ? "" : ":");
        }
        return text.toString();
    }
}
