package io.weir.cli.environment;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.weir.transport.node.PortInfo;

/**
 * What a port is and how it came to be so.
 *
 * @param name the interface
 * @param backend what moves its frames
 * @param driver the interface's driver, or null when it is none or was not asked
 * @param mode how the backend moves them
 * @param reason why so: what was tried first, and what refused it
 * @param stamps where the time stamps of its frames come from, and why from there
 * @param mtuBytes the largest IP packet
 * @param linkRateBps the link's rate as the device tells it, 0 when it does not
 * @param scheduling what the thread that drives it got from the scheduler, or null where nobody asked
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PortFingerprint(
        String name,
        String backend,
        String driver,
        String mode,
        String reason,
        String stamps,
        int mtuBytes,
        long linkRateBps,
        String scheduling) {
    /**
     * What stands for the ports of a simulation: stamps are those of events, and nothing is between them and the wire.
     */
    public static final PortFingerprint SIMULATED = new PortFingerprint(
            "all",
            "simulator",
            null,
            "virtual time",
            "asked for",
            "receive exact, transmit exact (virtual time)",
            0,
            0,
            null);

    /** {@return the fingerprint of a port whose driver was not asked} */
    public static PortFingerprint of(PortInfo info) {
        return of(info, null);
    }

    /** {@return the fingerprint of a port with its interface's driver, which may be null} */
    public static PortFingerprint of(PortInfo info, String driver) {
        return new PortFingerprint(
                info.name(),
                info.backend(),
                driver,
                info.mode(),
                info.modeReason(),
                info.stamps().line(),
                info.mtuBytes(),
                info.linkRateBps(),
                null);
    }

    /** {@return this with what the thread that drives the port got from the scheduler} */
    public PortFingerprint scheduled(String line) {
        return new PortFingerprint(name, backend, driver, mode, reason, stamps, mtuBytes, linkRateBps, line);
    }
}
