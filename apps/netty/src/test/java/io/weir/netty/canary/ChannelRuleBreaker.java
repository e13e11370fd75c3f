package io.weir.netty.canary;

import io.weir.nic.NicException;

/** Breaks every rule of {@code LayersTest}: the canary whose survival would show that a rule checks nothing. */
final class ChannelRuleBreaker {
    static int mutable;

    private ChannelRuleBreaker() {}

    static void breakAll() throws NicException {
        mutable = new Thread(Thread::yield).getPriority();
        throw new NicException("never called");
    }
}
