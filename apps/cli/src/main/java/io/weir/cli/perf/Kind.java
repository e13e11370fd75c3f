package io.weir.cli.perf;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What a test's streams do. */
enum Kind {
    /** They send as much as they can, or as a rate allows. */
    @JsonProperty("bulk")
    BULK,
    /** They send requests, each answered with a response of the same size. */
    @JsonProperty("requestResponse")
    REQUEST_RESPONSE,
    /** They send messages of many sizes at random times, each acknowledged when all of it has come. */
    @JsonProperty("workload")
    WORKLOAD
}
