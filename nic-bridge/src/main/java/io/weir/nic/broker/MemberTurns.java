package io.weir.nic.broker;

import io.weir.transport.frame.Frame;
import java.util.Arrays;

/**
 * The clients of a broker, and whose turn it is to send: up to {@link #TURN_FRAMES} frames of each. Those that have
 * sent nothing for a while are quiet, and others' frames do not wait for a look at all of their rings: with each frame
 * one quiet client is looked at, and {@link #QUIET_LOOKS} at the end of a cycle. A cycle that moves no frame looks at
 * all of them, and so does {@link #hasNext}, before the loop sleeps.
 *
 * <p>O(1) per frame, O(clients that send) per cycle with frames, O(clients) per cycle without. No allocation but for a
 * client that comes or goes. The loop's thread owns it.
 *
 * <p>Design notes: what a client writes to say that it has frames must be in memory that is its alone: another client
 * could clear a word that all of them write. So a quiet client costs a look at its ring, or a system call.
 */
final class MemberTurns {
    /** Frames of one client that leave before the next one's turn. */
    static final int TURN_FRAMES = 16;
    /** Looks in a row that find nothing, after which a client is quiet. */
    static final int EMPTY_LOOKS_MAX = 64;
    /** Quiet clients that are looked at when all others have no more frames. */
    static final int QUIET_LOOKS = 8;

    private static final Member[] NOBODY = {};

    /** All: the first {@link #busyCount} send, the others are quiet. */
    private Member[] members = NOBODY;
    /** How many are not quiet. */
    private int busyCount;
    /** Whose turn it is; an index below {@link #busyCount}, or 0. */
    private int turn;
    /** Frames that the client whose turn it is has sent in it. */
    private int turnFrames;
    /** Which quiet client is looked at next; begins again at {@link #busyCount} where it is none's index. */
    private int nextQuiet;
    /** Who sent the latest frame, or null. */
    private Member sender;
    /** Those that were given something in this cycle, {@link #givenCount} of them. */
    private Member[] given = NOBODY;
    /** How many of {@link #given} there are. */
    private int givenCount;
    /** Whether a frame was moved in this cycle, either way. */
    private boolean hasMoved;

    /** A client takes its turns from now on. */
    void add(Member member) {
        members = Arrays.copyOf(members, members.length + 1);
        given = Arrays.copyOf(given, members.length);
        members[members.length - 1] = member;
        wakeUp(members.length - 1);
    }

    /** A client takes no turns any more, and its memory is touched no more. */
    void remove(Member member) {
        int at = Arrays.asList(members).indexOf(member);
        if (at < 0) {
            return;
        }
        if (at < busyCount) {
            rest(at);
            at = busyCount;
        }
        swap(at, members.length - 1);
        members = Arrays.copyOf(members, members.length - 1);
        int kept = 0;
        for (int i = 0; i < givenCount; i++) {
            if (given[i] != member) {
                given[kept++] = given[i];
            }
        }
        Arrays.fill(given, kept, givenCount, null);
        givenCount = kept;
        sender = null;
    }

    /** {@return the next frame in turn, of {@link #sender}, or null} */
    Frame poll() {
        lookAtQuiet(1);
        Frame frame = pollBusy();
        if (frame == null && lookAtQuiet(hasMoved ? QUIET_LOOKS : members.length)) {
            frame = pollBusy();
        }
        return frame;
    }

    private Frame pollBusy() {
        for (int looks = busyCount; looks > 0; looks--) {
            Member member = members[turn];
            Frame frame = member.port().receive();
            if (frame != null) {
                member.onFrame();
                sender = member;
                if (++turnFrames >= TURN_FRAMES) {
                    nextTurn();
                }
                return frame;
            }
            member.onNothing();
            nextTurn();
        }
        return null;
    }

    private void nextTurn() {
        turn = turn + 1 >= busyCount ? 0 : turn + 1;
        turnFrames = 0;
    }

    /** {@return whether one of the next {@code count} quiet clients has a frame; it takes its turns from now on} */
    private boolean lookAtQuiet(int count) {
        boolean isFound = false;
        for (int looks = Math.min(count, members.length - busyCount); looks > 0; looks--) {
            if (nextQuiet < busyCount || nextQuiet >= members.length) {
                nextQuiet = busyCount;
            }
            Member member = members[nextQuiet];
            if (member.port().hasNext()) {
                wakeUp(nextQuiet);
                isFound = true;
            } else {
                member.noticeFailure();
            }
            nextQuiet++;
        }
        return isFound;
    }

    private void wakeUp(int index) {
        members[index].onFrame();
        swap(index, busyCount);
        busyCount++;
    }

    /** A client that sends becomes quiet: the first of those. */
    private void rest(int index) {
        busyCount--;
        swap(index, busyCount);
        if (turn >= busyCount || turn == index) {
            turn = turn >= busyCount ? 0 : turn;
            turnFrames = 0;
        }
    }

    private void swap(int one, int other) {
        Member member = members[one];
        members[one] = members[other];
        members[other] = member;
    }

    /** {@return who sent the latest frame that {@link #poll} gave} */
    Member sender() {
        return sender;
    }

    /** A client was given a frame, or one was dropped since its ring is full or broken. */
    void onGiven(Member member) {
        hasMoved = true;
        if (member.noteGiven()) {
            if (givenCount == given.length) {
                given = Arrays.copyOf(given, givenCount + 1);
            }
            given[givenCount++] = member;
        }
    }

    /** A frame of a client leaves. */
    void onSent() {
        hasMoved = true;
    }

    /** {@return whether a client has a frame to send} */
    boolean hasNext() {
        for (int i = 0; i < members.length; i++) {
            if (members[i].port().hasNext()) {
                return true;
            }
        }
        return false;
    }

    /** Ends a cycle: wakes clients that sleep and were given something, and notices whose rings are broken. */
    void flush() {
        for (int i = 0; i < givenCount; i++) {
            given[i].flush();
            given[i] = null;
        }
        givenCount = 0;
        for (int i = busyCount - 1; i >= 0; i--) {
            if (members[i].emptyLooks() >= EMPTY_LOOKS_MAX) {
                rest(i);
            }
        }
        for (int i = hasMoved ? members.length : 0; i < members.length; i++) {
            members[i].noticeFailure();
        }
        hasMoved = false;
    }
}
