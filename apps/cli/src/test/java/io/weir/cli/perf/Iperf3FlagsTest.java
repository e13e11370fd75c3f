package io.weir.cli.perf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cli.environment.ExitCode;
import io.weir.cli.testing.CommandRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/**
 * Makes the table of iperf3's options in docs/CLI.md: for each option that iperf3's help names, both programs do a test
 * with it. What the table has must be what they do.
 */
@EnabledIf("isIperf3Installed")
class Iperf3FlagsTest {
    private static final Pattern LONG_NAME = Pattern.compile("--[a-z0-9][a-z0-9-]+");
    private static final Path PAGE = Path.of("../../docs/CLI.md");
    private static final String NOT_HERE = " is not for perf: ";

    @TempDir
    private Path folder;

    /** Where an option is given. */
    private enum At {
        CLIENT,
        SERVER,
        /** By itself; it does no test. */
        ALONE
    }

    /** An option as the table names it, an example of it, and how its meaning differs. */
    private record Flag(String name, At at, String example, String note) {
        static Flag of(String name, String example, String note) {
            return new Flag(name, At.CLIENT, example, note);
        }

        static Flag server(String name, String example, String note) {
            return new Flag(name, At.SERVER, example, note);
        }

        List<String> words() {
            return List.of(example.split(" ", -1));
        }
    }

    private static final String EITHER = "kernel at both ends; of Weir's connections this end alone";

    private List<Flag> flags() {
        List<Flag> all = new ArrayList<>(flagsOfEither(folder.resolve("file").toString()));
        all.addAll(flagsOfOne());
        return all;
    }

    private static List<Flag> flagsOfEither(String file) {
        return List.of(
                Flag.of("-p, --port", "", "UDP; with `--protocol kernel` TCP"),
                Flag.of("-f, --format", "-f m", "also `iperf3`: its JSON"),
                Flag.of("-i, --interval", "-i 0", ""),
                Flag.server("-I, --pidfile", "-I " + file + ".pid", ""),
                Flag.of("-F, --file", "-F " + file, ""),
                Flag.of("-A, --affinity", "-A 0", "Weir's loop; not the server's from the client"),
                Flag.of("-B, --bind", "-B 127.0.0.1", ""),
                Flag.of("--bind-dev", "--bind-dev lo", "the same as `--interface`"),
                Flag.of("-V, --verbose", "-V", ""),
                Flag.of("-J, --json", "-J", "Weir's JSON, unless `--format iperf3`"),
                Flag.of("--logfile", "--logfile " + file + ".log", ""),
                Flag.of("--forceflush", "--forceflush", "always so"),
                Flag.of("--timestamps", "--timestamps=%T", ""),
                Flag.of("--rcv-timeout", "--rcv-timeout 5000 -R", ""),
                Flag.of("--snd-timeout", "--snd-timeout 5000", ""),
                Flag.of("-d, --debug", "--debug", "without levels; `-d` alone is refused"),
                new Flag("-v, --version", At.ALONE, "-v", ""),
                new Flag("-h, --help", At.ALONE, "-h", ""));
    }

