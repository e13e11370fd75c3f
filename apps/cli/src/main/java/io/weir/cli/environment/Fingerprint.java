package io.weir.cli.environment;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Everything that a result depends on besides the command and its options.
 *
 * @param weirVersion the release of Weir
 * @param commit the commit it was built from, or {@code unknown}
 * @param os the distribution
 * @param kernel the kernel's release
 * @param architecture the processor's architecture
 * @param jdk the Java that runs
 * @param coreCount processors that the process may use
 * @param cpuModel what the processor calls itself, or {@code unknown}
 * @param memoryBytes the machine's memory, 0 when it does not tell
 * @param ports what moved the frames
 * @param seed what the randomness came from, or null when nothing was random or everything was
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Fingerprint(
        String weirVersion,
        String commit,
        String os,
        String kernel,
        String architecture,
        Jdk jdk,
        int coreCount,
        String cpuModel,
        long memoryBytes,
        List<PortFingerprint> ports,
        Long seed) {
    private static final String UNKNOWN = "unknown";
    private static final long BYTES_PER_KIB = 1024;

    public Fingerprint {
        ports = List.copyOf(ports);
    }

    /**
     * The Java that runs.
     *
     * @param vendor who built it
     * @param version its release
     * @param vm its virtual machine
     */
    public record Jdk(String vendor, String version, String vm) {}

    /** {@return this machine's, without ports and seed} */
    public static Fingerprint take() {
        return take(List.of(), null);
    }

    /** {@return this machine's, with the ports that were used and the seed, which may be null} */
    public static Fingerprint take(List<PortFingerprint> ports, Long seed) {
        BuildInfo build = BuildInfo.current();
        return new Fingerprint(
                build.version(),
                build.commit(),
                operatingSystem(),
                System.getProperty("os.version"),
                System.getProperty("os.arch"),
                new Jdk(
                        System.getProperty("java.vendor"),
                        System.getProperty("java.runtime.version"),
                        System.getProperty("java.vm.name")),
                Runtime.getRuntime().availableProcessors(),
                valueIn(Path.of("/proc/cpuinfo"), "model name", ":"),
                totalMemoryBytes(),
                ports,
                seed);
    }

    private static String operatingSystem() {
        String name = valueIn(Path.of("/etc/os-release"), "PRETTY_NAME", "=").replace("\"", "");
        return name.equals(UNKNOWN) ? System.getProperty("os.name") : name;
    }

    private static long totalMemoryBytes() {
        String total = valueIn(Path.of("/proc/meminfo"), "MemTotal", ":");
        String digits = total.replaceAll("[^0-9]", "");
        return digits.isEmpty() ? 0 : Long.parseLong(digits) * BYTES_PER_KIB;
    }

    /** {@return what follows the separator in the first line that begins with {@code key}, or {@code unknown}} */
    static String valueIn(Path file, String key, String separator) {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.filter(line -> line.startsWith(key) && line.contains(separator))
                    .map(line -> line.substring(line.indexOf(separator) + 1).strip())
                    .findFirst()
                    .orElse(UNKNOWN);
        } catch (IOException e) {
            return UNKNOWN;
        }
    }
}
