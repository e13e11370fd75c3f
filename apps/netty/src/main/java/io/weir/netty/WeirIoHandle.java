package io.weir.netty;

import io.netty.channel.IoHandle;
import io.weir.transport.host.HostStack;

/** A channel as its event loop sees it. */
@SuppressWarnings("try") // closing is Netty's, and throws what it likes
interface WeirIoHandle extends IoHandle {
    /** Something has happened that the pipeline is to be told of. Between two cycles of the stack. */
    void onReady();

    /** {@return whether it waits for {@link #onReady} already} */
    boolean isQueued();

    /** The handler's own note of what {@link #isQueued} says. */
    void setQueued(boolean isQueued);

    /** {@return whether it may belong to a loop that runs this host: a connection cannot leave its own} */
    boolean mayBelongTo(HostStack host);
}
