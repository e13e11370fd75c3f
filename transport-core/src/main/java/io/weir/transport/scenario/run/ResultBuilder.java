package io.weir.transport.scenario.run;

import io.weir.pacer.RateMath;
import io.weir.transport.scenario.HostSpec;
import io.weir.transport.scenario.Scenario;
import io.weir.transport.scenario.result.CallsResult;
import io.weir.transport.scenario.result.ExchangeResult;
import io.weir.transport.scenario.result.MessagesResult;
import io.weir.transport.scenario.result.PauseResult;
import io.weir.transport.scenario.result.PortResult;
import io.weir.transport.scenario.result.ScenarioResult;
import io.weir.transport.scenario.result.Series;
import io.weir.transport.scenario.result.Summary;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Puts together what a run has found. */
final class ResultBuilder {
    /** ExpressPass Table 2. */
    private static final long SMALL_BYTES = 10_000;

    private static final long MEDIUM_BYTES = 100_000;
    private static final long LARGE_BYTES = 1_000_000;
    private static final int PROBLEMS_MAX = 10;

    private final Scenario scenario;
    private final RunTraffic traffic;
    private final List<Flow> flows;
    private final List<PortMeter> ports;
    private final List<HostMeter> hosts;
    private final CreditTotals credits;
    private final List<PauseResult> pauses;
    private final long nowNanos;
    private final FlowReport report;

    ResultBuilder(
            Scenario scenario,
            RunTraffic traffic,
            List<PortMeter> ports,
            List<HostMeter> hosts,
            CreditTotals credits,
            List<PauseResult> pauses,
            long nowNanos) {
        this.scenario = scenario;
        this.traffic = traffic;
        this.flows = traffic.flows();
        this.ports = ports;
        this.hosts = hosts;
        this.credits = credits;
        this.pauses = pauses;
        this.nowNanos = nowNanos;
        String[] names = scenario.network().hosts().stream().map(HostSpec::name).toArray(String[]::new);
        this.report = new FlowReport(warmUpNanos(), nowNanos, names);
    }

    private long warmUpNanos() {
        return scenario.measurement().warmUpNanos();
    }

    ScenarioResult build(String world, boolean isComplete, Series series, ScenarioResult.Run run) {
        List<PortResult> portResults =
                ports.stream().map(port -> port.result(nowNanos)).toList();
        return new ScenarioResult(
                scenario.name(),
                world,
                isComplete,
                flows.stream().map(report::of).toList(),
                traffic.exchanges().stream().map(this::exchange).toList(),
                traffic.messages().stream().map(this::messagesOf).toList(),
                traffic.calls().stream().map(this::callsOf).toList(),
                series,
                portResults,
                hosts.stream().map(host -> host.result(nowNanos)).toList(),
                pauses,
                summary(portResults),
                problems(),
                run);
    }

    private ExchangeResult exchange(ExchangeClient client) {
        long[] rounds = client.roundNanos();
        double seconds = (double) Arrays.stream(rounds).sum() / RateMath.NANOS_PER_SECOND;
        int servers = client.exchange().servers().size();
        double bits = 8.0 * client.exchange().responseBytes() * servers * rounds.length;
        return new ExchangeResult(
                client.exchange().id(),
                client.exchange().client(),
                servers,
                rounds.length,
                Distributions.of(rounds),
                seconds == 0 ? 0 : bits / seconds);
    }

    private MessagesResult messagesOf(MessageSource source) {
        return new MessagesResult(
                source.traffic().id(),
                source.connectionCount(),
                source.dueCount(nowNanos),
                Distributions.of(source.tookNanos()),
                goodputBps(source.received().bytesAfterWarmUp()),
                source.creditsSent());
    }

    private CallsResult callsOf(CallSource source) {
        return new CallsResult(
                source.traffic().id(),
                source.connectionCount(),
                source.traffic().outstanding(),
                Distributions.of(source.tookNanos()),
                goodputBps(source.received().bytesAfterWarmUp()),
                source.credits());
    }

    private double goodputBps(long bytesAfterWarmUp) {
        long nanos = nowNanos - warmUpNanos();
        return nanos <= 0 ? 0 : bytesAfterWarmUp * 8.0 * RateMath.NANOS_PER_SECOND / nanos;
    }

    private Summary summary(List<PortResult> portResults) {
        long bytes = flows.stream()
                        .mapToLong(flow -> flow.delivered().bytesAfterWarmUp())
                        .sum()
                + traffic.conversations().mapToLong(ByteTally::bytesAfterWarmUp).sum();
        Distributions.Weighted delays = new Distributions.Weighted();
        for (PortMeter port : ports) {
            port.queue().forEachLevel((level, nanos) -> {
                if (level > 0) {
                    delays.add(port.delayNanos(level), nanos);
                }
            });
        }
        return new Summary(
                jainIndex(),
                portResults.stream().mapToDouble(PortResult::utilization).max().orElse(0),
                goodputBps(bytes),
                sizeClasses(),
                delays.percentiles(),
                portResults.stream().mapToLong(PortResult::dataDrops).sum(),
                credits.wasteFraction());
    }

