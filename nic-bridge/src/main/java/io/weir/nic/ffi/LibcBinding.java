package io.weir.nic.ffi;

import jnr.ffi.LibraryLoader;
import jnr.ffi.annotations.IgnoreError;

/** Binds the C library's functions. Arguments are primitives, addresses included, so that a call allocates nothing. */
final class LibcBinding {
    static final Functions FUNCTIONS =
            LibraryLoader.create(Functions.class).failImmediately().load("c");

    /** The runtime that keeps the calling thread's last error number. */
    static final jnr.ffi.Runtime RUNTIME = jnr.ffi.Runtime.getRuntime(FUNCTIONS);

    private LibcBinding() {}

    /**
     * The functions, named as in C. Those that are variadic in C (open, ioctl, fcntl, syscall, prctl) take their
     * integer arguments in the same registers either way on Linux x86-64 and aarch64.
     *
     * <p>None has six arguments: of six integers, jnr-ffi 2.3.4 passes a wrong sixth on x86-64 in the path that it
     * compiles for primitives. Hence send instead of sendto, and mmap by way of a variadic syscall, which takes
     * another.
     */
    public interface Functions {
        /** socket(2). */
        int socket(int domain, int type, int protocol);

        /** bind(2). */
        int bind(int fd, long address, int length);

        /** listen(2). */
        int listen(int fd, int backlog);

        /** accept4(2). */
        int accept4(int fd, long address, long length, int flags);

        /** shutdown(2). */
        int shutdown(int fd, int how);

        /** socketpair(2). */
        int socketpair(int domain, int type, int protocol, long descriptors);

        /** connect(2). */
        int connect(int fd, long address, int length);

        int getsockname(int fd, long address, long lengthAddress);

        /** setsockopt(2). */
        int setsockopt(int fd, int level, int option, long value, int length);

        /** getsockopt(2). */
        int getsockopt(int fd, int level, int option, long value, long length);

        /** send(2). */
        long send(int fd, long buffer, long length, int flags);

        /** recv(2). */
        long recv(int fd, long buffer, long length, int flags);

        /** recvmsg(2). */
        long recvmsg(int fd, long message, int flags);

        /** sendmsg(2). */
        long sendmsg(int fd, long message, int flags);

        /** ppoll(2). */
        int ppoll(long descriptors, long count, long timeout, long signalMask);

        /** read(2). */
        long read(int fd, long buffer, long length);

        /** write(2). */
        long write(int fd, long buffer, long length);

        /** open(2). */
        int open(long path, int flags, int mode);

        /** close(2). */
        int close(int fd);

        /** signal(2). */
        long signal(int number, long handler);

        /** memfd_create(2). */
        int memfd_create(long name, int flags);

        /** ftruncate(2). */
        int ftruncate(int fd, long lengthBytes);

        /** lseek(2). */
        long lseek(int fd, long offset, int whence);

        /** fcntl(2). */
        int fcntl(int fd, int command, int argument);

        /** munmap(2). */
        int munmap(long address, long length);

        /** ioctl(2). */
        int ioctl(int fd, long request, long argument);

        /** syscall(2), with the three arguments that bpf(2) takes. */
        long syscall(long number, long first, long second, long third);

        /** syscall(2), with the six {@code Long}s that mmap(2) takes. */
        long syscall(long number, Object... arguments);

        /** setns(2). */
        int setns(int fd, int type);

        /** eventfd(2). */
        int eventfd(int initial, int flags);

        /** epoll_create1(2). */
        int epoll_create1(int flags);

        /** epoll_ctl(2). */
        int epoll_ctl(int epoll, int operation, int fd, long event);

        /** epoll_wait(2). */
        int epoll_wait(int epoll, long events, int count, int timeoutMillis);

        /** prctl(2). */
        int prctl(int option, long argument, long third, long fourth, long fifth);

        /** getrlimit(2). */
        int getrlimit(int resource, long limit);

        /** setrlimit(2). */
        int setrlimit(int resource, long limit);

        /** sched_getaffinity(2). */
        int sched_getaffinity(int thread, long maskBytes, long mask);

        /** sched_getcpu(3). */
        int sched_getcpu();

        /** sched_setaffinity(2). */
        int sched_setaffinity(int thread, long maskBytes, long mask);

        /** setpriority(2). */
        int setpriority(int which, int who, int priority);

        /** getpwnam(3): the address of a structure that the next call overwrites, or 0. */
        @IgnoreError
        long getpwnam(long name);

        /** getpwuid(3): likewise. */
        @IgnoreError
        long getpwuid(int user);
    }
}
