package io.weir.transport.protocol.credit;

import io.weir.transport.wire.Serial;

/**
 * Which of a sender's reports of its backlog is its newest. Data, requests and stops report it, and all are numbered in
 * the order in which they were written; the credit that a frame spends says nothing of that order, since a standing
 * credit may be spent after newer ones. One per flow, receiver side; O(1); no allocation.
 */
final class ReportOrder {
    /** A number so far below the newest was not overtaken: the newest was damage that no check saw. */
    private static final int OVERTAKEN_MAX = 1 << 12;

    /** The number of the newest report; 0 before the first. */
    private long newest;

    /**
     * Notes a report.
     *
     * @param packetNumberLow32 the low 32 bits of its frame's packet number
     * @return whether it is newer than all before it
     */
    boolean accept(int packetNumberLow32) {
        long number = Serial.unwrap(newest, packetNumberLow32);
        if (number <= newest && number > newest - OVERTAKEN_MAX) {
            return false;
        }
        newest = number;
        return true;
    }
}
