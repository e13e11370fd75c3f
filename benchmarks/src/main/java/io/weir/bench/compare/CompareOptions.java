package io.weir.bench.compare;

import io.weir.bench.command.Arguments;
import io.weir.bench.compare.end.Task;
import io.weir.cli.unit.Rates;
import java.util.ArrayList;
import java.util.List;

/**
 * What to compare.
 *
 * @param jobs what each subject does
 * @param rivals the subjects
 * @param bases the names of subjects that the others are divided by
 * @param pairs how many rounds
 * @param warmSeconds traffic before the window that counts
 * @param seconds the window that counts
 * @param spinners numbers of spinning threads
 * @param mtuBytes the MTU of every link
 * @param rateBps what every link is limited to, 0 for nothing
 * @param hasArchives whether processes start with archives of their classes
 * @param out where the JSON goes, or null
 * @param page where the page goes, or null
 * @param into a page whose marked place is filled, or null
 */
record CompareOptions(
        List<Job> jobs,
        List<Rival> rivals,
        List<String> bases,
        int pairs,
        double warmSeconds,
        double seconds,
        List<Integer> spinners,
        int mtuBytes,
        long rateBps,
        boolean hasArchives,
        String out,
        String page,
        String into) {
    static final String USAGE = """
            usage: java -jar weir-benchmarks.jar compare [OPTIONS]   (as root: it makes network namespaces)
              --subjects A,B      weir (each of its protocols), weir-PROTOCOL, weir-sockets, weir-jdk, weir-netty,
                                  weir-grpc, weir-agent-nio and weir-agent-socket (programs that know nothing of
                                  it), weir-af-packet, weir-dpdk (net_af_xdp), weir-memif, weir-memory,
                                  tcp-offloads, tcp-plain, tcp-xdp, tcp-nio and tcp-socket (the same programs),
                                  tcp-agent-nio (with rules that send all to the kernel), tcp-prefer-nio (that
                                  prefer Weir, to a server without it), tcp-epoll (in C; rpc), udp, netty, grpc,
                                  aeron-udp, aeron-ipc; default: all. After one of Weir's: @none, @realtime,
                                  @pinned, @nice for what its loops ask the scheduler for; default: @slices
              --workloads A,B     bulk, rr, connects, many, idle, rpc; default: all but rpc
              --base A,B          what others are divided by; default: tcp-xdp
              --pairs N           rounds, in each of which everybody has a turn; default: 9
              --warm S            seconds of traffic before those that count; default: 4
              --seconds S         seconds that count; default: 4
              --spinners N,M      with so many threads that compute all the time; default: 0
              --sizes N,M         bytes of a message that goes to and fro; default: 64,1500, or 64,1024,16384,131072
                                  for rpc
              --connections N,M   for the workload many; default: 1,100,1000,10000; for rpc: 1,8,32,128,1024
              --outstanding N,M   for rpc: calls that each connection has open at once; default: 1,16
              --mtu N             of every link; default: 1500
              --rate RATE         of every link, as in 1G; default: as fast as they go
              --archive           processes start with archives of their classes (and hot methods, from JDK 25 on), as
                                  ./weir does; written by a short run of each subject before the first round
              --quick             a first look: 1 pair, 1 s, at most 100 connections
              --out FILE.json     every run, every ratio, the machine
              --page FILE.html    the tables, and charts
              --into FILE.md      puts the tables between the marks of a page, as in docs/BENCHMARKS.md""";

    private static final int PAIRS_MAX = 1_000;
    private static final double SECONDS_MAX = 600;
    private static final int SPINNERS_MAX = 1_024;
    private static final int SIZE_BYTES_MAX = 65_000;
    private static final int CALL_BYTES_MAX = 128 * 1024;
    private static final int OUTSTANDING_MAX = 1_024;
    private static final int CONNECTIONS_MAX = 50_000;
    private static final int MTU_BYTES_MIN = 576;
    private static final int MTU_BYTES_MAX = 9_000;

    /** Copies the lists and validates the numbers. */
    CompareOptions {
        jobs = List.copyOf(jobs);
        rivals = List.copyOf(rivals);
        bases = List.copyOf(bases);
        spinners = List.copyOf(spinners);
        within("--pairs", pairs, 1, PAIRS_MAX);
        within("--warm", warmSeconds, 0, SECONDS_MAX);
        within("--seconds", seconds, 0.2, SECONDS_MAX);
        within("--mtu", mtuBytes, MTU_BYTES_MIN, MTU_BYTES_MAX);
        spinners.forEach(count -> within("--spinners", count, 0, SPINNERS_MAX));
    }

    /** {@return what the command line asks for} */
    static CompareOptions parse(String[] arguments) {
        Arguments given = Arguments.of(
                List.of(arguments),
                "--subjects --workloads --base --pairs --warm --seconds --spinners --sizes --connections --outstanding"
                        + " --mtu --rate --out --page --into",
                "--quick",
                "--archive");
        boolean isQuick = given.has("--quick");
        return new CompareOptions(
                jobs(given, isQuick),
                given.has("--subjects") ? Rival.parse(given.text("--subjects", "")) : Rival.all(),
                bases(given.list("--base", Rival.KERNEL_BASE)),
                (int) given.decimal("--pairs", isQuick ? 1 : 9),
                given.decimal("--warm", isQuick ? 1 : 4),
                given.decimal("--seconds", isQuick ? 1 : 4),
                numbers("--spinners", given.list("--spinners", "0"), SPINNERS_MAX),
                (int) given.decimal("--mtu", 1500),
                given.has("--rate") ? Rates.parse(given.text("--rate", "")) : 0,
                given.has("--archive"),
                given.text("--out", null),
                given.text("--page", null),
                given.text("--into", null));
    }

    private static double number(String option, String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(option + " " + text + " is not a number", e);
        }
    }

    private static List<Integer> numbers(String option, List<String> list, int max) {
        List<Integer> numbers = new ArrayList<>();
        for (String text : list) {
            double value = number(option, text);
            within(option, value, option.equals("--spinners") ? 0 : 1, max);
            if (!numbers.contains((int) value)) {
                numbers.add((int) value);
            }
        }
        return numbers;
    }

    private static void within(String option, double value, double min, double max) {
        if (!(value >= min && value <= max)) {
            throw new IllegalArgumentException(
                    option + " " + plain(value) + " is outside " + plain(min) + ".." + plain(max));
        }
    }

    private static String plain(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
    }

    private static List<String> bases(List<String> list) {
        return list.stream().map(name -> Rival.named(name).name()).distinct().toList();
    }

    private static List<Job> jobs(Arguments given, boolean isQuick) {
        List<Job> jobs = new ArrayList<>();
        for (String name : given.list("--workloads", "bulk,rr,connects,many,idle")) {
            switch (name) {
                case "bulk" -> jobs.add(new Job(Task.BULK, 0, 1));
                case "rr" ->
                    numbers("--sizes", given.list("--sizes", "64,1500"), SIZE_BYTES_MAX)
                            .forEach(size -> jobs.add(new Job(Task.ROUND_TRIPS, size, 1)));
                case "connects" -> jobs.add(new Job(Task.CONNECTS, 1, 1));
                case "many" ->
                    connections(given, isQuick ? "1,100" : "1,100,1000,10000")
                            .forEach(count -> jobs.add(new Job(Task.MANY, 0, count)));
                case "idle" -> jobs.add(new Job(Task.IDLE, 0, 1));
                case "rpc" -> addCalls(jobs, given, isQuick);
                default ->
                    throw new IllegalArgumentException(
                            "there is no workload " + name + "; there are bulk, rr, connects, many, idle, rpc");
            }
        }
        return jobs.stream().distinct().toList();
    }

    private static List<Integer> connections(Arguments given, String usual) {
        return numbers("--connections", given.list("--connections", usual), CONNECTIONS_MAX);
    }

    /** Adds calls, and the streams that their payload is held against. */
    private static void addCalls(List<Job> jobs, Arguments given, boolean isQuick) {
        String usual = isQuick ? "64,16384" : "64,1024,16384,131072";
        List<Integer> sizesBytes = numbers("--sizes", given.list("--sizes", usual), CALL_BYTES_MAX);
        List<Integer> outstanding =
                numbers("--outstanding", given.list("--outstanding", isQuick ? "1" : "1,16"), OUTSTANDING_MAX);
        List<Job> calls = new ArrayList<>();
        for (int sizeBytes : sizesBytes) {
            for (int count : connections(given, isQuick ? "1,8" : "1,8,32,128,1024")) {
                for (int each : outstanding) {
                    calls.add(new Job(Task.CALLS, sizeBytes, count, each));
                }
            }
        }
        calls.stream().map(CompareFindings::streamOf).distinct().forEach(jobs::add);
        jobs.addAll(calls);
    }
}
