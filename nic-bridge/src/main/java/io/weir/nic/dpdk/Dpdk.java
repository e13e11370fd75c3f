package io.weir.nic.dpdk;

import io.weir.nic.Errno;
import io.weir.nic.NicException;
import io.weir.nic.ffi.DpdkBinding;
import io.weir.nic.ffi.NativeLibrary;
import io.weir.nic.ffi.NativeMemory;
import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * DPDK's environment in this process. It starts once, with the first device, and stays until the process ends; further
 * devices share it, and so cannot have other arguments.
 */
final class Dpdk {
    private static final Logger LOG = LoggerFactory.getLogger(Dpdk.class);
    private static final String LIBRARY = "libweir_dpdk.so";
    private static final int LOG_BYTES = 4096;
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final String ALLOWED_CPUS = "Cpus_allowed_list:";

    /** Guards all that is static here. The environment is the process's, so its state is too. */
    private static final Object LOCK = new Object();

    private static DpdkBinding functions;
    /** Null until the environment has started. */
    private static List<String> startedWith;

    private Dpdk() {}

    /** {@return the functions, with the environment running} */
    static DpdkBinding start(DpdkConfig config) throws NicException {
        synchronized (LOCK) {
            if (startedWith == null) {
                DpdkBinding loaded = load();
                config.requireUsableDevice();
                config.requireMemory();
                initialize(loaded, config);
                startedWith = config.ealArguments();
            } else if (!config.ealArguments().isEmpty()
                    && !config.ealArguments().equals(startedWith)) {
                throw new NicException("eal=" + String.join(" ", config.ealArguments()) + " of " + config.deviceName()
                        + " differs from what DPDK's environment runs with in this process: "
                        + (startedWith.isEmpty() ? "nothing" : String.join(" ", startedWith))
                        + "; give the same, or leave it out, or use another process");
            } else {
                config.requireUsableDevice();
            }
            return functions;
        }
    }

    private static DpdkBinding load() throws NicException {
        if (functions != null) {
            return functions;
        }
        try {
            functions = NativeLibrary.load(Dpdk.class, LIBRARY, DpdkBinding.class);
        } catch (UnsatisfiedLinkError e) {
            throw new NicException(
                    "DPDK's libraries are missing here (" + e.getMessage() + "); install those of "
                            + "the version that this build is for: apt-get install dpdk",
                    e);
        } catch (IOException e) {
            throw new NicException(
                    "cannot unpack " + LIBRARY + ": " + e.getMessage()
                            + "; is the folder for temporary files writable (java.io.tmpdir)?",
                    e);
        }
        if (functions == null) {
            throw new NicException("this build has no DPDK port, because there was no libdpdk where it was built;"
                    + " install its headers (apt-get install dpdk dpdk-dev gcc pkg-config) and build again");
        }
        return functions;
    }

    private static void initialize(DpdkBinding dpdk, DpdkConfig config) throws NicException {
        DpdkResidue.clean();
        List<String> arguments = config.environment(ProcessHandle.current().pid(), allowedCpus());
        UnsafeBuffer pointers = NativeMemory.allocate((arguments.size() + 1) * Long.BYTES);
        List<UnsafeBuffer> texts = new ArrayList<>();
        for (int i = 0; i < arguments.size(); i++) {
            UnsafeBuffer text = NativeMemory.text(arguments.get(i));
            texts.add(text);
            pointers.putLong(i * Long.BYTES, NativeMemory.address(text));
        }
        int result;
        try {
            result = dpdk.weir_dpdk_init(arguments.size(), NativeMemory.address(pointers));
        } finally {
            Reference.reachabilityFence(texts);
            Reference.reachabilityFence(pointers);
        }
        String words = String.join(" ", arguments.subList(1, arguments.size()));
        if (result < 0) {
            DpdkResidue.cleanOwn();
            throw new NicException("DPDK's environment does not start with " + words + ": " + Errno.describe(-result)
                    + said(dpdk) + "; see the eal line of the device's file. Another try needs another process");
        }
        DpdkResidue.cleanAfterStart(arguments);
        LOG.info("dpdk started arguments=\"{}\"", words);
    }

    private static String allowedCpus() throws NicException {
        try {
            return Files.readAllLines(STATUS).stream()
                    .filter(line -> line.startsWith(ALLOWED_CPUS))
                    .map(line -> line.substring(ALLOWED_CPUS.length()).strip())
                    .findFirst()
                    .orElse("0");
        } catch (IOException e) {
            throw new NicException("read the allowed CPUs from " + STATUS + ": " + e.getMessage(), e);
        }
    }

    /** {@return what DPDK logged last about what was attempted, in brackets, or nothing} */
    static String said(DpdkBinding dpdk) {
        UnsafeBuffer out = NativeMemory.allocate(LOG_BYTES);
        NativeMemory.call(out, address -> dpdk.weir_dpdk_log(address, LOG_BYTES));
        String text = NativeMemory.textAt(out, 0, LOG_BYTES);
        List<String> complaints =
                text.lines().map(String::strip).filter(Dpdk::isComplaint).toList();
        int count = complaints.size();
        return count == 0 ? "" : " (" + String.join("; ", complaints.subList(Math.max(0, count - 2), count)) + ")";
    }

    /** DPDK logs what it found next to what went wrong, and marks neither; and that a failure was one. */
    private static boolean isComplaint(String line) {
        return !line.isEmpty()
                && !line.contains("Detected ")
                && !line.contains("Selected IOVA mode")
                && !line.contains("Multi-process socket")
                && !line.contains("Probe PCI driver")
                && !line.contains("VFIO support initialized")
                && !line.contains("Driver cannot attach the device")
                && !line.contains("Failed to attach device on primary process")
                && !line.contains("Static memory layout");
    }
}
