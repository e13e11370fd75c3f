package io.weir.micrometer;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.weir.transport.socket.Transport;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.telemetry.GaugeId;
import io.weir.transport.telemetry.MetricName;
import io.weir.transport.telemetry.Subject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * Binds what a transport counts to a registry, by the names that {@code weir stat --listen} has: {@code
 * weir.frames.sent}, {@code weir.drops} by reason, {@code weir.send.rate}. Meters read the transport when the registry
 * asks; to close removes them. Close it with the transport.
 */
public final class WeirMetrics implements MeterBinder, AutoCloseable {
    private static final String DROP = "DROP_";

    private final Transport transport;
    private final Tags tags;
    private final List<Bound> bound = new ArrayList<>();

    /** A meter, and where it is. */
    private record Bound(MeterRegistry registry, Meter meter) {}

    /** Creates a binder whose meters have the interface's name as a tag. */
    public WeirMetrics(Transport transport) {
        this(transport, List.of());
    }

    /**
     * Creates a binder.
     *
     * @param tags further tags of each meter: several transports of an interface need one that tells them apart
     */
    public WeirMetrics(Transport transport, Iterable<Tag> tags) {
        this.transport = Objects.requireNonNull(transport, "transport is null; open one first");
        this.tags = Tags.of("interface", transport.portInfo().name()).and(tags);
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        for (CounterId id : CounterId.values()) {
            add(registry, counter(registry, id));
        }
        for (GaugeId id : GaugeId.values()) {
            if (id.isOf(Subject.TRANSPORT)) {
                add(registry, gauge(registry, id));
            }
        }
    }

    private Meter counter(MeterRegistry registry, CounterId id) {
        String name = id.isDrop() ? "weir.drops" : dotted("weir_" + id.name());
        Tags all = id.isDrop()
                ? tags.and("reason", id.name().substring(DROP.length()).toLowerCase(Locale.ROOT))
                : tags;
        return FunctionCounter.builder(name, transport, of -> of.counters().get(id))
                .description(id.isDrop() ? "frames dropped" : id.description())
                .tags(all)
                .register(registry);
    }

    private Meter gauge(MeterRegistry registry, GaugeId id) {
        MetricName named = MetricName.of(id.name());
        String name = dotted("weir_" + named.words());
        String unit = named.unit().isEmpty() ? null : named.unit();
        if (named.isGrowing()) {
            return FunctionCounter.builder(name, transport, of -> named.inUnit(of.gauge(id)))
                    .description(id.description())
                    .baseUnit(unit)
                    .tags(tags)
                    .register(registry);
        }
        return Gauge.builder(name, transport, of -> named.inUnit(of.gauge(id)))
                .description(id.description())
                .baseUnit(unit)
                .tags(tags)
                .register(registry);
    }

    private static String dotted(String name) {
        return name.toLowerCase(Locale.ROOT).replace('_', '.');
    }

    private synchronized void add(MeterRegistry registry, Meter meter) {
        bound.add(new Bound(registry, meter));
    }

    /** Removes the meters from where they were bound. */
    @Override
    public synchronized void close() {
        bound.forEach(each -> each.registry().remove(each.meter()));
        bound.clear();
    }
}
