package io.weir.transport.socket;

import java.util.Map;

/**
 * What JMX tells of a transport, by the name {@code io.weir:type=Transport,interface=NAME,number=N}, where the JVM's
 * management is on or {@code -Dweir.jmx=true} asks for it.
 */
public interface TransportMXBean {
    /** {@return the interface} */
    String getInterfaceName();

    /** {@return what moves its frames} */
    String getBackend();

    /** {@return how} */
    String getMode();

    /** {@return why so} */
    String getModeReason();

    /** {@return every count that is not 0, by the name of its {@link io.weir.transport.telemetry.CounterId}} */
    Map<String, Long> getCounters();

    /**
     * {@return what the loops measured last, by the name of its {@link io.weir.transport.telemetry.GaugeId}: the sum,
     * or the largest value where a sum says nothing}
     */
    Map<String, Long> getGauges();
}
