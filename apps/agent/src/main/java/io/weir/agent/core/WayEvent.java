package io.weir.agent.core;

import io.weir.transport.fallback.Explanation;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** Which way a connection or listener went, for Java Flight Recorder. */
@Name("io.weir.Way")
@Label("Way of a connection")
@Category("Weir")
@Description("Which way a connection or listener went, what was tried first, and why that failed")
@StackTrace(false)
final class WayEvent extends Event {
    @Label("Outcome")
    String outcome;

    @Label("Address")
    String address;

    @Label("Text")
    String text;

    @Label("Elapsed")
    @Timespan(Timespan.NANOSECONDS)
    long elapsedNanos;

    private WayEvent() {}

    /** Records what has been decided, where somebody records it. */
    static void record(Explanation explanation) {
        WayEvent event = new WayEvent();
        if (event.shouldCommit()) {
            event.outcome = explanation.outcome().toString();
            event.address = explanation.address();
            event.text = explanation.text();
            event.elapsedNanos = explanation.elapsedNanos();
            event.commit();
        }
    }
}
