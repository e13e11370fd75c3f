package io.weir.transport.jdk;

import java.io.FileDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.InetAddress;
import java.net.SocketAddress;
import java.net.SocketImpl;
import java.net.SocketOption;
import java.util.Set;

/**
 * The kernel's sockets of this Java runtime. Their methods are for {@link java.net.Socket} alone, so the package
 * {@code java.net} must be open to this class.
 */
final class PlatformSockets {
    private static final Method CREATE_PLATFORM = method("createPlatformSocketImpl", boolean.class);
    private static final Method CREATE = method("create", boolean.class);
    private static final Method CONNECT = method("connect", SocketAddress.class, int.class);
    private static final Method BIND = method("bind", InetAddress.class, int.class);
    private static final Method LISTEN = method("listen", int.class);
    private static final Method ACCEPT = method("accept", SocketImpl.class);
    private static final Method INPUT = method("getInputStream");
    private static final Method OUTPUT = method("getOutputStream");
    private static final Method AVAILABLE = method("available");
    private static final Method CLOSE = method("close");
    private static final Method SHUTDOWN_INPUT = method("shutdownInput");
    private static final Method SHUTDOWN_OUTPUT = method("shutdownOutput");
    private static final Method SUPPORTS_URGENT = method("supportsUrgentData");
    private static final Method SEND_URGENT = method("sendUrgentData", int.class);
    private static final Method ADDRESS = method("getInetAddress");
    private static final Method PORT = method("getPort");
    private static final Method LOCAL_PORT = method("getLocalPort");
    private static final Method DESCRIPTOR = method("getFileDescriptor");
    private static final Method SET_OPTION = method("setOption", SocketOption.class, Object.class);
    private static final Method GET_OPTION = method("getOption", SocketOption.class);
    private static final Method OPTIONS = method("supportedOptions");

    private PlatformSockets() {}

    private static Method method(String name, Class<?>... parameters) {
        try {
            Method found = SocketImpl.class.getDeclaredMethod(name, parameters);
            found.setAccessible(true);
            return found;
        } catch (ReflectiveOperationException | RuntimeException e) {
            throw new LinkageError(
                    "SocketImpl." + name + " cannot be called on Java " + System.getProperty("java.version")
                            + "; is java.base/java.net open to Weir?",
                    e);
        }
    }

    private static <T> T call(Class<T> type, Method method, Object target, Object... arguments) throws IOException {
        try {
            return type.cast(method.invoke(target, arguments));
        } catch (InvocationTargetException e) {
            Throwable cause = e.getCause();
            if (cause instanceof IOException io) {
                throw io;
            }
            if (cause instanceof RuntimeException unchecked) {
                throw unchecked;
            }
            if (cause instanceof Error error) {
                throw error;
            }
            throw new IOException(cause);
        } catch (IllegalAccessException e) {
            throw new LinkageError("SocketImpl." + method.getName() + " is no longer open to Weir", e);
        }
    }

    /** {@return a socket of the kernel's that is not created yet} */
    static SocketImpl make(boolean isServer) throws IOException {
        return call(SocketImpl.class, CREATE_PLATFORM, null, isServer);
    }

    static void create(SocketImpl socket, boolean isStream) throws IOException {
        call(Object.class, CREATE, socket, isStream);
    }

    static void connect(SocketImpl socket, SocketAddress remote, int timeoutMillis) throws IOException {
        call(Object.class, CONNECT, socket, remote, timeoutMillis);
    }

    static void bind(SocketImpl socket, InetAddress local, int port) throws IOException {
        call(Object.class, BIND, socket, local, port);
    }

    static void listen(SocketImpl socket, int backlog) throws IOException {
        call(Object.class, LISTEN, socket, backlog);
    }

    static void accept(SocketImpl socket, SocketImpl accepted) throws IOException {
        call(Object.class, ACCEPT, socket, accepted);
    }

    static InputStream input(SocketImpl socket) throws IOException {
        return call(InputStream.class, INPUT, socket);
    }

    static OutputStream output(SocketImpl socket) throws IOException {
        return call(OutputStream.class, OUTPUT, socket);
    }

    static int available(SocketImpl socket) throws IOException {
        return call(Integer.class, AVAILABLE, socket);
    }

    static void close(SocketImpl socket) throws IOException {
        call(Object.class, CLOSE, socket);
    }

    static void shutdownInput(SocketImpl socket) throws IOException {
        call(Object.class, SHUTDOWN_INPUT, socket);
    }

    static void shutdownOutput(SocketImpl socket) throws IOException {
        call(Object.class, SHUTDOWN_OUTPUT, socket);
    }

    static boolean supportsUrgentData(SocketImpl socket) {
        return query(Boolean.class, SUPPORTS_URGENT, socket);
    }

    static void sendUrgentData(SocketImpl socket, int data) throws IOException {
        call(Object.class, SEND_URGENT, socket, data);
    }

    static InetAddress address(SocketImpl socket) {
        return query(InetAddress.class, ADDRESS, socket);
    }

    static int port(SocketImpl socket) {
        return query(Integer.class, PORT, socket);
    }

    static int localPort(SocketImpl socket) {
        return query(Integer.class, LOCAL_PORT, socket);
    }

    static FileDescriptor descriptor(SocketImpl socket) {
        return query(FileDescriptor.class, DESCRIPTOR, socket);
    }

    static void setOption(SocketImpl socket, SocketOption<?> option, Object value) throws IOException {
        call(Object.class, SET_OPTION, socket, option, value);
    }

    static Object getOption(SocketImpl socket, SocketOption<?> option) throws IOException {
        return call(Object.class, GET_OPTION, socket, option);
    }

    @SuppressWarnings("unchecked") // SocketImpl's own type
    static Set<SocketOption<?>> options(SocketImpl socket) {
        return query(Set.class, OPTIONS, socket);
    }

    private static <T> T query(Class<T> type, Method method, SocketImpl socket) {
        try {
            return call(type, method, socket);
        } catch (IOException e) {
            throw new IllegalStateException("SocketImpl." + method.getName() + " declares no IOException", e);
        }
    }
}
