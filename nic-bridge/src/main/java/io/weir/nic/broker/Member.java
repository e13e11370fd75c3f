package io.weir.nic.broker;

/** A client as the broker's loop sees it: where its frames come from and go to. */
final class Member {
    private final int number;
    private final RegionPort port;
    /** Whether it may send to broadcast and multicast addresses. */
    private final boolean mayBroadcast;

    private final Runnable onFailure;
    /** Whether the failure of its rings was told. The loop's thread. */
    private boolean isFailureTold;

    /** {@code onFailure} is run once on the loop's thread if the client breaks its rings. */
    Member(int number, RegionPort port, boolean mayBroadcast, Runnable onFailure) {
        this.number = number;
        this.port = port;
        this.mayBroadcast = mayBroadcast;
        this.onFailure = onFailure;
    }

    int number() {
        return number;
    }

    boolean mayBroadcast() {
        return mayBroadcast;
    }

    RegionPort port() {
        return port;
    }

    /** Ends a cycle: wakes the client if it got something, and notices when its rings are broken. */
    void flush() {
        port.flush();
        if (port.failure() != null && !isFailureTold) {
            isFailureTold = true;
            onFailure.run();
        }
    }
}
