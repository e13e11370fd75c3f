package io.weir.transport.lab;

import static io.weir.transport.lab.Change.calling;
import static io.weir.transport.lab.Change.constant;
import static io.weir.transport.lab.Change.jump;
import static io.weir.transport.lab.Change.opcode;
import static io.weir.transport.lab.Change.returns;
import static io.weir.transport.lab.Change.withResult;
import static io.weir.transport.lab.Change.withoutCall;
import static io.weir.transport.lab.Change.withoutWrite;

import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.Opcodes;

/** The mistakes that the laboratory must find by itself. */
final class PlantedFaults {
    private static final String HOST = "transport.host.";
    private static final String FLOW = "transport.flow.";
    private static final String CREDIT = "transport.protocol.credit.";

    private PlantedFaults() {}

    /** {@return all of them} */
    static List<PlantedFault> all() {
        List<PlantedFault> all = new ArrayList<>(streams());
        all.addAll(recovery());
        all.addAll(handshakes());
        all.addAll(credits());
        all.addAll(frames());
        all.addAll(ends());
        all.addAll(growth());
        return all;
    }

    private static List<PlantedFault> streams() {
        String receiver = HOST + "StreamReceiver";
        String sender = HOST + "StreamSender";
        String ring = FLOW + "ReceiveBuffer";
        return List.of(
                fault("acknowledges a byte that has not come", receiver, "ackOffset", constant(0, 0, 1)),
                fault(
                        "tells of gaps at the wrong offsets",
                        receiver,
                        "writeRanges",
                        opcode(Opcodes.LSUB, 0, Opcodes.POP2)),
                fault("lets no room for the segment that fills a gap", receiver, "roomBytes", calling("max", 0, "min")),
                fault(
                        "never sends the acknowledgement that was held back",
                        receiver,
                        "noteArrival",
                        withoutWrite("ackNanos", 0)),
                fault("reassembles at wrong places", ring, "put", calling("min", 0, "max")),
                fault("forgets bytes that came early", ring, "advance", calling("max", 0, "min")),
                fault("loses what goes beyond the end of a chunk", ring, "put", withoutCall("putBytes", 1, null)),
                fault(
                        "sends old bytes where a chunk ends",
                        FLOW + "SendBuffer",
                        "copyTo",
                        withoutCall("putBytes", 1, null)),
                fault("tells the end before all has been read", receiver, "deliverEnd", jump(1, false)),
                fault("marks every segment as the last", sender, "writeSegment", jump(2, false)),
                fault("never frees the send buffer", sender, "onAck", withoutCall("release", 0, null)),
                fault("frees what is not acknowledged yet", sender, "onAck", calling("min", 0, "max")),
                fault("does not repeat a lost end of a stream", sender, "hasEndOnly", withResult("isEmpty", true)));
    }

    private static List<PlantedFault> recovery() {
        String sender = HOST + "StreamSender";
        String ranges = FLOW + "RangeSet";
        String recovery = FLOW + "LossRecovery";
        return List.of(
                fault(
                        "does not arm the retransmission timer",
                        sender,
                        "startTimer",
                        withoutWrite("retransmitNanos", 0)),
                fault("repeats nothing when the timer fires", sender, "onTimeout", withoutCall("onTimeout", 1, null)),
                fault("does not back off", FLOW + "RttEstimator", "backOff", returns(null)),
                fault("finds no loss beyond the last gap", recovery, "markLost", withoutCall("add", 1, true)),
                fault("merges ranges wrongly", ranges, "add", calling("max", 0, "min")),
                fault(
                        "unwraps numbers in the wrong direction",
                        "transport.wire.Serial",
                        "unwrap",
                        opcode(Opcodes.LADD, 0, Opcodes.LSUB)),
                fault(
                        "answers no request with an acknowledgement",
                        HOST + "ConnectionInput",
                        "onRequest",
                        withoutCall("requireAck", 0, null)),
                fault("fires timers late", "transport.time.DeadlineHeap", "siftUp", returns(0)));
    }

    private static List<PlantedFault> handshakes() {
        String handshake = HOST + "Handshake";
        return List.of(
                fault(
                        "does not repeat an opening",
                        HOST + "ConnectionInput",
                        "onOpeningTimeout",
                        withoutCall("want", 0, null)),
                fault(
                        "makes a second connection of a repeated opening",
                        HOST + "HostStack",
                        "findByRemote",
                        returns(null)),
                fault("never gives back a place in the backlog", handshake, "onHalfOpenEnded", returns(null)),
                fault("does not linger", HOST + "Lifecycle", "linger", opcode(Opcodes.LADD, 0, Opcodes.POP2)),
                fault(
                        "forgets a connection's timer",
                        HOST + "Connection",
                        "settle",
                        withoutCall("scheduleTimeout", 0, null)));
    }

