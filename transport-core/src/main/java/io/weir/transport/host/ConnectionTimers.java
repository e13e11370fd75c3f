package io.weir.transport.host;

import io.weir.transport.node.ConfigException;

/**
 * How long each connection waits, and for what.
 *
 * @param ackDelayNanos how long an acknowledgement may be held back
 * @param retransmitNanosInitial the retransmission time-out before the first round-trip time is known
 * @param retransmitNanosMin its lower bound
 * @param retransmitNanosMax its upper bound
 * @param userTimeoutNanos how long a connection with something to do waits without a frame from its peer
 * @param lingerNanos how long a closed connection still answers repetitions
 */
public record ConnectionTimers(
        long ackDelayNanos,
        long retransmitNanosInitial,
        long retransmitNanosMin,
        long retransmitNanosMax,
        long userTimeoutNanos,
        long lingerNanos) {
    private static final long MILLISECOND = 1_000_000L;
    /** The longest time-out, an hour: sums of several time-outs and the clock are far from overflowing. */
    public static final long NANOS_MAX = 3_600_000 * MILLISECOND;

    /** For links of up to a few milliseconds: a data centre's, with hosts that lose their core at times. */
    public static final ConnectionTimers DEFAULT = new ConnectionTimers(
            MILLISECOND / 5,
            20 * MILLISECOND,
            2 * MILLISECOND,
            1_000 * MILLISECOND,
            10_000 * MILLISECOND,
            50 * MILLISECOND);

    /** Validates the order of the bounds. */
    public ConnectionTimers {
        if (ackDelayNanos <= 0 || retransmitNanosMin <= 0 || lingerNanos <= 0) {
            throw new ConfigException("ackDelayNanos, retransmitNanosMin and lingerNanos must be positive");
        }
        if (retransmitNanosMin > retransmitNanosInitial
                || retransmitNanosInitial > retransmitNanosMax
                || retransmitNanosMax > userTimeoutNanos) {
            throw new ConfigException("retransmitNanosMin=" + retransmitNanosMin + " <= retransmitNanosInitial="
                    + retransmitNanosInitial + " <= retransmitNanosMax=" + retransmitNanosMax
                    + " <= userTimeoutNanos=" + userTimeoutNanos + " does not hold");
        }
        if (ackDelayNanos > NANOS_MAX || userTimeoutNanos > NANOS_MAX || lingerNanos > NANOS_MAX) {
            throw new ConfigException("ackDelayNanos=" + ackDelayNanos + ", userTimeoutNanos=" + userTimeoutNanos
                    + " or lingerNanos=" + lingerNanos + " is more than " + NANOS_MAX + " (an hour); give less");
        }
    }

    /** {@return what makes others, with the values of {@link #DEFAULT} until they are set} */
    public static Builder builder() {
        return DEFAULT.toBuilder();
    }

    /** {@return what makes others, with these values until they are set} */
    public Builder toBuilder() {
        return new Builder(this);
    }

    /** Timers by name. Their bounds are those of each other, so only {@link #build} looks at them. */
    public static final class Builder {
        // In nanoseconds; each written by its setter.
        private long ackDelayNanos;
        private long retransmitNanosInitial;
        private long retransmitNanosMin;
        private long retransmitNanosMax;
        private long userTimeoutNanos;
        private long lingerNanos;

        private Builder(ConnectionTimers from) {
            ackDelayNanos = from.ackDelayNanos;
            retransmitNanosInitial = from.retransmitNanosInitial;
            retransmitNanosMin = from.retransmitNanosMin;
            retransmitNanosMax = from.retransmitNanosMax;
            userTimeoutNanos = from.userTimeoutNanos;
            lingerNanos = from.lingerNanos;
        }

        /** Sets how long an acknowledgement may be held back. */
        public Builder ackDelayNanos(long value) {
            ackDelayNanos = value;
            return this;
        }

        /** Sets the retransmission time-out before the first round-trip time is known. */
        public Builder retransmitNanosInitial(long value) {
            retransmitNanosInitial = value;
            return this;
        }

        /** Sets the lower bound of the retransmission time-out. */
        public Builder retransmitNanosMin(long value) {
            retransmitNanosMin = value;
            return this;
        }

        /** Sets the upper bound of the retransmission time-out. */
        public Builder retransmitNanosMax(long value) {
            retransmitNanosMax = value;
            return this;
        }

        /** Sets how long a connection with something to do waits without a frame from its peer. */
        public Builder userTimeoutNanos(long value) {
            userTimeoutNanos = value;
            return this;
        }

        /** Sets how long a closed connection still answers repetitions. */
        public Builder lingerNanos(long value) {
            lingerNanos = value;
            return this;
        }

        /**
         * {@return the timers}
         *
         * @throws ConfigException if a value is out of its range, or the bounds are not in their order
         */
        public ConnectionTimers build() {
            return new ConnectionTimers(
                    ackDelayNanos,
                    retransmitNanosInitial,
                    retransmitNanosMin,
                    retransmitNanosMax,
                    userTimeoutNanos,
                    lingerNanos);
        }
    }
}
