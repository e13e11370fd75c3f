package io.weir.cli.perf;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What a test's streams do. */
enum Kind {
    /** They send as much as they can, or as a rate allows. */
    @JsonProperty("bulk")
    BULK,
    /** They send a request, wait for a response of the same size, and begin again. */
    @JsonProperty("requestResponse")
    REQUEST_RESPONSE
}
