package io.weir.cli.perf;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Locale;

/** Which end of a test. */
enum Role {
    /** Asks for the test, and opens the connections. */
    @JsonProperty("client")
    CLIENT,
    /** Serves it. */
    @JsonProperty("server")
    SERVER;

    /** {@return it in messages} */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
