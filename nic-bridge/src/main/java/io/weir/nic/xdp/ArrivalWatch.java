package io.weir.nic.xdp;

/**
 * Decides by counts whether the frames of a port vanish between the XDP program and the port's sockets, as they do
 * where a driver hands a program frames that it cannot redirect: the kernel drops those without a count.
 *
 * <p>A port that sends and receives nothing, or never received anything, on an interface that does, is suspicious. So
 * its sockets are taken out of the program's reach for one look, in which the program counts what it would have handed
 * over. Where it counted something, and with the sockets back still nothing arrives for two looks, twice in a row,
 * frames vanish. A peer that is silent, or begins to speak just then, is not mistaken: the count stays 0, or its next
 * frames arrive. What arrives in that one look is lost, so that it comes rarely, and more rarely each time.
 *
 * <p>One thread; a look costs a few comparisons while frames arrive.
 */
final class ArrivalWatch {
    /** So many frames sent without hearing any are suspicious: retries of one opening are. */
    static final int FRAMES_SUSPICIOUS = 3;

    private static final int CONFIRMATIONS = 2;
    /** Looks with the sockets back, without anything that arrives, that confirm. */
    private static final int LOOKS_BACK = 2;

    private static final int LOOKS_BETWEEN_MIN = 2;
    private static final int LOOKS_BETWEEN_MAX = 256;
    /** So much longer a port waits that sends nothing: nobody waits for an answer yet. */
    private static final int SILENT_FACTOR = 8;

    private enum State {
        /** Frames arrive, or nothing is known against it. */
        WATCHING,
        /** The sockets are out of reach. */
        OUT,
        /** They are back, and something has to arrive. */
        BACK
    }

    /** What is to be done. */
    enum Step {
        NOTHING,
        TAKE_SOCKETS_OUT,
        PUT_SOCKETS_BACK,
        /** Frames vanish: on to the next rung. */
        FALL
    }

    /** What costs system calls to be known; asked for only in suspicion. */
    interface Counts {
        /** {@return frames that the interface has received} */
        long interfaceFrames();

        /** {@return frames for the port that the program found no socket for} */
        long withoutSocket();
    }

    /** What the latest look has led to. */
    private State state = State.WATCHING;
    // What the port had received and sent, modulo 2^32, when frames last arrived.
    private int receivedBefore;
    private int sentBefore;
    /** What the interface had received at the latest look of this silence that asked, or -1 before. */
    private long interfaceFramesBefore = -1;
    /** Whether anything ever arrived by this rung. */
    private boolean hasReceived;
    /** What the program had counted when the sockets were taken out. */
    private long withoutSocketBefore;
    /** How often in a row frames came with the sockets out, and none with them back. */
    private int confirmations;
    /** Looks to let pass before the sockets may be taken out; grows with each time in vain. */
    private int looksBetween = LOOKS_BETWEEN_MIN;
    /** Looks in suspicion since the interface's count was asked for, or since the sockets were put back. */
    private int looks;

    /**
     * Looks once.
     *
     * @param received frames that the port's sockets have received, modulo 2^32
     * @param sent frames that they were given to send, modulo 2^32
     */
    Step onLook(int received, int sent, Counts counts) {
        if (state == State.OUT) {
            boolean isForUs = counts.withoutSocket() > withoutSocketBefore;
            confirmations = isForUs ? confirmations + 1 : 0;
            if (!isForUs) {
                looksBetween = Math.min(2 * looksBetween, LOOKS_BETWEEN_MAX);
            }
            state = State.BACK;
            return Step.PUT_SOCKETS_BACK;
        }
        if (received != receivedBefore) {
            rest(received, sent);
            hasReceived = true;
            return Step.NOTHING;
        }
        if (state == State.BACK && confirmations > 0) {
            if (++looks < LOOKS_BACK) {
                return Step.NOTHING;
            }
            if (confirmations < CONFIRMATIONS) {
                return takeOut(counts);
            }
            rest(received, sent);
            hasReceived = false;
            return Step.FALL;
        }
        state = State.WATCHING;
        boolean isUnanswered = sent - sentBefore >= FRAMES_SUSPICIOUS;
        if (hasReceived && !isUnanswered) {
            return Step.NOTHING;
        }
        looks++;
        if (interfaceFramesBefore < 0) {
            interfaceFramesBefore = counts.interfaceFrames();
            return Step.NOTHING;
        }
        if (looks < (isUnanswered ? 1 : SILENT_FACTOR) * looksBetween) {
            return Step.NOTHING;
        }
        looks = 0;
        long interfaceFrames = counts.interfaceFrames();
        boolean hasGrown = interfaceFrames != interfaceFramesBefore;
        interfaceFramesBefore = interfaceFrames;
        return hasGrown ? takeOut(counts) : Step.NOTHING;
    }

    private Step takeOut(Counts counts) {
        withoutSocketBefore = counts.withoutSocket();
        state = State.OUT;
        looks = 0;
        return Step.TAKE_SOCKETS_OUT;
    }

    private void rest(int received, int sent) {
        state = State.WATCHING;
        receivedBefore = received;
        sentBefore = sent;
        interfaceFramesBefore = -1;
        confirmations = 0;
        looksBetween = LOOKS_BETWEEN_MIN;
        looks = 0;
    }
}
