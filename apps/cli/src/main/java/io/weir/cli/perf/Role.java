package io.weir.cli.perf;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Which end of a test. */
enum Role {
    /** Asks for the test, and opens the connections. */
    @JsonProperty("client")
    CLIENT,
    /** Serves it. */
    @JsonProperty("server")
    SERVER
}
