package io.weir.transport.host;

import io.weir.transport.frame.Frame;
import io.weir.transport.telemetry.AccountId;
import io.weir.transport.telemetry.Ledger;
import io.weir.transport.time.DeadlineHeap;
import io.weir.transport.wire.AcceptHeader;
import io.weir.transport.wire.Datagram;
import io.weir.transport.wire.Dscp;
import io.weir.transport.wire.HeaderTemplate;
import io.weir.transport.wire.Path;
import io.weir.transport.wire.WeirHeader;
import java.util.Arrays;
import org.agrona.BitUtil;
import org.agrona.collections.IntArrayList;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The half-open connections of a host that are no connections yet: their acceptances, repeated until one is confirmed,
 * and how long they wait. Owned by the host's thread; O(log n) per opening and repetition.
 */
final class HalfOpens {
    private static final int BACK_OFF_MAX = 6;
    private static final int SLOTS_AT_FIRST = 16;

    private final HostStack host;
    private final DeadlineHeap deadlines = new DeadlineHeap(SLOTS_AT_FIRST);
    private final Long2ObjectHashMap<HalfOpen> byTag = new Long2ObjectHashMap<>();
    private final Long2ObjectHashMap<HalfOpen> byRemoteTag = new Long2ObjectHashMap<>();
    private final IntArrayList freeSlots = new IntArrayList();
    private HalfOpen[] bySlot = new HalfOpen[SLOTS_AT_FIRST];
    /** Slots that were ever used. */
    private int slotCount;

    HalfOpens(HostStack host) {
        this.host = host;
    }

    /** Accepts an opening: its frame is turned round and becomes the acceptance. */
    void accept(Frame frame, Datagram opening, PeerOffer offer, PeerAccount account, long nowNanos) {
        int listenerId = host.handshake().acceptors().idOf(opening);
        HalfOpen halfOpen = new HalfOpen(
                account, listenerId, opening, offer, host.registry().newTag(), nowNanos);
        add(halfOpen);
        answer(halfOpen, frame, opening, nowNanos);
    }

    private void add(HalfOpen halfOpen) {
        if (freeSlots.isEmpty()) {
            if (slotCount == bySlot.length) {
                bySlot = Arrays.copyOf(bySlot, slotCount * 2);
            }
            halfOpen.setSlot(slotCount++);
        } else {
            halfOpen.setSlot(freeSlots.popInt());
        }
        bySlot[halfOpen.slot()] = halfOpen;
        byTag.put(halfOpen.localTag, halfOpen);
        byRemoteTag.put(halfOpen.remoteTag, halfOpen);
        halfOpen.account.addHalfOpen(1);
    }

    /** The initiator has repeated its opening: it is told again. */
    void answer(HalfOpen halfOpen, Frame frame, Datagram opening, long nowNanos) {
        write(halfOpen, frame.buffer(), opening.weirAt(), nowNanos);
        HeaderTemplate.turn(frame, opening);
        HeaderTemplate.finishReply(frame, opening.isV6(), AcceptHeader.BYTES);
        host.sendReply(frame);
    }

    private void write(HalfOpen halfOpen, UnsafeBuffer buffer, int at, long nowNanos) {
        HostConfig config = host.config();
        Path path = halfOpen.path();
        AcceptHeader.write(buffer, at, AcceptHeader.FLAG_TAKES_RIDERS, halfOpen.remoteTag, halfOpen.localTag);
        AcceptHeader.choice(
                buffer, at, halfOpen.protocol().code(), host.network().mtuBytes(path));
        AcceptHeader.amounts(buffer, at, windowBytesInitial(config, path), 0);
        AcceptHeader.pauseCode(buffer, at, host.pauses().code(nowNanos));
        AcceptHeader.creditFrames(buffer, at, Math.min(config.creditFramesMax(), halfOpen.creditFrames()));
        host.handshake().bakeToken(halfOpen.account.address(), buffer, AcceptHeader.tokenAt(at), nowNanos);
        WeirHeader.packetNumber(buffer, at, halfOpen.takeNumber());
        long waitNanos = config.timers().retransmitNanosInitial();
        int doublings = Math.min(halfOpen.acceptCount() - 1, BACK_OFF_MAX);
        long pauseNanos = Math.min(halfOpen.pauseNanos(), host.pauses().budget().peerNanosMax());
        deadlines.schedule(halfOpen.slot(), nowNanos + (waitNanos << doublings) + pauseNanos);
    }

