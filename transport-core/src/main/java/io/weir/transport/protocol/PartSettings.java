package io.weir.transport.protocol;

import java.util.List;

/**
 * How a protocol's part at switches is set.
 *
 * @param part the part
 * @param values the value of each of its parameters
 */
public record PartSettings(PortPart part, Values values) implements PortPolicyConfig, Tunable<PartSettings> {
    @Override
    public PartSettings withValues(Values changed) {
        return new PartSettings(part, changed);
    }

    @Override
    public List<PartSettings> presets() {
        return List.of(part.usual());
    }

    /** Nothing: no parameters of a part contradict each other within their limits. */
    @Override
    public void requireConsistent() {}

    @Override
    public PortPolicy newPolicy(Port port) {
        return part.make(this, port);
    }
}
