package io.weir.transport.threads;

import io.weir.transport.lab.Change;
import io.weir.transport.lab.PlantedFault;
import java.util.List;

/** Mistakes that show only where two threads meet. */
final class ThreadFaults {
    private static final int SEEDS_MAX = 300;
    private static final String RUNTIME = "transport.runtime.";
    private static final String SOCKET = "transport.socket.";

    private ThreadFaults() {}

    static List<PlantedFault> all() {
        return List.of(
                fault(
                        "loses the wake-up when a poll hands over two frames",
                        RUNTIME + "SteeredPort",
                        "handOver",
                        Slip.toggled("hasHandedOver")),
                fault(
                        "gives up the lock of cycles before the cycle",
                        RUNTIME + "LoopHelpers",
                        "help",
                        Change.withResult("tryTake", true)),
                fault(
                        "sleeps although it was woken before",
                        RUNTIME + "ParkWaiter",
                        "await",
                        Change.withResult("compareAndSet", true)),
                fault(
                        "forgets wishes that come while others are read",
                        SOCKET + "SocketLoopSide",
                        "runWishes",
                        Slip.torn("getAndSet")),
                fault(
                        "takes the lock of cycles in two steps",
                        RUNTIME + "CycleLock",
                        "tryTake",
                        Slip.torn("compareAndSet")),
                fault(
                        "wakes nobody for a task",
                        RUNTIME + "EventLoop",
                        "offer(Lio/weir/transport/runtime/LoopTask;Z)Z",
                        Change.withoutCall("wake", 0, null)),
                fault(
                        "does not wake a reader for bytes",
                        SOCKET + "SocketLoopSide",
                        "signalReadable",
                        Change.withoutCall("signal", 0, null)));
    }

    private static PlantedFault fault(String what, String type, String method, Change change) {
        return new PlantedFault(what, type, method, SEEDS_MAX, change);
    }
}
