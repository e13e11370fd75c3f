package io.weir.nic.broker;

/**
 * What a broker has done so far.
 *
 * @param clientCount clients that are there now
 * @param servedClientCount clients that were ever served
 * @param pairCount pairs of clients that were given rings between them
 * @param deliveredFrames frames from the interface that clients were given
 * @param noRoomFrames frames from the interface for which a client had no room
 * @param sentFrames frames of clients that left by the interface
 * @param unclaimedFrames frames from the interface for nobody
 * @param refusedFrames frames that clients may not send
 */
public record BrokerCounts(
        int clientCount,
        long servedClientCount,
        long pairCount,
        long deliveredFrames,
        long noRoomFrames,
        long sentFrames,
        long unclaimedFrames,
        long refusedFrames) {
    /** Of a broker that has done nothing. */
    public static final BrokerCounts NONE = new BrokerCounts(0, 0, 0, 0, 0, 0, 0, 0);

    /** {@return what this broker did and then another one in its place} */
    public BrokerCounts plus(BrokerCounts next) {
        return new BrokerCounts(
                next.clientCount,
                servedClientCount + next.servedClientCount,
                pairCount + next.pairCount,
                deliveredFrames + next.deliveredFrames,
                noRoomFrames + next.noRoomFrames,
                sentFrames + next.sentFrames,
                unclaimedFrames + next.unclaimedFrames,
                refusedFrames + next.refusedFrames);
    }
}
