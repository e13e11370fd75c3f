package io.weir.samples.canary;

import io.weir.transport.host.HostStack;

/** Breaks every rule of {@code LayersTest}: the canary whose survival would show that a rule checks nothing. */
final class SampleRuleBreaker {
    private SampleRuleBreaker() {}

    static String breakAll(HostStack host) {
        return OtherSample.class.getName() + host.hashCode();
    }
}
