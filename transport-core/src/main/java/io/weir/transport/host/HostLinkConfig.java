package io.weir.transport.host;

import io.weir.pacer.RateMath;
import io.weir.transport.node.ConfigException;
import io.weir.transport.protocol.credit.CreditPortConfig;
import io.weir.transport.protocol.credit.CreditSettings;
import io.weir.transport.wire.Ethernet;

/**
 * What a host needs to know of one of its links: its port's wire, or the memory that it shares with other processes.
 *
 * @param mtuBytes the largest IP packet
 * @param rateBps the rate at which everything that leaves is shaped
 * @param deviceRateBps the rate of the device, by which stamps are calibrated: more than {@code rateBps} where a slower
 *     link is played
 * @param credits how the link limits credits (ExpressPass section 3.1: "switch and host NIC")
 */
public record HostLinkConfig(int mtuBytes, long rateBps, long deviceRateBps, CreditPortConfig credits) {

    public HostLinkConfig {
        requireMtu(mtuBytes, false);
        RateMath.requireRate("linkRateBps", rateBps);
        RateMath.requireRate("portRateBps", deviceRateBps);
        HostConfig.requireGiven("credits", credits);
    }

    /**
     * {@return a link whose device has its rate, with credits for all frames but 1 % of it, which is left to those
     * without}
     */
    public static HostLinkConfig of(int mtuBytes, long rateBps) {
        return new HostLinkConfig(mtuBytes, rateBps, rateBps, exactCredits(mtuBytes, rateBps));
    }

    /** {@return limits for credits of every size, which leave 1 % of the link to frames without a credit} */
    static CreditPortConfig exactCredits(int mtuBytes, long rateBps) {
        requireMtu(mtuBytes, false);
        return CreditSettings.DEFAULT.toConfig(rateBps, mtuBytes);
    }

    /** Refuses an MTU that no link has, or none over which IPv6 goes. */
    static void requireMtu(int mtuBytes, boolean hasV6) {
        int bytesMin = HostConfig.mtuBytesMin(hasV6);
        if (mtuBytes < bytesMin || mtuBytes > HostConfig.MTU_BYTES_MAX) {
            throw new ConfigException("mtuBytes=" + mtuBytes + " is outside " + bytesMin + ".."
                    + HostConfig.MTU_BYTES_MAX + "; set the interface's MTU within it");
        }
    }

    /** {@return what the longest frame occupies on the link} */
    int dataWireBytesMax() {
        return mtuBytes + Ethernet.FRAMING_BYTES;
    }
}
