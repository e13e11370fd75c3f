package io.weir.transport.socket;

import io.weir.pacer.RateMath;
import io.weir.pacer.Slack;
import io.weir.transport.host.HostConfig;
import io.weir.transport.node.ConfigException;
import io.weir.transport.protocol.expresspass.ExpressPassConfig;
import io.weir.transport.runtime.IdleMode;

/**
 * How a transport is set up.
 *
 * @param backend what moves the frames, such as {@code afxdp}, or empty for the first that is on the class path
 * @param idleMode what the loop does when there is nothing to do
 * @param linkRateBps the rate of the interface's link, or 0 for what the device says
 * @param creditlessPpm the share of the link left to frames without a credit, in parts per million
 * @param slack how far the loop's coarse polling may shift departures
 * @param frameCount frames in the pool that the port and the stack share
 * @param connectionsMax the most connections at once, the half-open ones among them
 * @param backlogMax the most half-open connections
 * @param expressPass the parameters of ExpressPass
 * @param streams what each connection's streams need
 * @param timers when to give up waiting
 */
public record TransportConfig(
        String backend,
        IdleMode idleMode,
        long linkRateBps,
        int creditlessPpm,
        Slack slack,
        int frameCount,
        int connectionsMax,
        int backlogMax,
        ExpressPassConfig expressPass,
        HostConfig.Streams streams,
        HostConfig.Timers timers) {
    private static final int CREDITLESS_PPM_MAX = 999_999;
    private static final int FRAME_COUNT_MIN = 256;
    private static final int FRAME_COUNT_MAX = 1 << 19;

    /** Everything as most users want it. */
    public static final TransportConfig DEFAULT = new Builder().build();

    /** Validates what can be validated before an interface is known. */
    public TransportConfig {
        if (linkRateBps < 0 || linkRateBps > RateMath.RATE_BPS_MAX) {
            throw new ConfigException(
                    "linkRateBps=" + linkRateBps + " is outside 0 (ask the device).." + RateMath.RATE_BPS_MAX);
        }
        if (creditlessPpm < 0 || creditlessPpm > CREDITLESS_PPM_MAX) {
            throw new ConfigException("creditlessPpm=" + creditlessPpm + " is outside 0.." + CREDITLESS_PPM_MAX
                    + "; credits and their data need the rest of the link");
        }
        if (frameCount < FRAME_COUNT_MIN || frameCount > FRAME_COUNT_MAX) {
            throw new ConfigException(
                    "frameCount=" + frameCount + " is outside " + FRAME_COUNT_MIN + ".." + FRAME_COUNT_MAX);
        }
        HostConfig.requireConnections(connectionsMax, backlogMax);
    }

    /** {@return a builder that starts from the default} */
    public static Builder builder() {
        return new Builder();
    }

    /** Collects what differs from the default. */
    public static final class Builder {
        private String backend = "";
        private IdleMode idleMode = IdleMode.BACK_OFF;
        private long linkRateBps;
        private int creditlessPpm = 10_000;
        private Slack slack = Slack.LIVE;
        private int frameCount = 8_192;
        private int connectionsMax = HostConfig.CONNECTIONS_MAX_DEFAULT;
        private int backlogMax = HostConfig.BACKLOG_MAX_DEFAULT;
        private ExpressPassConfig expressPass = ExpressPassConfig.weir();
        private HostConfig.Streams streams = HostConfig.Streams.DEFAULT;
        private HostConfig.Timers timers = HostConfig.Timers.DEFAULT;

        private Builder() {}

        /** Sets what moves the frames. */
        public Builder backend(String value) {
            backend = value;
            return this;
        }

        /** Sets what the loop does when there is nothing to do. */
        public Builder idleMode(IdleMode value) {
            idleMode = value;
            return this;
        }

        /** Sets the rate of the link, for devices that do not know it. */
        public Builder linkRateBps(long value) {
            linkRateBps = value;
            return this;
        }

        /** Sets the share of the link left to frames without a credit. */
        public Builder creditlessPpm(int value) {
            creditlessPpm = value;
            return this;
        }

        /** Sets how far the loop's coarse polling may shift departures. */
        public Builder slack(Slack value) {
            slack = value;
            return this;
        }

        /** Sets the frames in the pool. */
        public Builder frameCount(int value) {
            frameCount = value;
            return this;
        }

        /** Sets the most connections, and of those the most half-open ones. */
        public Builder connections(int max, int halfOpenMax) {
            connectionsMax = max;
            backlogMax = halfOpenMax;
            return this;
        }

        /** Sets the parameters of ExpressPass. */
        public Builder expressPass(ExpressPassConfig value) {
            expressPass = value;
            return this;
        }

        /** Sets what each connection's streams need. */
        public Builder streams(HostConfig.Streams value) {
            streams = value;
            return this;
        }

        /** Sets when to give up waiting. */
        public Builder timers(HostConfig.Timers value) {
            timers = value;
            return this;
        }

        /** {@return the configuration} */
        public TransportConfig build() {
            return new TransportConfig(
                    backend,
                    idleMode,
                    linkRateBps,
                    creditlessPpm,
                    slack,
                    frameCount,
                    connectionsMax,
                    backlogMax,
                    expressPass,
                    streams,
                    timers);
        }
    }
}
