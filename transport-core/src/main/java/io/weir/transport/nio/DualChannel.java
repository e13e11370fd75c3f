package io.weir.transport.nio;

import java.nio.channels.SelectableChannel;

/** What a selector asks a channel that is Weir's, the kernel's, or may become either. */
interface DualChannel {
    /** {@return what Weir is ready for} It takes nothing. */
    int readyOps(int interestOps);

    /** {@return whether it has a connection of Weir's} */
    boolean isWeir();

    /** {@return the kernel's channel, or null where there is none} */
    SelectableChannel kernelChannel();

    /** {@return what the kernel is to be asked for, for these interests} */
    int kernelOps(int interestOps);

    /** {@return what is ready of these interests, after the kernel found {@code ops}} */
    int onKernelReady(int ops, int interestOps);

    /** From now on this key is told of changes. */
    void addKey(DualKey key);

    /** No longer. */
    void removeKey(DualKey key);
}
