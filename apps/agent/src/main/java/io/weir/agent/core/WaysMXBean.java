package io.weir.agent.core;

import java.util.List;
import java.util.Map;

/** What went which way, for JMX: {@code io.weir:type=Ways}. */
public interface WaysMXBean {
    /** {@return how often each way was taken, and why} */
    Map<String, Long> getCounts();

    /** {@return why interfaces that rules name are not used, by interface} */
    Map<String, String> getObstacles();

    /** {@return which way the latest connections and listeners went, one paragraph each, the latest last} */
    List<String> getLatest();
}
