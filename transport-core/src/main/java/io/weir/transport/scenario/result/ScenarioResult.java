package io.weir.transport.scenario.result;

import java.util.ArrayList;
import java.util.List;

/**
 * What an experiment found.
 *
 * @param scenario its name
 * @param world {@code simulation} or {@code lab}
 * @param complete whether it ran to its end; false for what was there when it was interrupted
 * @param flows every flow, in the order of their numbers
 * @param exchanges every exchange of messages
 * @param messages every traffic of messages that came at a rate
 * @param calls every traffic of calls
 * @param series what was measured in intervals, or null
 * @param ports every port of a switch
 * @param hosts every port of a host
 * @param pauses every Node that the scenario lets pause
 * @param summary the whole in a few figures
 * @param problems what makes the figures doubtful: flows that failed, frames that there was no memory for, credits lost
 *     at hosts' own meters; empty if all is well
 * @param run what it took
 */
public record ScenarioResult(
        String scenario,
        String world,
        boolean complete,
        List<FlowResult> flows,
        List<ExchangeResult> exchanges,
        List<MessagesResult> messages,
        List<CallsResult> calls,
        Series series,
        List<PortResult> ports,
        List<HostResult> hosts,
        List<PauseResult> pauses,
        Summary summary,
        List<String> problems,
        Run run) {
    public ScenarioResult {
        flows = List.copyOf(flows);
        exchanges = List.copyOf(exchanges);
        messages = List.copyOf(messages);
        calls = List.copyOf(calls);
        ports = List.copyOf(ports);
        hosts = List.copyOf(hosts);
        pauses = List.copyOf(pauses);
        problems = List.copyOf(problems);
    }

    /** {@return this result and flows that something else carried, with their goodput and problems} */
    public ScenarioResult plus(List<FlowResult> otherFlows, double otherGoodputBps, List<String> otherProblems) {
        List<FlowResult> allFlows = new ArrayList<>(flows);
        allFlows.addAll(otherFlows);
        List<String> allProblems = new ArrayList<>(problems);
        allProblems.addAll(otherProblems);
        return new ScenarioResult(
                scenario,
                world,
                complete,
                allFlows,
                exchanges,
                messages,
                calls,
                series,
                ports,
                hosts,
                pauses,
                summary.plusGoodputBps(otherGoodputBps),
                allProblems,
                run);
    }

    /**
     * What the run took.
     *
     * @param seed what its randomness came from
     * @param virtualNanos the time that passed in the experiment
     * @param wallNanos the time that passed outside
     * @param events events of the simulator, 0 in a laboratory
     * @param packetHops frames that started on a link
     * @param traceHash a hash over every frame that started on a link, its time and its place; equal for equal runs;
     *     null in a laboratory
     */
    public record Run(long seed, long virtualNanos, long wallNanos, long events, long packetHops, String traceHash) {}
}
