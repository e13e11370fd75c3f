package io.weir.transport.nio;

import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.AbstractSelectionKey;
import java.util.concurrent.atomic.AtomicBoolean;

/** A channel at a selector: of Weir's readiness, and by a hidden key of the kernel's selector of TCP's. */
final class DualKey extends AbstractSelectionKey {
    private final DualSelector selector;
    private final SelectableChannel channel;
    /** Null for a channel of the kernel's alone. */
    private final DualChannel dual;
    /** Whether it stands in the selector's list of keys to look at. */
    private final AtomicBoolean isQueued = new AtomicBoolean();

    private volatile int interestOps;
    private volatile int readyOps;
    /** Null while the kernel need not be asked; written with this object's lock. */
    private SelectionKey kernelKey;
    /** Whether the selector counts it as one with a connection of Weir's; written with this object's lock. */
    private boolean isCounted;

    DualKey(DualSelector selector, SelectableChannel channel) {
        this.selector = selector;
        this.channel = channel;
        this.dual = channel instanceof DualChannel own ? own : null;
    }

    @Override
    public SelectableChannel channel() {
        return channel;
    }

    @Override
    public Selector selector() {
        return selector;
    }

    private void requireValid() {
        if (!isValid()) {
            throw new CancelledKeyException();
        }
    }

    @Override
    public int interestOps() {
        requireValid();
        return interestOps;
    }

    @Override
    public SelectionKey interestOps(int ops) {
        requireValid();
        if ((ops & ~channel.validOps()) != 0) {
            throw new IllegalArgumentException(
                    "ops=" + ops + " are not all valid for this channel, whose are " + channel.validOps());
        }
        interestOps = ops;
        askKernel();
        if (dual != null) {
            enqueue();
        }
        return this;
    }

    @Override
    public int readyOps() {
        requireValid();
        return readyOps;
    }

    int readyNow() {
        return readyOps;
    }

    void setReady(int ops) {
        readyOps = ops;
    }

    /** {@return what Weir is ready for and somebody is interested in} The selecting thread. */
    int weirReadyOps() {
        int interest = interestOps;
        return dual == null || interest == 0 ? 0 : dual.readyOps(interest) & interest;
    }

    /** {@return what is ready and somebody is interested in, after the kernel's selector found {@code ops}} */
    int kernelReadyOps(int ops) {
        return dual == null ? ops & interestOps : dual.onKernelReady(ops, interestOps);
    }

    /** The channel's state has changed, or may be ready. Any thread. */
    void signal() {
        askKernel();
        enqueue();
        selector.wakeIfAsleep();
    }

    /** Has the selector look at it in its next turn. */
    void enqueue() {
        if (!isQueued.getPlain() && isQueued.compareAndSet(false, true)) {
            selector.look(this);
        }
    }

    /** The selector looks at it now: what comes later is another turn's. */
    void leaveQueue() {
        isQueued.set(false);
    }

    /** Has the kernel's selector look for what TCP is to tell now. */
    void askKernel() {
        synchronized (this) {
            SelectableChannel kernelChannel = dual == null ? channel : dual.kernelChannel();
            int ops = dual == null ? interestOps : dual.kernelOps(interestOps);
            if (dual != null && !isCounted && dual.isWeir()) {
                isCounted = true;
                selector.countWeir(1);
            }
            try {
                if (kernelKey != null) {
                    if (kernelKey.isValid() && kernelKey.interestOps() != ops) {
                        kernelKey.interestOps(ops);
                    }
                } else if (kernelChannel != null && isValid() && (dual == null || ops != 0)) {
                    kernelKey = kernelChannel.register(selector.kernel(), ops, this);
                }
            } catch (ClosedChannelException | CancelledKeyException | IllegalBlockingModeException e) {
                // Closed meanwhile, or made blocking by an application that has cancelled this key.
            }
        }
    }

    /** Takes it from the kernel's selector. */
    void leaveKernel() {
        synchronized (this) {
            if (kernelKey != null) {
                kernelKey.cancel();
                kernelKey = null;
            }
            if (isCounted) {
                isCounted = false;
                selector.countWeir(-1);
            }
        }
    }
}
