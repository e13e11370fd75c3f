package io.weir.transport.protocol.credit;

import io.weir.transport.protocol.CreditLedger;

/**
 * Credit loss as a receiver measures it: data echoes the number of the credit that it spends, and a gap between echoes
 * is credits that spent nothing (ExpressPass section 3.2).
 *
 * <p>Of a gap, the sender reports how many credits had come and found nothing to send; whether those count as lost is
 * the caller's choice (they did in the authors' code, which could not tell). An echo that comes late, overtaken by
 * others, takes back the loss that its gap had counted.
 *
 * <p>A period counts only credits numbered from {@link #startPeriod} on, when that is asked for, so that a loss from
 * before a rate change is not held against the new rate.
 */
public final class CreditLossMeter {
    private final CreditLedger ledger;
    private final boolean countsWasteAsLoss;
    /** The highest number whose fate is known; every call may raise it, none lowers it. */
    private long highest;
    /** The sender's count of wasted credits in the latest echo, as it tells it: 16 bits. */
    private int wastedLow16;
    /** Credits known wasted from requests and stops since the latest echo, which that echo's count has again. */
    private long resolvedCount;
    /** The first number that this period counts; written by startPeriod. */
    private long firstCounted;
    // Credits of this period whose fate is known, and the lost ones: 0 <= lost <= total. Cleared by startPeriod.
    private int total;
    private int lost;

    /** Creates a meter before the first credit. */
    public CreditLossMeter(CreditLedger ledger, boolean countsWasteAsLoss) {
        this.ledger = ledger;
        this.countsWasteAsLoss = countsWasteAsLoss;
    }

    /** Begins a period that counts only credits of {@code firstSequence} or more. */
    public void startPeriod(long firstSequence) {
        firstCounted = firstSequence;
        total = 0;
        lost = 0;
    }

    /** Notes the echo of a credit, heard for the first time. */
    public void onEcho(long sequence, int wastedNowLow16) {
        if (sequence <= highest) {
            ledger.onRevived();
            lost = Math.max(0, lost - 1);
            return;
        }
        ledger.onUsed();
        long gap = sequence - highest - 1;
        // What the sender has wasted since the echo before includes those that its requests and stops have told of.
        long wastedNow = Math.max(0, ((wastedNowLow16 - wastedLow16) & 0xFFFF) - resolvedCount);
        long wasted = Math.min(gap, wastedNow);
        wastedLow16 = wastedNowLow16;
        resolvedCount = 0;
        ledger.onWasted(wasted);
        ledger.onLost(gap - wasted);
        long gapCounted = Math.min(gap, sequence - Math.max(highest + 1, firstCounted));
        if (sequence >= firstCounted) {
            total += (int) gapCounted + 1;
            lost += (int) Math.min(gapCounted, countsWasteAsLoss ? gap : gap - wasted);
        }
        highest = sequence;
    }

    /** Notes that the sender has seen all credits up to {@code sequence} and will spend none of them any more. */
    public void onResolved(long sequence) {
        if (sequence > highest) {
            ledger.onWasted(sequence - highest);
            resolvedCount += sequence - highest;
            highest = sequence;
        }
    }

    /** Gives up all credits up to {@code sequence}: no echo came. */
    public void onExpired(long sequence) {
        if (sequence > highest) {
            ledger.onExpired(sequence - highest);
            highest = sequence;
        }
    }

    /** {@return the highest number whose fate is known, or that no period counts any more} */
    public long counted() {
        return Math.max(highest, firstCounted - 1);
    }

    /** {@return the highest number whose fate is known} */
    public long highest() {
        return highest;
    }

    /** {@return credits of the period whose fate is known} */
    public int total() {
        return total;
    }

    /** {@return those of them that were lost} */
    public int lost() {
        return lost;
    }
}
