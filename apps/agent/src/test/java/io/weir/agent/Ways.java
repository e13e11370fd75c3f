package io.weir.agent;

import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** Which ways a program's connections took, by the name that anything may ask by JMX. */
final class Ways {
    private Ways() {}

    /** {@return one paragraph for each connection and listener, or that there is no agent} */
    static String latest() throws JMException {
        MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
        ObjectName name = new ObjectName("io.weir:type=Ways");
        return beans.isRegistered(name)
                ? String.join(" | ", (String[]) beans.getAttribute(name, "Latest"))
                : "without an agent";
    }
}
