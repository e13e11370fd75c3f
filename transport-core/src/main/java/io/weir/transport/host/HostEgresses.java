package io.weir.transport.host;

import io.weir.pacer.PauseBudget;
import io.weir.pacer.SeededRandom;
import io.weir.transport.frame.Frame;
import io.weir.transport.node.Egress;
import io.weir.transport.telemetry.Ledger;
import io.weir.transport.wire.Path;
import io.weir.transport.wire.SharedHostMac;

/**
 * All that leaves a host: by its port's link and, where it has some, by memory that it shares with other processes.
 * Each has its own rate, credit meter and turns, so that neither waits for the other or takes from it. They share the
 * port that frames are handed to, in turn.
 *
 * <p>Belongs to the host's thread. No allocation.
 */
final class HostEgresses implements Egress {
    private final HostConfig config;
    private final HostEgress link;
    /** Null where the host has no memory with others. */
    private final HostEgress memory;
    /** Whether the next frame comes from memory's turns if both have one; written by {@link #pollTransmit}. */
    private boolean isMemoryNext;

    HostEgresses(HostStack host, SeededRandom random) {
        this.config = host.config();
        this.link = new HostEgress(host, config.link(), random);
        this.memory = config.memory() == null ? null : new HostEgress(host, config.memory(), random.split());
    }

    /** {@return what the driver asks for frames} */
    Egress all() {
        return memory == null ? link : this;
    }

    /** {@return what frames of this path leave by} */
    HostEgress on(Path path) {
        return config.isInMemory(path) ? memory : link;
    }

    /** Takes a frame that has been turned round, or was written at once. */
    void addReply(Frame frame) {
        HostEgress egress = memory != null && SharedHostMac.isTo(frame) ? memory : link;
        egress.addReply(frame);
    }

    /** {@return whether {@link #addReply} has room for a frame, wherever it goes} */
    boolean hasReplyRoom() {
        return link.hasReplyRoom() && (memory == null || memory.hasReplyRoom());
    }

    @Override
    public Frame pollTransmit(long nowNanos) {
        Frame frame = next().pollTransmit(nowNanos);
        if (frame == null) {
            isMemoryNext = !isMemoryNext;
            frame = next().pollTransmit(nowNanos);
        }
        isMemoryNext = !isMemoryNext;
        return frame;
    }

    private HostEgress next() {
        return isMemoryNext ? memory : link;
    }

    @Override
    public long nextTransmitNanos(long nowNanos) {
        return Math.min(link.nextTransmitNanos(nowNanos), memory.nextTransmitNanos(nowNanos));
    }

    /** Makes up for a pause of the driver, each as far as its rate and the host's budget reach. */
    void makeUp(long pauseNanos, long nowNanos) {
        PauseBudget budget = config.pauses();
        link.makeUp(budget.makeUpBytes(pauseNanos, config.link().rateBps()), budget.bytes(), nowNanos);
        if (memory != null) {
            memory.makeUp(budget.makeUpBytes(pauseNanos, config.memory().rateBps()), budget.bytes(), nowNanos);
        }
    }

    /** What leaves by the port, and its meter of credits, have these rates from now on. */
    void setLinkRates(long rateBps, long creditRateBps, long nowNanos) {
        link.setRates(rateBps, creditRateBps, nowNanos);
    }

    /** {@return bytes of frames handed over that have not left by {@code nowNanos}} */
    long bytesLeft(long nowNanos) {
        return link.bytesLeft(nowNanos) + (memory == null ? 0 : memory.bytesLeft(nowNanos));
    }

    /** {@return the most connections that have waited at once with data that may leave} */
    int dataTurnsMax() {
        return Math.max(link.dataTurnsMax(), memory == null ? 0 : memory.dataTurnsMax());
    }

    /** {@return the most credits that have waited at once for a meter, queued or in flows that wait in turn} */
    int creditsWaitingMax() {
        return Math.max(link.creditsWaitingMax(), memory == null ? 0 : memory.creditsWaitingMax());
    }

    /** The driver has handed over all frames that were polled. */
    void onFlushed(long nowNanos) {
        link.onFlushed(nowNanos);
        if (memory != null) {
            memory.onFlushed(nowNanos);
        }
    }

    void addTo(Ledger ledger) {
        link.addTo(ledger);
        if (memory != null) {
            memory.addTo(ledger);
        }
    }

    int framesHeld() {
        return link.framesHeld() + (memory == null ? 0 : memory.framesHeld());
    }

    /** Nothing is to leave any more, as every connection is closed. */
    void clear() {
        link.clear();
        if (memory != null) {
            memory.clear();
        }
    }
}