    private static List<Flag> flagsOfOne() {
        return List.of(
                new Flag("-s, --server", At.SERVER, "", ""),
                Flag.server("-D, --daemon", "", "ends when the server serves"),
                Flag.server("-1, --one-off", "-1", ""),
                Flag.server("--server-bitrate-limit", "--server-bitrate-limit 900G/5", ""),
                Flag.server("--idle-timeout", "--idle-timeout 60", ""),
                Flag.of("--rsa-private-key-path", "--rsa-private-key-path x", ""),
                Flag.of("--authorized-users-path", "--authorized-users-path x", ""),
                Flag.of("--time-skew-threshold", "--time-skew-threshold 5", ""),
                Flag.of("-c, --client", "", ""),
                Flag.of("--sctp", "--sctp", ""),
                Flag.of("-X, --xbind", "-X x", ""),
                Flag.of("--nstreams", "--nstreams 2", ""),
                Flag.of("-u, --udp", "-u", ""),
                Flag.of("--connect-timeout", "--connect-timeout 5000", ""),
                Flag.of("-b, --bitrate", "-b 100M/4", ""),
                Flag.of("--pacing-timer", "--pacing-timer 1000", ""),
                Flag.of("--fq-rate", "--fq-rate 1G", ""),
                Flag.of("-t, --time", "-t 1", "also with a unit, as in `500ms`"),
                Flag.of("-n, --bytes", "-n 64K", "in each direction"),
                Flag.of("-k, --blockcount", "-k 2", ""),
                Flag.of("-l, --length", "-l 8K", "at most 1 MiB"),
                Flag.of("--cport", "--cport " + FreePort.next(), ""),
                Flag.of("-P, --parallel", "-P 2", ""),
                Flag.of("-R, --reverse", "-R", ""),
                Flag.of("--bidir", "--bidir", ""),
                Flag.of("-w, --window", "-w 256K", EITHER),
                Flag.of("-C, --congestion", "-C cubic", ""),
                Flag.of("-M, --set-mss", "-M 1400", "payload of a data frame; not with `--protocol kernel`"),
                Flag.of("-N, --no-delay", "-N", "always so"),
                Flag.of("-4, --version4", "-4", ""),
                Flag.of("-6, --version6", "-6", ""),
                Flag.of("-S, --tos", "-S 0x20", "with `--protocol kernel`"),
                Flag.of("--dscp", "--dscp af21", "with `--protocol kernel`"),
                Flag.of("-L, --flowlabel", "-L 5", "IPv6; not with `--protocol kernel`"),
                Flag.of("-Z, --zerocopy", "-Z", ""),
                Flag.of("-O, --omit", "-O 0", ""),
                Flag.of("-T, --title", "-T me", ""),
                Flag.of("--extra-data", "--extra-data x", ""),
                Flag.of("--get-server-output", "--get-server-output", ""),
                Flag.of("--udp-counters-64bit", "--udp-counters-64bit", ""),
                Flag.of("--repeating-payload", "--repeating-payload", "always so"),
                Flag.of("--dont-fragment", "--dont-fragment", "always so"),
                Flag.of("--username", "--username me", ""),
                Flag.of("--rsa-public-key-path", "--rsa-public-key-path x", ""));
    }

    static boolean isIperf3Installed() {
        return Iperf3.isInstalled();
    }

    @Test
    void table_ofThePage_isWhatBothProgramsDo() throws Exception {
        Files.write(folder.resolve("file"), new byte[1_000]);
        assertEquals(
                namesInHelp(), namesInTable(), "options that iperf3's help has and the table has not, or not both");
        StringBuilder table = new StringBuilder("| iperf3 | `weir perf` | |\n|---|---|---|\n");
        for (Flag flag : flags()) {
            table.append("| ")
                    .append(Arrays.stream(flag.name.split(", "))
                            .map(name -> "`" + name + "`")
                            .collect(Collectors.joining(", ")))
                    .append(" | ")
                    .append(outcome(flag))
                    .append(" | ")
                    .append(flag.note)
                    .append(" |\n");
        }
        String expected = table.toString().replace("|  |", "| |");
        assertTrue(Files.readString(PAGE).contains(expected), "docs/CLI.md must have this table:\n" + expected);
    }

    private static Set<String> namesInHelp() throws Exception {
        Iperf3.Run run = Iperf3.run("--help");
        // Explanations begin far to the right; they name other options.
        String options = (run.out() + run.err())
                .lines()
                .filter(line -> line.startsWith("  -"))
                .map(line -> line.substring(0, Math.min(line.length(), 27)))
                .collect(Collectors.joining("\n"));
        return names(options);
    }

    private Set<String> namesInTable() {
        return names(flags().stream().map(Flag::name).collect(Collectors.joining("\n")));
    }

    private static Set<String> names(String text) {
        Set<String> names = new TreeSet<>();
        Matcher matcher = LONG_NAME.matcher(text);
        while (matcher.find()) {
            names.add(matcher.group());
        }
        return names;
    }

