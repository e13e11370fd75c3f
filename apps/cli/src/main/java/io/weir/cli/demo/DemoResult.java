package io.weir.cli.demo;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.weir.cli.lab.QueueStats;
import io.weir.transport.node.PortInfo;
import java.util.List;

/**
 * All that the demonstration found.
 *
 * @param plan what was built
 * @param ports what the ports are, hosts' first; in documents, they are part of the environment
 * @param transfer the verified transfer
 * @param creditsMetered credits that came to the bottleneck's meter in all of Weir's measurements
 * @param creditsDropped credits that it dropped
 * @param goodputExpected what one flow alone should reach
 * @param weir Weir's figures
 * @param tcp kernel TCP's, or null where no kernel is involved
 * @param mixed both at once, or null where no kernel is involved
 * @param tcpSkipped why kernel TCP was left out, or null
 * @param virtualTime the same network in virtual time, or null where the machine kept up with real time
 * @param ended why the demonstration ended before its end, or null; documents have it as their error
 */
record DemoResult(
        DemoPlan plan,
        @JsonIgnore List<PortInfo> ports,
        Transfer transfer,
        long creditsMetered,
        long creditsDropped,
        ExpectedGoodput goodputExpected,
        SystemFigures weir,
        SystemFigures tcp,
        Mixed mixed,
        String tcpSkipped,
        VirtualFigures virtualTime,
        @JsonIgnore String ended) {
    /** {@return this result, and the same network in virtual time} */
    DemoResult with(VirtualFigures figures) {
        return new DemoResult(
                plan,
                ports,
                transfer,
                creditsMetered,
                creditsDropped,
                goodputExpected,
                weir,
                tcp,
                mixed,
                tcpSkipped,
                figures,
                ended);
    }

    /** {@return whether time off core has spoilt a figure of Weir that is judged} */
    boolean isMachineBusy() {
        return Preconditions.broken(weir).keySet().stream()
                .anyMatch(figure -> figure.isJudged() && figure.isMeasured(weir));
    }

    /**
     * A verified transfer.
     *
     * @param bytes how many bytes were sent
     * @param receivedBytes how many arrived
     * @param nanos from the first byte's arrival to the last one's
     * @param expectedSha256 the hash of what was sent
     * @param receivedSha256 the hash of what arrived
     */
    record Transfer(long bytes, long receivedBytes, long nanos, String expectedSha256, String receivedSha256) {
        /** {@return whether every byte arrived as it was sent} */
        boolean isIntact() {
            return bytes == receivedBytes && expectedSha256.equals(receivedSha256);
        }
    }

    /**
     * One flow of each at the same time.
     *
     * @param weirGoodputBps what Weir's application received
     * @param tcpGoodputBps what TCP's application received
     * @param queue the bottleneck's data queue meanwhile
     * @param dataDrops data frames that the switches dropped
     * @param pauses loops off their cores meanwhile
     */
    record Mixed(double weirGoodputBps, double tcpGoodputBps, QueueStats queue, long dataDrops, DemoPauses pauses) {}
}
