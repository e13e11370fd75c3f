package io.weir.transport.sim.world;

import io.weir.transport.node.ConfigException;
import io.weir.transport.scenario.Fault;
import java.util.List;

/** Makes a scenario's faults happen in virtual time. */
final class SimFaults {
    private SimFaults() {}

    static void install(List<Fault> faults) {
        if (!faults.isEmpty()) {
            throw new ConfigException("faults are not built yet; remove the " + faults.size() + " of the scenario");
        }
    }
}
