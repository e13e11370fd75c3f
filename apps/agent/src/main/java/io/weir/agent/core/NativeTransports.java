package io.weir.agent.core;

import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says once when a program uses a transport that no provider of channels sees. It changes no class. */
final class NativeTransports implements ClassFileTransformer {
    private static final Logger LOG = LoggerFactory.getLogger(NativeTransports.class);

    /** Classes that are loaded when such a transport is used, and not when it is only looked for. */
    private static final Map<String, String> NAMES = Map.of(
            "io/netty/channel/epoll/EpollEventLoop", "epoll",
            "io/netty/channel/epoll/EpollIoHandler", "epoll",
            "io/netty/channel/uring/IoUringIoHandler", "io_uring",
            "io/netty/incubator/channel/uring/IOUringEventLoop", "io_uring");

    private final AtomicBoolean isTold = new AtomicBoolean();

    @Override
    public byte[] transform(
            ClassLoader loader, String className, Class<?> redefined, ProtectionDomain domain, byte[] bytes) {
        String transport = className == null ? null : NAMES.get(className);
        if (transport != null && !isTold.getAndSet(true)) {
            LOG.warn(
                    "Netty's {} transport does not use Java's channels: its connections stay TCP. "
                            + "-Dio.netty.transport.noNative=true has Netty use them",
                    transport);
        }
        return null;
    }
}
