package io.weir.transport.protocol;

import java.util.List;

/**
 * A protocol's part at the ports of switches, as its users meet it: what files call its block, what it does, and what
 * can be set. A constant of the {@link PortPolicy} that it makes; {@link ProtocolKind#withPortPart} names it.
 */
public final class PortPart {
    private final String key;
    private final String meaning;
    private final Maker maker;
    private final PartSettings usual;

    /** Makes the policy of one port. */
    @FunctionalInterface
    public interface Maker {
        /** {@return the policy of one port} */
        PortPolicy make(PartSettings settings, PortPolicyConfig.Port port);
    }

    /**
     * Describes a part.
     *
     * @param key what files call its block
     * @param meaning what it does, and what happens without it: whole sentences
     * @param parameters what can be set
     */
    public PortPart(String key, String meaning, List<Parameter<?>> parameters, Maker maker) {
        this.key = key;
        this.meaning = meaning;
        this.maker = maker;
        usual = new PartSettings(this, Values.usual(key, parameters));
    }

    /** {@return what files call its block} */
    public String key() {
        return key;
    }

    /** {@return what it does, and what happens without it} */
    public String meaning() {
        return meaning;
    }

    /** {@return what can be set} */
    public List<Parameter<?>> parameters() {
        return usual.parameters();
    }

    /** {@return the usual value of each parameter} */
    public PartSettings usual() {
        return usual;
    }

    PortPolicy make(PartSettings settings, PortPolicyConfig.Port port) {
        return maker.make(settings, port);
    }

    @Override
    public String toString() {
        return key;
    }
}
