package io.weir.cli.demo;

import com.fasterxml.jackson.annotation.JsonIgnore;
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
        MixedFigures mixed,
        String tcpSkipped) {}
