package io.weir.transport.testing;

/** How much of the heap is reachable, for programs in their own virtual machine. */
@SuppressWarnings("RedundantGC")
public final class LiveHeap {
    private LiveHeap() {}

    /** {@return bytes of the heap in use after a collection} */
    public static long bytes() {
        System.gc();
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
