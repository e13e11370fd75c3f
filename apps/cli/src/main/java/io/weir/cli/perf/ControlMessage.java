package io.weir.cli.perf;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * What one end of a test says to the other.
 *
 * @param version of these messages; another one is refused
 * @param type what it is
 * @param spec the test that a request is for, else null
 * @param reason why, of a refusal or failure, else null
 * @param report what the sender of a report saw, else null
 * @param port where the server waits for a test over the kernel's TCP, else null
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record ControlMessage(int version, Type type, TestSpec spec, String reason, SideReport report, Integer port) {
    static final int VERSION = 3;

    /** What a message is. */
    enum Type {
        /** The client asks for a test. */
        @JsonProperty("request")
        REQUEST,
        /** The client asks for a port of the kernel's TCP, for one test. */
        @JsonProperty("kernel")
        KERNEL,
        /** The server waits at one. */
        @JsonProperty("port")
        PORT,
        /** The server will do it, and waits for the data connections. */
        @JsonProperty("accepted")
        ACCEPTED,
        /** The server will not. */
        @JsonProperty("refused")
        REFUSED,
        /** Every data connection is there: go. */
        @JsonProperty("start")
        START,
        /** Still here. */
        @JsonProperty("alive")
        ALIVE,
        /** All streams of this end are over, and this is what it saw. */
        @JsonProperty("report")
        REPORT,
        /** This end gives up. */
        @JsonProperty("failed")
        FAILED
    }

    static ControlMessage request(TestSpec spec) {
        return new ControlMessage(VERSION, Type.REQUEST, spec, null, null, null);
    }

    static ControlMessage of(Type type) {
        return new ControlMessage(VERSION, type, null, null, null, null);
    }

    static ControlMessage because(Type type, String reason) {
        return new ControlMessage(VERSION, type, null, reason, null, null);
    }

    static ControlMessage port(int port) {
        return new ControlMessage(VERSION, Type.PORT, null, null, null, port);
    }

    static ControlMessage report(SideReport report) {
        return new ControlMessage(VERSION, Type.REPORT, null, null, report, null);
    }
}
