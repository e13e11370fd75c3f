package io.weir.transport.scenario.run;

import io.weir.transport.scenario.result.Series;
import java.util.ArrayList;
import java.util.List;

/** Takes the series of what flows know and of what is so: windows, and mean queues. */
final class WindowSampler {
    private final long intervalNanos;
    private final List<Flow> flows;
    private final List<PortMeter> ports;
    private final List<WindowObserver> observers = new ArrayList<>();
    private final List<List<Double>> means = new ArrayList<>();
    private final long[] byteNanosBefore;

    /** Begins to observe the flows, which have not started. */
    WindowSampler(long intervalNanos, long warmUpNanos, List<Flow> flows, List<PortMeter> ports) {
        this.intervalNanos = intervalNanos;
        this.flows = flows;
        this.ports = ports;
        this.byteNanosBefore = new long[ports.size()];
        for (Flow flow : flows) {
            WindowObserver observer = new WindowObserver(warmUpNanos);
            flow.observe(observer);
            observers.add(observer);
        }
        ports.forEach(port -> means.add(new ArrayList<>()));
    }

    void sample(long nowNanos) {
        observers.forEach(WindowObserver::sample);
        for (int i = 0; i < ports.size(); i++) {
            means.get(i).add(mean(i, nowNanos));
        }
    }

    /** {@return the mean queue since the sample before; 0 during the warm-up} */
    private double mean(int index, long nowNanos) {
        long byteNanos = ports.get(index).byteNanos(nowNanos);
        double mean = (double) (byteNanos - byteNanosBefore[index]) / intervalNanos;
        byteNanosBefore[index] = byteNanos;
        return mean;
    }

    Series.Windows result() {
        List<Series.FlowWindows> flowWindows = new ArrayList<>();
        for (int i = 0; i < flows.size(); i++) {
            flowWindows.add(observers.get(i).result(flows.get(i).plan().id()));
        }
        List<Series.QueueMeans> queues = new ArrayList<>();
        for (int i = 0; i < ports.size(); i++) {
            World.Port place = ports.get(i).place();
            queues.add(new Series.QueueMeans(place.node(), place.peer(), List.copyOf(means.get(i))));
        }
        return new Series.Windows(flowWindows, queues);
    }
}
