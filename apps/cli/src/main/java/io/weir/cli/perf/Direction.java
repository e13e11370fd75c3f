package io.weir.cli.perf;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Which way the data of a test goes. */
enum Direction {
    /** From the client to the server. */
    @JsonProperty("forward")
    FORWARD,
    /** From the server to the client. */
    @JsonProperty("reverse")
    REVERSE,
    /** Both ways at once, over separate streams. */
    @JsonProperty("both")
    BOTH
}
