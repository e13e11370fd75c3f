package io.weir.cli.perf;

import io.weir.cli.unit.Durations;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** How a server runs. */
final class ServerOptions {
    @Option(
            names = {"-1", "--one-off"},
            description = "Serve one test, then exit with its status.")
    boolean isOneOff;

    @Option(
            names = {"-D", "--daemon"},
            description = "Serve in the background: the command ends when the server serves.")
    boolean isDaemon;

    @Option(
            names = {"-I", "--pidfile"},
            paramLabel = "FILE",
            description = "Write the process's number to this file, which is removed in the end.")
    Path pidFile;

    @Option(
            names = "--idle-timeout",
            paramLabel = "TIME",
            converter = Durations.SecondsConverter.class,
            description =
                    "Begin again when no test came for so long, with -1 end; a bare number is seconds. Default: never.")
    long idleNanosMax;

    @Option(
            names = "--server-bitrate-limit",
            paramLabel = "RATE[/SECONDS]",
            converter = CountedRate.LimitConverter.class,
            description = "End tests that take more payload bits per second, over all streams, on average over SECONDS."
                    + " Default: no limit, 5 seconds.")
    CountedRate bitrateLimit = CountedRate.NONE;

    ServerOptions() {}
}
