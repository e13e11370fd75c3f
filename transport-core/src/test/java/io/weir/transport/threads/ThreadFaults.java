package io.weir.transport.threads;

import io.weir.transport.lab.Change;
import io.weir.transport.lab.PlantedFault;
import java.util.List;

/** Mistakes that show only where two threads meet. */
final class ThreadFaults {
    private static final int SEEDS_MAX = 300;
    private static final String RUNTIME = "transport.runtime.";
    private static final String SOCKET = "transport.socket.";
    private static final String FLOW = "transport.flow.";
    private static final String WRITE = "write(Lio/weir/transport/frame/Frame;J)V";

    private ThreadFaults() {}

    static List<PlantedFault> all() {
        return List.of(
                fault("loses the wake-up when a poll hands over two frames", RUNTIME + "SteeredPort", "handOver", Slip.toggled("hasHandedOver")),
                fault("returns a ring's slot before it is copied", RUNTIME + "FrameRing", "readInto", Slip.movedBefore("putRelease", "putBytes")),
                fault("publishes a frame before it is written", RUNTIME + "FrameRing", WRITE, Slip.movedBefore("putRelease", "putBytes")),
                fault("keeps chunks after a close by another thread", SOCKET + "WeirSocket", "endReading", Change.withoutCall("discardUnread", 0, null)),
                fault("reads the bytes before the flag of the end", SOCKET + "WeirSocket", "tryReadLocked", Slip.movedBefore("read", "closeReason")),
                fault("gives up the lock of cycles before the cycle", RUNTIME + "LoopHelpers", "help", Change.withResult("tryTake", true)),
                fault("sleeps although it was woken before", RUNTIME + "ParkWaiter", "await", Change.withResult("compareAndSet", true)),
                fault("tells nobody of the deadline that a helper has set", RUNTIME + "LoopHelpers", "help", Change.withoutCall("wake", 1, null)),
                fault("forgets wishes that come while others are read", SOCKET + "SocketLoopSide", "runWishes", Slip.torn("getAndSet")),
                fault("takes the lock of cycles in two steps", RUNTIME + "CycleLock", "tryTake", Slip.torn("compareAndSet")),
                fault("takes a chunk in two steps", FLOW + "BufferBudget", "pop", Slip.torn("compareAndSet")),
                fault("takes a chunk that left and came back for one that stayed", FLOW + "BufferBudget", "head", Slip.withoutCount()),
                fault("forgets a connection that comes while the listener closes", SOCKET + "WeirServerSocket", "onIncoming", Change.withResult("remove", false)),
                fault("opens rings without the group's lock", RUNTIME + "SteeredPort", "open", Slip.unsynchronized()),
                fault("asks for room and looks no more", SOCKET + "WeirSocket", "awaitWritable", Change.withoutCall("requestWritable", 0, null)),
                fault("wakes nobody for a task", RUNTIME + "EventLoop", "offer(Lio/weir/transport/runtime/LoopTask;Z)Z", Change.withoutCall("wake", 0, null)),
                fault("does not wake a reader for bytes", SOCKET + "SocketLoopSide", "signalReadable", Change.withoutCall("signal", 0, null)));
    }

    private static PlantedFault fault(String what, String type, String method, Change change) {
        return new PlantedFault(what, type, method, SEEDS_MAX, change);
    }
}
