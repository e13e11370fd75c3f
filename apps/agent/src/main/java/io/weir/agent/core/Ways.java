package io.weir.agent.core;

import io.weir.transport.fallback.Explanation;
import io.weir.transport.fallback.Fallback;
import java.lang.management.ManagementFactory;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import javax.management.JMException;
import javax.management.ObjectName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells by JMX, and Java Flight Recorder, which way connections took. Any thread. */
final class Ways implements WaysMXBean {
    private static final Logger LOG = LoggerFactory.getLogger(Ways.class);
    /** Enough to find what a person looks for, and a bound. */
    private static final int LATEST_MAX = 256;

    private final Fallback fallback;
    private final ArrayDeque<Explanation> latest = new ArrayDeque<>();
    /** Null in a Java runtime without jdk.jfr. */
    private final Consumer<Explanation> recorder = recorder();

    private Ways(Fallback fallback) {
        this.fallback = fallback;
    }

    private static Consumer<Explanation> recorder() {
        return ModuleLayer.boot().findModule("jdk.jfr").isPresent() ? WayEvent::record : null;
    }

    static void register(Fallback fallback) {
        Ways ways = new Ways(fallback);
        fallback.setListener(ways::add);
        try {
            ManagementFactory.getPlatformMBeanServer().registerMBean(ways, new ObjectName("io.weir:type=Ways"));
        } catch (JMException | LinkageError e) {
            // A Java runtime without java.management, too.
            LOG.warn("JMX does not tell which way connections take: {}", e.toString());
        }
    }

    private void add(Explanation explanation) {
        if (recorder != null) {
            recorder.accept(explanation);
        }
        synchronized (latest) {
            if (latest.size() == LATEST_MAX) {
                latest.removeFirst();
            }
            latest.addLast(explanation);
        }
    }

    @Override
    public Map<String, Long> getCounts() {
        Map<String, Long> counts = new LinkedHashMap<>();
        fallback.counts().forEach((outcome, count) -> counts.put(outcome.toString(), count));
        return counts;
    }

    @Override
    public Map<String, String> getObstacles() {
        return fallback.obstacles();
    }

    @Override
    public List<String> getLatest() {
        synchronized (latest) {
            return latest.stream().map(Explanation::text).toList();
        }
    }
}
