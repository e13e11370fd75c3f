package io.weir.nic.ffi;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;

/** How much direct memory the process holds. */
public final class DirectMemory {
    private DirectMemory() {}

    /** {@return direct buffers that no collector has freed; several threads may make more at any time} */
    public static long bufferCount() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .findFirst()
                .orElseThrow()
                .getCount();
    }
}
