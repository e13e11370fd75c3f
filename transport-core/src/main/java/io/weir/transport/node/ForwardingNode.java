package io.weir.transport.node;

/** A Node of one port that stands in front of another, which is told of pauses. */
public abstract class ForwardingNode implements Node {
    /** {@return the Node behind this one} */
    protected abstract Node node();

    /** {@return what leaves by the port; the same object at every call} */
    protected abstract Egress egress();

    @Override
    public final Egress egress(int portIndex) {
        return egress();
    }

    @Override
    public final int portCount() {
        return 1;
    }

    @Override
    public final void onPause(long pauseNanos, long nowNanos) {
        node().onPause(pauseNanos, nowNanos);
    }

    @Override
    public final void onCaughtUp(long nowNanos) {
        node().onCaughtUp(nowNanos);
    }
}
