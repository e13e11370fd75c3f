package io.weir.transport.scenario.run;

import io.weir.pacer.RateMath;
import io.weir.transport.scenario.Measurement;
import io.weir.transport.scenario.result.Series;
import java.util.ArrayList;
import java.util.List;
import org.agrona.collections.LongArrayList;

/** Takes the series: at the end of every interval, what arrived and what waited during it. */
final class Sampler {
    private final Measurement measurement;
    private final World world;
    private final List<Flow> flows;
    private final List<ByteTally> conversations;
    private final List<World.Port> ports;
    private final WindowSampler windows;
    private final LongArrayList totals = new LongArrayList();
    private final List<LongArrayList> byFlow = new ArrayList<>();
    private final List<LongArrayList> byPort = new ArrayList<>();
    private final List<List<LongArrayList>> gauges = new ArrayList<>();

    Sampler(Measurement measurement, World world, RunTraffic traffic, List<PortMeter> meters) {
        this.measurement = measurement;
        this.windows = measurement.perWindow()
                ? new WindowSampler(measurement.intervalNanos(), measurement.warmUpNanos(), traffic.flows(), meters)
                : null;
        this.world = world;
        this.flows = traffic.flows();
        this.conversations = traffic.conversations().toList();
        this.ports = measurement.perPort() ? world.ports() : List.of();
        if (measurement.perFlow()) {
            flows.forEach(flow -> byFlow.add(new LongArrayList()));
        }
        for (World.Port port : ports) {
            byPort.add(new LongArrayList());
            List<LongArrayList> own = new ArrayList<>();
            port.port().gauges().forEach(name -> own.add(new LongArrayList()));
            gauges.add(own);
        }
    }

    void start() {
        if (measurement.intervalNanos() > 0) {
            scheduleNext(measurement.intervalNanos());
        }
    }

    private void scheduleNext(long atNanos) {
        world.at(atNanos, 0, () -> {
            sample();
            scheduleNext(atNanos + measurement.intervalNanos());
        });
    }

    private void sample() {
        long total = 0;
        for (int i = 0; i < flows.size(); i++) {
            long bytes = flows.get(i).delivered().takeSampleBytes();
            total += bytes;
            if (measurement.perFlow()) {
                byFlow.get(i).addLong(bytes);
            }
        }
        for (ByteTally received : conversations) {
            total += received.takeSampleBytes();
        }
        totals.addLong(total);
        for (int i = 0; i < ports.size(); i++) {
            byPort.get(i).addLong(ports.get(i).port().takeDataQueueBytesMax());
            List<LongArrayList> own = gauges.get(i);
            for (int j = 0; j < own.size(); j++) {
                own.get(j).addLong(ports.get(i).port().gauge(j));
            }
        }
        if (windows != null) {
            windows.sample(world.nowNanos());
        }
    }

    /** {@return the series up to now, or null when there is none} */
    Series result() {
        if (measurement.intervalNanos() <= 0) {
            return null;
        }
        List<Series.FlowSeries> flowSeries = new ArrayList<>();
        for (int i = 0; i < byFlow.size(); i++) {
            flowSeries.add(new Series.FlowSeries(flows.get(i).plan().id(), toBps(byFlow.get(i))));
        }
        List<Series.PortSeries> portSeries = new ArrayList<>();
        for (int i = 0; i < byPort.size(); i++) {
            World.Port port = ports.get(i);
            portSeries.add(new Series.PortSeries(port.node(), port.peer(), boxed(byPort.get(i)), gaugeSeries(i)));
        }
        return new Series(
                measurement.intervalNanos(),
                toBps(totals),
                flowSeries,
                portSeries,
                windows == null ? null : windows.result());
    }

    private List<Series.GaugeSeries> gaugeSeries(int portIndex) {
        List<String> names = ports.get(portIndex).port().gauges();
        List<Series.GaugeSeries> series = new ArrayList<>();
        for (int j = 0; j < names.size(); j++) {
            series.add(new Series.GaugeSeries(
                    names.get(j), boxed(gauges.get(portIndex).get(j))));
        }
        return series;
    }

    private static List<Long> boxed(LongArrayList values) {
        return values.longStream().boxed().toList();
    }

    private List<Double> toBps(LongArrayList bytes) {
        double factor = 8.0 * RateMath.NANOS_PER_SECOND / measurement.intervalNanos();
        return bytes.longStream().mapToObj(value -> value * factor).toList();
    }
}
