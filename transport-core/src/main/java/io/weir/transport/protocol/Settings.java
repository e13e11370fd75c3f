package io.weir.transport.protocol;

import io.weir.pacer.CreditShape;
import io.weir.pacer.SeededRandom;
import java.util.List;

/**
 * The parameters of a protocol that is described by a {@link ProtocolKind}, each within its limits.
 *
 * @param kind the protocol
 * @param preset the name under which results report these parameters
 * @param values the value of each of its parameters
 */
public record Settings(ProtocolKind kind, String preset, Values values) implements ProtocolConfig, Tunable<Settings> {
    /** {@return these parameters by another name} */
    public Settings named(String newPreset) {
        return new Settings(kind, newPreset, values);
    }

    @Override
    public Settings withValues(Values changed) {
        return new Settings(kind, preset, changed);
    }

    @Override
    public List<Settings> presets() {
        return kind.presets();
    }

    @Override
    public void requireConsistent() {
        kind.requireConsistent(this);
    }

    @Override
    public ProtocolId id() {
        return kind.id();
    }

    @Override
    public String realPortObstacle() {
        return kind.realPortObstacle();
    }

    @Override
    public boolean waitsForMeter() {
        return kind.waitsForMeter(this);
    }

    @Override
    public CreditShape creditShape(int dataWireBytesMax) {
        return kind.creditShape(this, dataWireBytesMax);
    }

    @Override
    public ProtocolConfig forOneNetwork() {
        return kind.forOneNetwork(this);
    }

    @Override
    public ProtocolFactory newFactory(SeededRandom random) {
        requireConsistent();
        return kind.make(this, random);
    }
}