    private static List<PlantedFault> credits() {
        String sender = CREDIT + "CreditSender";
        String receiver = CREDIT + "CreditReceiver";
        String meter = CREDIT + "CreditLossMeter";
        return List.of(
                fault("spends a credit that came twice", sender, "isNew", withResult("accept", true)),
                fault("spends a credit's number twice", sender, "takeCredit", withoutCall("dropOldest", 0, null)),
                fault(
                        "charges one frame of a credit for several",
                        HOST + "HostEgress",
                        "takeTurn",
                        withResult("creditFrames", 1)),
                fault("takes data for a credit that was used", receiver, "onData", withResult("accept", true)),
                fault("gives two credits one number", receiver, "issue", withoutWrite("nextSequence", 1)),
                fault("does not repeat a request", sender, "onNoCredit", returns(null)),
                fault(
                        "counts a revived credit as lost, too",
                        "transport.protocol.CreditLedger",
                        "onRevived",
                        withoutWrite("lost", 0)),
                fault("counts a wasted credit as lost, too", meter, "onEcho", opcode(Opcodes.LSUB, 3, Opcodes.POP2)),
                fault("counts an expired credit again", meter, "onExpired", opcode(Opcodes.LSUB, 0, Opcodes.POP2)),
                fault(
                        "never gives up credits that are lost",
                        CREDIT + "CreditProbes",
                        "expiryNanos",
                        returns(Long.MAX_VALUE)),
                fault("stays blocked when room comes", receiver, "hear", withoutWrite("blockedByRoom", 0)),
                fault(
                        "gives a standing credit back twice",
                        CREDIT + "StandingCredit",
                        "end",
                        withoutWrite("sequence", 0)));
    }

    private static List<PlantedFault> frames() {
        return List.of(
                fault(
                        "leaks the frame that it has taken",
                        HOST + "HostStack",
                        "onFrame",
                        withoutCall("release", 0, null)),
                fault(
                        "leaks a refused credit's frame",
                        HOST + "HostEgress",
                        "addCredit",
                        withoutCall("release", 0, null)),
                fault(
                        "releases a frame that it has turned round",
                        HOST + "HostStack",
                        "sendReply",
                        withoutWrite("repliedFrame", 0)),
                fault(
                        "loses the queue's end when it takes the last frame",
                        "transport.frame.FrameQueue",
                        "remove",
                        withoutWrite("tail", 0)),
                fault(
                        "asks an empty pool without end",
                        HOST + "HostEgress",
                        "allocate",
                        withoutWrite("retryNanos", 0)));
    }

    private static List<PlantedFault> ends() {
        String table = HOST + "ConnectionTable";
        return List.of(
                fault(
                        "keeps what was written when a connection is over",
                        HOST + "Connection",
                        "onClosed",
                        withoutCall("close", 0, null)),
                fault(
                        "keeps what was not read when a connection is over",
                        HOST + "Connection",
                        "onClosed",
                        withoutCall("detach", 0, null)),
                fault("never forgets the tag of a peer", table, "remove", withoutCall("remove", 1, null)),
                fault("never gives back a local port", table, "remove", withoutCall("decrementAndGet", 0, 0)),
                fault(
                        "keeps an ended connection's timers",
                        HOST + "HostStack",
                        "forget",
                        withoutCall("cancel", 0, null)),
                fault(
                        "keeps the memory set aside for a connection that is over",
                        HOST + "ConnectionRegistry",
                        "remove",
                        withoutCall("onPopulationChanged", 0, null)),
                fault("keeps the account of a peer that is gone", HOST + "PeerAccounts", "settle", returns(null)),
                fault(
                        "keeps what an ended flow holds in standing credits",
                        CREDIT + "StandingCredit",
                        "close",
                        withoutCall("end", 0, null)));
    }

    private static List<PlantedFault> growth() {
        return List.of(
                fault(
                        "loses frames in flight when their ring grows while it is wrapped",
                        FLOW + "LossRecovery",
                        "unrolled",
                        withoutCall("arraycopy", 0, null)),
                fault(
                        "counts the length of what leaves, not what it occupies on the link",
                        HOST + "HostEgress",
                        "pollTransmit",
                        calling("wireBytes", 0, "length")));
    }

    private static PlantedFault fault(String what, String type, String method, Change change) {
        return new PlantedFault(what, type, method, 2_000, change);
    }
}
