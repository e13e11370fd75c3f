package io.weir.transport.socket;

import io.weir.transport.node.PortInfo;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.telemetry.Counters;
import io.weir.transport.telemetry.GaugeId;
import io.weir.transport.telemetry.Subject;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import javax.management.JMException;
import javax.management.ObjectName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells by JMX what a transport counts. Any thread. */
final class TransportBean implements TransportMXBean, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TransportBean.class);
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final PortInfo port;
    private final Counters counters;
    private final ToLongFunction<GaugeId> gauges;
    private final ObjectName name;

    private TransportBean(PortInfo port, Counters counters, ToLongFunction<GaugeId> gauges) throws JMException {
        this.port = port;
        this.counters = counters;
        this.gauges = gauges;
        this.name = new ObjectName("io.weir:type=Transport,interface=" + ObjectName.quote(port.name()) + ",number="
                + NUMBER.incrementAndGet());
    }

    /**
     * {@return whether JMX is to tell of transports} To load its classes takes a tenth of a second, so it is told where
     * somebody will listen: the JVM's management agent is on when a transport opens, or a property asks for it.
     *
     * @param properties finds the value of a property, or null; {@code System::getProperty}
     */
    static boolean isWanted(UnaryOperator<String> properties) {
        String asked = properties.apply("weir.jmx");
        return asked == null
                ? properties.apply("com.sun.management.jmxremote") != null
                        || properties.apply("com.sun.management.jmxremote.port") != null
                        || properties.apply("com.sun.management.jmxremote.localConnectorAddress") != null
                : asked.isBlank() || Boolean.parseBoolean(asked);
    }

    /** {@return what tells of a transport from now on, or null where this Java runtime has no JMX} */
    static TransportBean register(PortInfo port, Counters counters, ToLongFunction<GaugeId> gauges) {
        try {
            TransportBean bean = new TransportBean(port, counters, gauges);
            ManagementFactory.getPlatformMBeanServer().registerMBean(bean, bean.name);
            return bean;
        } catch (JMException | LinkageError e) {
            LOG.warn("JMX does not tell of the transport on {}: {}", port.name(), e.toString());
            return null;
        }
    }

    @Override
    public String getInterfaceName() {
        return port.name();
    }

    @Override
    public String getBackend() {
        return port.backend();
    }

    @Override
    public String getMode() {
        return port.mode();
    }

    @Override
    public String getModeReason() {
        return port.modeReason();
    }

    @Override
    public Map<String, Long> getCounters() {
        Map<String, Long> values = new LinkedHashMap<>();
        for (CounterId id : CounterId.values()) {
            if (counters.get(id) != 0) {
                values.put(id.name(), counters.get(id));
            }
        }
        return values;
    }

    @Override
    public Map<String, Long> getGauges() {
        Map<String, Long> values = new LinkedHashMap<>();
        for (GaugeId id : GaugeId.values()) {
            if (id.isOf(Subject.TRANSPORT)) {
                values.put(id.name(), gauges.applyAsLong(id));
            }
        }
        return values;
    }

    @Override
    public void close() {
        try {
            ManagementFactory.getPlatformMBeanServer().unregisterMBean(name);
        } catch (JMException e) {
            LOG.warn("JMX still tells of the transport on {}: {}", port.name(), e.toString());
        }
    }
}
