package io.weir.cli.doctor;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;

/**
 * The Java that runs.
 *
 * @param version its feature release, as in 17
 * @param flags what it was started with
 * @param directBytesMax the most direct memory that it gives out
 */
record JavaFacts(int version, List<String> flags, long directBytesMax) {
    JavaFacts {
        flags = List.copyOf(flags);
    }

    /** {@return those of this process} */
    static JavaFacts current() {
        return new JavaFacts(
                Runtime.version().feature(),
                ManagementFactory.getRuntimeMXBean().getInputArguments(),
                limit());
    }

    private static long limit() {
        HotSpotDiagnosticMXBean hotSpot = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        String limit = hotSpot == null
                ? "0"
                : hotSpot.getVMOption("MaxDirectMemorySize").getValue();
        long bytes = HostFiles.number(limit, 0, 10);
        // Without a limit that was asked for, it is that of the heap.
        return bytes > 0 ? bytes : Runtime.getRuntime().maxMemory();
    }
}
