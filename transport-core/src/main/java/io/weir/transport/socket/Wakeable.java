package io.weir.transport.socket;

/** Something in whose calls threads of the application may wait. */
interface Wakeable {
    /** Makes them look whether the transport has ended. Any thread; takes no lock. */
    void wake();
}
