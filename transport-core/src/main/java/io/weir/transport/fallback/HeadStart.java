package io.weir.transport.fallback;

/** Does something later, on a separate thread or in virtual time. */
@FunctionalInterface
interface HeadStart {
    /** {@return what takes it back, unless it has begun} */
    Runnable after(long nanos, Runnable work);
}
