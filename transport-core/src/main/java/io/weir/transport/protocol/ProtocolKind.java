package io.weir.transport.protocol;

import io.weir.pacer.SeededRandom;
import io.weir.transport.node.ConfigException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * A protocol as its users meet it: its name, where it comes from, what can be set, and its presets. One constant of
 * each protocol's package; {@code Catalogue} lists them.
 */
public final class ProtocolKind {
    private final ProtocolId id;
    private final String source;
    private final List<Parameter> parameters;
    private final Maker maker;
    private final List<Settings> presets = new ArrayList<>();
    private Function<Settings, Maker> networkMaker;
    private String realPortObstacle = "";

    /** Makes the protocol of one host from its settings. */
    @FunctionalInterface
    public interface Maker {
        /** {@return the protocol for one host; all its randomness follows from {@code random}} */
        ProtocolFactory make(Settings settings, SeededRandom random);
    }

    /**
     * Describes a protocol. Its first preset has its name, and every parameter's usual value.
     *
     * @param source the paper or RFC
     * @param parameters what can be set
     */
    public ProtocolKind(ProtocolId id, String source, List<Parameter> parameters, Maker maker) {
        this.id = id;
        this.source = source;
        this.parameters = List.copyOf(parameters);
        this.maker = maker;
        presets.add(new Settings(
                this, id.word(), parameters.stream().map(Parameter::usual).toList()));
    }

    /** {@return the same protocol with one more preset, in which some values differ from the usual ones} */
    public ProtocolKind with(String preset, Map<Parameter, Double> values) {
        Settings settings = usual().named(preset);
        for (Map.Entry<Parameter, Double> entry : values.entrySet()) {
            settings = settings.with(entry.getKey(), entry.getValue());
        }
        presets.add(settings);
        return this;
    }

    /**
     * {@return the same protocol, for simulations alone}
     *
     * @param obstacle why it cannot run on real ports: a clause that begins with "it"
     */
    public ProtocolKind simulatedOnly(String obstacle) {
        realPortObstacle = obstacle;
        return this;
    }

    /**
     * {@return the same protocol, whose hosts share what {@code newMaker} makes for each network: for simulations
     * alone}
     */
    public ProtocolKind sharedByNetwork(Function<Settings, Maker> newMaker) {
        networkMaker = newMaker;
        return this;
    }

    ProtocolConfig forOneNetwork(Settings settings) {
        return networkMaker == null ? settings : new OfOneNetwork(settings, networkMaker.apply(settings));
    }

    /** Settings whose hosts share something that one network has alone. */
    private record OfOneNetwork(Settings settings, Maker maker) implements ProtocolConfig {
        @Override
        public ProtocolId id() {
            return settings.id();
        }

        @Override
        public String preset() {
            return settings.preset();
        }

        @Override
        public String realPortObstacle() {
            return settings.realPortObstacle();
        }

        @Override
        public ProtocolFactory newFactory(SeededRandom random) {
            return maker.make(settings, random);
        }
    }

    /** {@return why it cannot run on real ports, or empty when it can} */
    public String realPortObstacle() {
        return realPortObstacle;
    }

    /** {@return how it is named} */
    public ProtocolId id() {
        return id;
    }

    /** {@return the paper or RFC that it is built from} */
    public String source() {
        return source;
    }

    /** {@return what can be set} */
    public List<Parameter> parameters() {
        return parameters;
    }

    /** {@return its presets, the usual one first} */
    public List<Settings> presets() {
        return List.copyOf(presets);
    }

    /** {@return its first preset} */
    public Settings usual() {
        return presets.get(0);
    }

    int indexOf(Parameter parameter) {
        int index = parameters.indexOf(parameter);
        if (index < 0) {
            throw new ConfigException(id.word() + " has no parameter " + parameter.key());
        }
        return index;
    }

    ProtocolFactory make(Settings settings, SeededRandom random) {
        return maker.make(settings, random);
    }

    @Override
    public String toString() {
        return id.word();
    }
}
