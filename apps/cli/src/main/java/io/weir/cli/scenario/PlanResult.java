package io.weir.cli.scenario;

import io.weir.transport.scenario.plan.PortBound;
import java.util.List;

/**
 * The plan of a network, as its document has it.
 *
 * @param ports every port of every switch, in the network's order
 */
public record PlanResult(List<Port> ports) {
    public PlanResult {
        ports = List.copyOf(ports);
    }

    /**
     * What data has to wait for, in one unit or another.
     *
     * @param credits credits wait in credit queues
     * @param hosts hosts take longer for some credits than for others
     * @param paths paths have different lengths
     * @param total all of it
     */
    public record Sources(long credits, long hosts, long paths, long total) {}

    /**
     * A port.
     *
     * @param node the switch
     * @param port the Node at the other end of its link
     * @param linkRateBps the link's rate
     * @param mtuBytes the largest IP packet
     * @param bounded whether there is a bound; without one the next three are 0
     * @param spreadNanos the delay spread of equation 1
     * @param equationBytes the buffer of equation 1
     * @param dataQueueBytes what the data queue must hold so that no data is ever dropped
     * @param creditRateBps what the meter fills with: credits and what they are charged
     * @param creditChargeBytes what the meter charges for a credit besides its own bytes
     * @param creditBurstBytes the meter's depth
     * @param creditQueueBytes the capacity of the credit queue
     */
    public record Port(
            String node,
            String port,
            long linkRateBps,
            int mtuBytes,
            boolean bounded,
            Sources spreadNanos,
            Sources equationBytes,
            long dataQueueBytes,
            long creditRateBps,
            int creditChargeBytes,
            long creditBurstBytes,
            int creditQueueBytes) {
        private static final Sources NONE = new Sources(0, 0, 0, 0);

        static Port of(PortBound bound) {
            return new Port(
                    bound.node(),
                    bound.peer(),
                    bound.linkRateBps(),
                    bound.mtuBytes(),
                    bound.isBounded(),
                    bound.isBounded() ? spread(bound) : NONE,
                    new Sources(bound.creditBytes(), bound.hostBytes(), bound.pathBytes(), bound.equationBytes()),
                    bound.dataQueueBytes(),
                    bound.meter().rateBps(),
                    bound.meter().surchargeBytes(),
                    bound.meter().burstBytes(),
                    bound.meter().queueBytesMax());
        }

        private static Sources spread(PortBound bound) {
            return new Sources(
                    bound.spread().creditNanos(),
                    bound.spread().hostNanos(),
                    bound.spread().pathNanos(),
                    bound.spread().nanos());
        }
    }

    static PlanResult of(List<PortBound> bounds) {
        return new PlanResult(bounds.stream().map(Port::of).toList());
    }
}