    /** {@return Jain's index: 1 when all flows have the same goodput, 1/n when one has it all} */
    private double jainIndex() {
        double[] running = goodputs(
                flow -> !flow.plan().isLimited() && flow.plan().startNanos() < nowNanos && flow.endNanos() > nowNanos);
        double[] rates = running.length > 0 ? running : goodputs(Flow::isComplete);
        double sum = Arrays.stream(rates).sum();
        double squares = Arrays.stream(rates).map(rate -> rate * rate).sum();
        return squares == 0 ? 0 : sum * sum / (rates.length * squares);
    }

    private double[] goodputs(Predicate<Flow> filter) {
        return flows.stream().filter(filter).mapToDouble(report::goodputBps).toArray();
    }

    private List<Summary.SizeClass> sizeClasses() {
        return Stream.of(
                        sizeClass("S", 0, SMALL_BYTES),
                        sizeClass("M", SMALL_BYTES, MEDIUM_BYTES),
                        sizeClass("L", MEDIUM_BYTES, LARGE_BYTES),
                        sizeClass("XL", LARGE_BYTES, Long.MAX_VALUE - 1),
                        sizeClass("all", 0, Long.MAX_VALUE - 1))
                .filter(found -> found.flows() > 0)
                .toList();
    }

    private Summary.SizeClass sizeClass(String name, long above, long upTo) {
        List<Flow> members = flows.stream()
                .filter(flow -> flow.plan().bytes() > above && flow.plan().bytes() <= upTo)
                .filter(flow ->
                        flow.plan().startNanos() >= warmUpNanos() && flow.plan().startNanos() < nowNanos)
                .toList();
        long[] completions = members.stream()
                .filter(Flow::isComplete)
                .mapToLong(flow -> flow.completionNanos() - flow.plan().startNanos())
                .toArray();
        return new Summary.SizeClass(name, members.size(), Distributions.of(completions));
    }

    private List<String> creditsLostAtHosts() {
        if (!scenario.traffic().stream().allMatch(each -> each.protocol().waitsForMeter())) {
            return List.of();
        }
        List<String> problems =
                hosts.stream().map(HostMeter::problem).filter(Objects::nonNull).toList();
        if (problems.size() <= PROBLEMS_MAX) {
            return problems;
        }
        List<String> first = new ArrayList<>(problems.subList(0, PROBLEMS_MAX));
        first.add("and " + (problems.size() - PROBLEMS_MAX) + " more hosts lost credits at their own meters");
        return first;
    }

    /** {@return timers that fired although no frame was lost: progress must not need them} */
    private List<String> timersNeeded() {
        List<PortResult> portResults =
                ports.stream().map(port -> port.result(nowNanos)).toList();
        boolean isLossless =
                scenario.faults().isEmpty() && portResults.stream().allMatch(port -> port.dataDrops() == 0);
        if (!isLossless) {
            return List.of();
        }
        boolean losesCredits = hosts.stream().anyMatch(host -> host.problem() != null)
                || portResults.stream().anyMatch(port -> port.creditDrops() > 0);
        long unheard = hosts.stream().mapToLong(HostMeter::backlogsUnheard).sum();
        long repeated = hosts.stream().mapToLong(HostMeter::requestsRepeated).sum();
        List<String> problems = new ArrayList<>();
        if (unheard > 0) {
            problems.add(unheard + " backlogs were told by a repeated request only, although no frame was lost");
        }
        if (repeated > unheard && !losesCredits) {
            problems.add((repeated - unheard) + " requests were repeated although no frame was lost");
        }
        return problems;
    }

    private List<String> problems() {
        List<String> problems = new ArrayList<>();
        if (credits.framesMissing() > 0) {
            problems.add(credits.framesMissing() + " frames were not sent because no memory was left for them;"
                    + " give the world more frames");
        }
        List<Flow> failed =
                flows.stream().filter(flow -> flow.failure() != null).toList();
        failed.stream()
                .limit(PROBLEMS_MAX)
                .forEach(flow -> problems.add("flow " + flow.plan().id() + " failed: " + flow.failure()));
        if (failed.size() > PROBLEMS_MAX) {
            problems.add("and " + (failed.size() - PROBLEMS_MAX) + " more flows failed");
        }
        problems.addAll(creditsLostAtHosts());
        problems.addAll(timersNeeded());
        traffic.calls().stream()
                .filter(source -> source.failure() != null)
                .forEach(source -> problems.add("calls " + source.traffic().id() + " failed: " + source.failure()));
        traffic.messages().stream()
                .filter(source -> source.failure() != null)
                .forEach(source -> problems.add("messages " + source.traffic().id() + " failed: " + source.failure()));
        traffic.exchanges().stream()
                .filter(client -> client.failure() != null)
                .forEach(client -> problems.add("exchange " + client.exchange().id() + " failed: " + client.failure()));
        return problems;
    }
}
