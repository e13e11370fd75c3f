package io.weir.transport.protocol;

import io.weir.pacer.CreditShape;
import io.weir.pacer.SeededRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * A protocol as its users meet it: its name, where it comes from, what can be set, and its presets. One constant of
 * each protocol's package; {@code Catalogue} lists them.
 */
public final class ProtocolKind {
    private final ProtocolId id;
    private final String source;
    private final Maker maker;
    private final List<Settings> presets = new ArrayList<>();
    private final List<PortPart> portParts = new ArrayList<>();
    // Written by the methods that describe the protocol, while its class is initialized, and never after.
    private Function<Settings, Maker> networkMaker;
    private String realPortObstacle = "";
    private Consumer<Settings> check = settings -> {};
    private CreditShaper shaper = (settings, dataWireBytesMax) -> null;
    private Predicate<Settings> waitsForMeter = settings -> false;

    /** Makes the protocol of one host from its settings. */
    @FunctionalInterface
    public interface Maker {
        /** {@return the protocol for one host; all its randomness follows from {@code random}} */
        ProtocolFactory make(Settings settings, SeededRandom random);
    }

    /** What credits look like to a link. */
    @FunctionalInterface
    public interface CreditShaper {
        /** {@return their shape on a link whose longest frame is {@code dataWireBytesMax}} */
        CreditShape shape(Settings settings, int dataWireBytesMax);
    }

    /**
     * Describes a protocol. Its first preset has its name, and every parameter's usual value.
     *
     * @param source the paper or RFC
     * @param parameters what can be set
     */
    public ProtocolKind(ProtocolId id, String source, List<Parameter<?>> parameters, Maker maker) {
        this.id = id;
        this.source = source;
        this.maker = maker;
        presets.add(new Settings(this, id.name(), Values.usual(id.name(), parameters)));
    }

    /** {@return the same protocol, whose first preset has a name that is not the protocol's} */
    public ProtocolKind withUsualNamed(String preset) {
        presets.set(0, usual().named(preset));
        return this;
    }

    /** {@return the same protocol with one more preset, in which some values differ from the usual ones} */
    public ProtocolKind with(String preset, UnaryOperator<Settings> change) {
        presets.add(change.apply(usual().named(preset)));
        return this;
    }

    /** {@return the same protocol, whose values {@code newCheck} refuses where they contradict each other} */
    public ProtocolKind checkedBy(Consumer<Settings> newCheck) {
        check = newCheck;
        return this;
    }

    /** {@return the same protocol, whose credits look like this to a link of so long frames} */
    public ProtocolKind withCredits(CreditShaper newShaper) {
        shaper = newShaper;
        return this;
    }

    /** {@return the same protocol, whose flows wait for their host's own credit meter where {@code newRule} says so} */
    public ProtocolKind waitingForMeter(Predicate<Settings> newRule) {
        waitsForMeter = newRule;
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

    /** {@return the same protocol, which asks this of the ports of switches} */
    public ProtocolKind withPortPart(PortPart part) {
        portParts.add(part);
        return this;
    }

    /** {@return what it asks of the ports of switches} */
    public List<PortPart> portParts() {
        return List.copyOf(portParts);
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
        public boolean waitsForMeter() {
            return settings.waitsForMeter();
        }

        @Override
        public CreditShape creditShape(int dataWireBytesMax) {
            return settings.creditShape(dataWireBytesMax);
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
    public List<Parameter<?>> parameters() {
        return usual().parameters();
    }

    /** {@return its presets, the usual one first} */
    public List<Settings> presets() {
        return List.copyOf(presets);
    }

    /** {@return its first preset} */
    public Settings usual() {
        return presets.get(0);
    }

    void requireConsistent(Settings settings) {
        check.accept(settings);
    }

    CreditShape creditShape(Settings settings, int dataWireBytesMax) {
        return shaper.shape(settings, dataWireBytesMax);
    }

    boolean waitsForMeter(Settings settings) {
        return waitsForMeter.test(settings);
    }

    ProtocolFactory make(Settings settings, SeededRandom random) {
        return maker.make(settings, random);
    }

    @Override
    public String toString() {
        return id.name();
    }
}
