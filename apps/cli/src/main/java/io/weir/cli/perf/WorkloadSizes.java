package io.weir.cli.perf;

import io.weir.transport.node.ConfigException;
import io.weir.transport.scenario.SizeDistribution;
import io.weir.transport.scenario.workload.SizeDistributions;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;

/** The sizes of a workload's messages. */
final class WorkloadSizes {
    private static final long FILE_BYTES_MAX = 1 << 20;
    /** What papers call distributions that come with Weir. */
    private static final Map<String, String> SHORT_NAMES = Map.of(
            "websearch", "pfabric_websearch",
            "datamining", "tg_datamining",
            "hadoop", "homa_fb_hadoop",
            "cachefollower", "homa_fb_cachefollower_intracluster",
            "webserver", "homa_fb_webserver_intracluster");

    private WorkloadSizes() {}

    /** {@return the distribution that comes with Weir under this name, or that of the file} */
    static SizeDistribution of(String name) {
        String full = SHORT_NAMES.getOrDefault(name, name);
        try {
            if (SizeDistributions.names().contains(full)) {
                try (InputStream text =
                        SizeDistributions.class.getResourceAsStream(SizeDistributions.resourceOf(full))) {
                    return SizeDistributions.parse(full, new String(text.readAllBytes(), StandardCharsets.UTF_8));
                }
            }
            Path file = Path.of(name);
            if (Files.isRegularFile(file) && Files.size(file) <= FILE_BYTES_MAX) {
                return SizeDistributions.parse(name, Files.readString(file));
            }
        } catch (IOException | InvalidPathException e) {
            throw new ConfigException("--workload " + name + " cannot be read: " + e + "; " + remedy(), e);
        }
        throw new ConfigException(
                "--workload " + name + " is no distribution and no file of at most 1 MiB; " + remedy());
    }

    private static String remedy() {
        return "there are "
                + String.join(", ", SHORT_NAMES.keySet().stream().sorted().toList()) + ", "
                + String.join(", ", SizeDistributions.names()) + ", and files of sizes and fractions";
    }
}
