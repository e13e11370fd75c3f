package io.weir.transport.switching;

import io.weir.pacer.SeededRandom;
import io.weir.transport.frame.Frame;
import io.weir.transport.wire.EcnField;

/**
 * Marks packets Congestion Experienced by the length of the queue that they join, or that they leave behind (RED on the
 * instantaneous queue, as DCTCP, DCQCN and CCRP configure it). One a port; no allocation.
 */
final class EcnMarker {
    private final EcnConfig config;
    private final SeededRandom random;

    EcnMarker(EcnConfig config, SeededRandom random) {
        this.config = config;
        this.random = random;
    }

    /**
     * {@return whether the frame is marked now, which is about to join a queue of {@code queueBytes} or has just left
     * one}
     */
    boolean mark(Frame frame, long queueBytes) {
        return shouldMark(queueBytes) && EcnField.mark(frame);
    }

    /** {@return whether packets are looked at when they leave} */
    boolean isOnDeparture() {
        return config.isOnDeparture();
    }

    private boolean shouldMark(long queueBytes) {
        if (queueBytes < config.minBytes()) {
            return false;
        }
        if (queueBytes >= config.maxBytes()) {
            return true;
        }
        long span = config.maxBytes() - config.minBytes();
        return random.nextLong(span * 1_000_000L) < (queueBytes - config.minBytes()) * config.probabilityPpm();
    }
}
