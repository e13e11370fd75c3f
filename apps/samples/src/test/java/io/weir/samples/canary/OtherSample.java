package io.weir.samples.canary;

/** What {@link SampleRuleBreaker} must not know. */
final class OtherSample {
    private OtherSample() {}
}
