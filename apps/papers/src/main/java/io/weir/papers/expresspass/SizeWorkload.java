package io.weir.papers.expresspass;

import io.weir.papers.Scale;
import java.util.List;

/** A workload of section 6.3 (Table 2). */
enum SizeWorkload {
    /** Small flows: 64 KB on average. */
    WEB_SERVER("Web Server", "xpass_webserver", "expresspass/fig19-web-server.yaml", "traffic[0].count=4000"),
    /** 701 KB on average. */
    CACHE_FOLLOWER(
            "Cache Follower", "xpass_cachefollower", "expresspass/fig19-cache-follower.yaml", "traffic[0].count=1000"),
    /** 1.6 MB on average. */
    WEB_SEARCH("Web Search", "xpass_websearch", "expresspass/fig19-web-search.yaml", "traffic[0].count=500"),
    /** Four of five flows are small, and a few are of hundreds of megabytes: 7.4 MB on average. */
    DATA_MINING(
            "Data Mining",
            "xpass_datamining",
            "expresspass/fig19-data-mining.yaml",
            "traffic[0].count=500 duration=100ms");

    /** The 100,000 flows of Data Mining arrive for longer than the files last. */
    private static final String DURATION_OF_FULL = "duration=60s";

    private final String title;
    private final String sizes;
    private final String file;
    private final String quickSettings;

    SizeWorkload(String title, String sizes, String file, String quickSettings) {
        this.title = title;
        this.sizes = sizes;
        this.file = file;
        this.quickSettings = quickSettings;
    }

    /** {@return what the paper calls it} */
    String title() {
        return title;
    }

    /** {@return its distribution of sizes} */
    String sizes() {
        return sizes;
    }

    /** {@return the scenario that has it at 10 Gbps and a load of 0.6} */
    String file() {
        return file;
    }

    /** {@return how many flows arrive, and how long it lasts} */
    List<String> length(Scale scale) {
        return scale == Scale.FULL ? List.of(DURATION_OF_FULL) : List.of(quickSettings.split(" "));
    }
}
