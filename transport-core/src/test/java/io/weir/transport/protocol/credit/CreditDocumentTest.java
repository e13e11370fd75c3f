package io.weir.transport.protocol.credit;

import io.weir.transport.protocol.TransitionTable;
import io.weir.transport.testing.Document;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that docs/protocols/expresspass.md shows the state machines of flows with credits as the code has them. */
class CreditDocumentTest {
    private static final String NAME = "docs/protocols/expresspass.md";

    private static String row(List<String> cells) {
        return "| " + String.join(" | ", cells) + " |\n";
    }

    private static String header(List<String> cells) {
        return row(cells) + "|" + "---|".repeat(cells.size()) + "\n";
    }

    private static <S extends Enum<S>, E extends Enum<E>> String matrix(
            TransitionTable<S, E> table, S[] states, E[] events) {
        List<String> head = new ArrayList<>(List.of("state"));
        Arrays.stream(events).forEach(event -> head.add(event.name()));
        StringBuilder text = new StringBuilder(header(head));
        for (S state : states) {
            List<String> cells = new ArrayList<>(List.of("**" + state + "**"));
            for (E event : events) {
                S target = table.next(state, event);
                cells.add(target == null ? "-" : target.name());
            }
            text.append(row(cells));
        }
        return text.toString();
    }

    @Test
    void senderTable_printed_isTheCode() {
        Document.requireBlock(
                NAME, "sender", matrix(CreditSender.TABLE, CreditSender.State.values(), CreditSender.Event.values()));
    }

    @Test
    void receiverTable_printed_isTheCode() {
        Document.requireBlock(
                NAME,
                "receiver",
                matrix(CreditReceiver.TABLE, CreditReceiver.State.values(), CreditReceiver.Event.values()));
    }
}
