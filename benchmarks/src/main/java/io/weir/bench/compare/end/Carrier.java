package io.weir.bench.compare.end;

/** What carries the bytes between two processes. */
public enum Carrier {
    /** The kernel's TCP. */
    KERNEL_TCP,
    /** A selector and channels of the Java runtime, as programs without Weir have them. */
    JAVA_CHANNELS,
    /** Sockets of java.net, as programs without Weir have them. */
    JAVA_SOCKETS,
    /** The kernel's TCP by epoll, in C. */
    KERNEL_EPOLL,
    /** The kernel's UDP: what is lost is lost. */
    KERNEL_UDP,
    /** Weir with handlers. */
    WEIR,
    /** Weir with blocking sockets. */
    WEIR_SOCKETS,
    /** Weir behind the sockets of java.net. */
    WEIR_JDK_SOCKETS,
    /** Weir beneath Netty. */
    WEIR_NETTY,
    /** Weir beneath gRPC. */
    WEIR_GRPC,
    /** Weir over a link in memory. */
    WEIR_MEMORY,
    /** Netty over epoll. */
    NETTY,
    /** gRPC over epoll. */
    GRPC,
    /** Aeron over UDP. */
    AERON_UDP,
    /** Aeron between processes of one machine. */
    AERON_IPC
}
