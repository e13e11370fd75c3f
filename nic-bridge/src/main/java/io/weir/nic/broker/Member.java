package io.weir.nic.broker;

/** A client as the broker's loop sees it: where its frames come from and go to. The loop's thread owns it. */
final class Member {
    private final int number;
    private final RegionPort port;
    /** Whether it may send to broadcast and multicast addresses. */
    private final boolean mayBroadcast;

    private final Runnable onFailure;
    /** Whether the failure of its rings was told. */
    private boolean isFailureTold;
    /** Looks at its ring that found nothing since its latest frame. */
    private int emptyLooks;
    /** Whether it was given something since the latest flush. */
    private boolean isGiven;

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

    /** It has sent a frame. */
    void onFrame() {
        emptyLooks = 0;
    }

    /** It was its turn, and it had nothing to send. */
    void onNothing() {
        emptyLooks++;
        noticeFailure();
    }

    /** {@return looks at its ring in a row that found nothing} */
    int emptyLooks() {
        return emptyLooks;
    }

    /** {@return whether it was given the first thing since the latest flush} */
    boolean noteGiven() {
        boolean isFirst = !isGiven;
        isGiven = true;
        return isFirst;
    }

    /** Ends a cycle in which it was given something: wakes it, and notices when its rings are broken. */
    void flush() {
        isGiven = false;
        port.flush();
        noticeFailure();
    }

    /** Tells of a failure of its rings, once. */
    void noticeFailure() {
        if (port.failure() != null && !isFailureTold) {
            isFailureTold = true;
            onFailure.run();
        }
    }
}
