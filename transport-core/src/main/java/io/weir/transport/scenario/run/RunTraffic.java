package io.weir.transport.scenario.run;

import java.util.List;
import java.util.stream.Stream;

/**
 * What crosses the network in a run.
 *
 * @param flows the flows, in the order of their numbers
 * @param exchanges rounds of requests and responses
 * @param messages messages at a rate
 * @param calls calls of connections that each ask by themselves
 */
record RunTraffic(
        List<Flow> flows, List<ExchangeClient> exchanges, List<MessageSource> messages, List<CallSource> calls) {
    /** {@return what has arrived of each exchange, traffic of messages and traffic of calls} */
    Stream<ByteTally> conversations() {
        return Stream.of(
                        exchanges.stream().map(ExchangeClient::received),
                        messages.stream().map(MessageSource::received),
                        calls.stream().map(CallSource::received))
                .flatMap(received -> received);
    }
}