    private String outcome(Flag flag) throws Exception {
        if (flag.example.isEmpty()) {
            // Every other row's test has it, or it has a test of its scripts.
            return "same";
        }
        int port = FreePort.next();
        if (flag.at == At.ALONE) {
            assertEquals(0, Iperf3.run(flag.example).status());
            assertEquals(ExitCode.DONE, CommandRun.execute("perf", flag.example).await());
            return "same";
        }
        String host = Set.of("-6", "-L").contains(flag.words().get(0)) ? "::1" : "127.0.0.1";
        List<String> serverWords = List.of("-s", "-1", "-p", Integer.toString(port));
        List<String> clientWords = List.of("-c", host, "-p", Integer.toString(port));
        boolean isEnded =
                Set.of("-t", "-n", "-k", "-F", "-O").contains(flag.words().get(0));
        // The row's example may be another connection's by now, as ports are given out.
        CommandRun client = weir(withFreePort(flag), serverWords, clientWords, isEnded);
        if (client.await() != ExitCode.DONE) {
            assertEquals(ExitCode.USAGE, client.await(), flag + ": " + client.err());
            String message = client.err().lines().findFirst().orElseThrow();
            assertTrue(message.contains(NOT_HERE), flag + ": " + message);
            return "refused: " + message.substring(message.indexOf(NOT_HERE) + NOT_HERE.length());
        }
        // The kernel keeps a port of a connection that has ended for a while.
        assertIperf3Does(withFreePort(flag), serverWords, clientWords, isEnded);
        return "same";
    }

    private static Flag withFreePort(Flag flag) {
        return flag.words().get(0).equals("--cport")
                ? new Flag(flag.name, flag.at, "--cport " + FreePort.next(), "")
                : flag;
    }

    private static List<String> joined(List<String> first, Flag flag, boolean hasFlag, boolean isEnded) {
        List<String> all = new ArrayList<>(first);
        if (hasFlag && !all.containsAll(flag.words())) {
            all.addAll(flag.words());
        }
        if (first.contains("-c") && !isEnded) {
            all.addAll(List.of("-n", "64K"));
        }
        return all;
    }

    private static CommandRun weir(Flag flag, List<String> serverWords, List<String> clientWords, boolean isEnded) {
        List<String> client = new ArrayList<>(List.of("perf"));
        // What Weir's loops and frames have, and the kernel's connections have not.
        boolean isMemory = Set.of("-A", "-M", "-L").contains(flag.words().get(0));
        client.addAll(isMemory ? List.of("-c", "--backend", "memory") : List.of("--protocol", "kernel"));
        List<String> words = joined(isMemory ? List.of() : clientWords, flag, flag.at == At.CLIENT, isEnded);
        if (isMemory) {
            words.addAll(List.of("-n", "64K"));
        }
        client.addAll(words);
        if (isMemory) {
            return CommandRun.execute(client.toArray(String[]::new));
        }
        List<String> server = new ArrayList<>(List.of("perf", "--protocol", "kernel"));
        server.addAll(joined(serverWords, flag, flag.at == At.SERVER, isEnded));
        CommandRun serving = CommandRun.start(server.toArray(String[]::new));
        serving.awaitText("Serving on");
        CommandRun run = CommandRun.execute(client.toArray(String[]::new));
        if (run.await() != ExitCode.DONE) {
            serving.stop();
        }
        serving.await();
        return run;
    }

    private static void assertIperf3Does(Flag flag, List<String> serverWords, List<String> clientWords, boolean isEnded)
            throws Exception {
        List<String> server = new ArrayList<>(List.of("timeout", "60", "iperf3"));
        server.addAll(joined(serverWords, flag, flag.at == At.SERVER, isEnded));
        Process serving = new ProcessBuilder(server)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        Iperf3.awaitPort(serving, Integer.parseInt(serverWords.get(serverWords.size() - 1)));
        Iperf3.Run run = Iperf3.run(
                joined(clientWords, flag, flag.at == At.CLIENT, isEnded).toArray(String[]::new));
        serving.destroy();
        serving.waitFor();
        assertEquals(0, run.status(), flag + ": " + run.out() + run.err());
    }
}