    /** What the receive buffer of a connection by this path starts with. */
    private static long windowBytesInitial(HostConfig config, Path path) {
        int bytesMax = config.streams().receiveBufferBytes();
        return BitUtil.findNextPositivePowerOfTwo(Math.min(bytesMax, config.bufferBytesInitialOn(path)));
    }

    /** {@return the one whose initiator must use this tag and sent the datagram, or null} */
    HalfOpen byTag(long tag, Datagram datagram) {
        HalfOpen halfOpen = byTag.get(tag);
        return halfOpen != null && halfOpen.isPeerOf(datagram) ? halfOpen : null;
    }

    /** {@return the one whose initiator demands this tag and sent the datagram, or null} */
    HalfOpen byRemoteTag(long tag, Datagram datagram) {
        HalfOpen halfOpen = byRemoteTag.get(tag);
        return halfOpen != null && halfOpen.isPeerOf(datagram) ? halfOpen : null;
    }

    boolean hasTag(long tag) {
        return byTag.containsKey(tag);
    }

    /** It is confirmed, reset or given up. */
    @SuppressWarnings("ReferenceEquality") // two peers may have chosen the same tag: only one's own entry goes
    void remove(HalfOpen halfOpen) {
        byTag.remove(halfOpen.localTag);
        if (byRemoteTag.get(halfOpen.remoteTag) == halfOpen) {
            byRemoteTag.remove(halfOpen.remoteTag);
        }
        bySlot[halfOpen.slot()] = null;
        freeSlots.pushInt(halfOpen.slot());
        deadlines.cancel(halfOpen.slot());
        halfOpen.account.addHalfOpen(-1);
    }

    /** Repeats the acceptances that are due, or gives up. */
    void onTimeout(long nowNanos) {
        for (int slot = deadlines.pollDue(nowNanos); slot >= 0; slot = deadlines.pollDue(nowNanos)) {
            HalfOpen halfOpen = bySlot[slot];
            if (nowNanos - halfOpen.acceptedNanos >= host.config().timers().userTimeoutNanos()) {
                host.handshake().giveUp(halfOpen);
            } else {
                repeat(halfOpen, nowNanos);
            }
        }
    }

    /** The acceptance, or what confirms it, may be lost: an initiator with nothing to send would never notice. */
    private void repeat(HalfOpen halfOpen, long nowNanos) {
        Frame frame = host.allocate();
        if (frame == null) {
            deadlines.schedule(
                    halfOpen.slot(), nowNanos + host.config().timers().retransmitNanosInitial());
            return;
        }
        Path path = halfOpen.path();
        HeaderTemplate template = host.config().headersOn(path);
        int at = template.begin(frame, 0);
        write(halfOpen, frame.buffer(), at, nowNanos);
        template.finish(frame, AcceptHeader.BYTES, Dscp.CONTROL, Dscp.ECN_NOT_ECT);
        host.egresses().addReply(frame);
    }

    long nextTimeoutNanos() {
        return deadlines.peekDeadline();
    }

    int size() {
        return byTag.size();
    }

    void addTo(Ledger ledger) {
        int places = slotCount - freeSlots.size();
        ledger.add(AccountId.MAP_ENTRIES, places + (long) byTag.size() + byRemoteTag.size());
        ledger.add(AccountId.TIMERS, deadlines.size());
    }

    void clear() {
        for (HalfOpen halfOpen : bySlot) {
            if (halfOpen != null) {
                host.handshake().giveUp(halfOpen);
            }
        }
    }
}
