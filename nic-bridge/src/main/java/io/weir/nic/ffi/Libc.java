package io.weir.nic.ffi;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The system calls that Weir makes. Each returns what the kernel returned: a value, or minus the error number
 * ({@link io.weir.nic.Errno}). About 130 ns a call, nothing allocated by those that take primitives alone.
 */
public final class Libc {
    /** {@code AF_UNIX}. */
    public static final int AF_UNIX = 1;

    /** {@code AF_INET}. */
    public static final int AF_INET = 2;

    /** {@code AF_INET6}. */
    public static final int AF_INET6 = 10;

    /** {@code AF_NETLINK}. */
    public static final int AF_NETLINK = 16;

    /** {@code AF_PACKET}. */
    public static final int AF_PACKET = 17;

    /** {@code AF_XDP}. */
    public static final int AF_XDP = 44;

    /** {@code SOCK_STREAM}. */
    public static final int SOCK_STREAM = 1;

    /** {@code SOCK_DGRAM}. */
    public static final int SOCK_DGRAM = 2;

    /** {@code SOCK_RAW}. */
    public static final int SOCK_RAW = 3;

    /** {@code SOCK_SEQPACKET}: a connection that keeps messages apart. */
    public static final int SOCK_SEQPACKET = 5;

    /** {@code SOCK_CLOEXEC}: a child process must not inherit the socket, or its interface's queue stays taken. */
    public static final int SOCK_CLOEXEC = 0x80000;

    /** {@code SOL_SOCKET}. */
    public static final int SOL_SOCKET = 1;

    /** {@code SOL_PACKET}. */
    public static final int SOL_PACKET = 263;

    /** {@code MSG_DONTWAIT}. */
    public static final int MSG_DONTWAIT = 0x40;

    /** {@code MSG_NOSIGNAL}: a peer that reads no more is an error, not a signal. */
    public static final int MSG_NOSIGNAL = 0x4000;

    /** {@code MSG_CMSG_CLOEXEC}: descriptors that come with a message are not inherited by child processes. */
    public static final int MSG_CMSG_CLOEXEC = 0x40000000;

    /** {@code MSG_ERRQUEUE}: what the network has answered instead of a peer. */
    public static final int MSG_ERRQUEUE = 0x2000;

    /** {@code O_RDONLY | O_CLOEXEC}. */
    public static final int O_RDONLY_CLOEXEC = 0x80000;

    private static final int MEMFD_CLOEXEC_ALLOW_SEALING = 3;
    private static final int F_ADD_SEALS = 1033;
    private static final int F_GET_SEALS = 1034;
    /** {@code F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW}. */
    private static final int SIZE_SEALS = 7;

    private static final long SIG_DFL = 0;
    private static final long SIG_ERR = -1;
    private static final int F_GETFL = 3;
    private static final int F_SETFL = 4;
    private static final int O_NONBLOCK = 0x800;
    private static final int SEEK_END = 2;
    private static final int SHUT_RDWR = 2;
    /** Where {@code struct passwd} has the number of the user, behind the addresses of name and password. */
    private static final int PASSWD_UID = 16;

    private static final int NAME_BYTES_MAX = 256;
    private static final int SO_ATTACH_FILTER = 26;
    private static final int FILTER_INSTRUCTION_BYTES = 8;
    private static final int PROT_READ_WRITE = 3;
    private static final int MAP_SHARED = 1;
    private static final int MAP_SHARED_POPULATE = 0x8001;
    private static final int NONBLOCK_CLOEXEC = 0x80800;
    private static final int CLONE_NEWNET = 0x40000000;
    private static final int PR_GET_SECCOMP = 21;
    private static final int PR_SET_TIMERSLACK = 29;
    private static final int RLIMIT_MEMLOCK = 8;
    private static final long RLIM_INFINITY = -1;
    private static final int EPOLL_CTL_ADD = 1;
    private static final int EPOLL_CTL_DEL = 2;
    private static final int EPOLLIN = 1;
    private static final int PRIO_PROCESS = 0;
    private static final int EPOLL_EVENT_BYTES = 16;

    private static final LibcBinding.Functions C = LibcBinding.FUNCTIONS;

    private Libc() {}

    /** socket(2), never inherited by child processes. */
    public static int socket(int domain, int type, int protocol) {
        return result(C.socket(domain, type | SOCK_CLOEXEC, protocol));
    }

    /** close(2). */
    public static int close(int fd) {
        return result(C.close(fd));
    }

    /** signal(2) with SIG_DFL: the system does what it does by default when the signal comes. Returns 0, or -1. */
    public static int resetSignal(int number) {
        return C.signal(number, SIG_DFL) == SIG_ERR ? -1 : 0;
    }

    /** bind(2). */
    public static int bind(int fd, UnsafeBuffer address) {
        try {
            return result(C.bind(fd, address.addressOffset(), address.capacity()));
        } finally {
            Reference.reachabilityFence(address);
        }
    }

    /** connect(2). */
    public static int connect(int fd, UnsafeBuffer address) {
        try {
            return result(C.connect(fd, address.addressOffset(), address.capacity()));
        } finally {
            Reference.reachabilityFence(address);
        }
    }

    /** getsockname(2) into {@code address}. */
    public static int getsockname(int fd, UnsafeBuffer address) {
        UnsafeBuffer length = intValue(address.capacity());
        try {
            return result(C.getsockname(fd, address.addressOffset(), length.addressOffset()));
        } finally {
            Reference.reachabilityFence(address);
            Reference.reachabilityFence(length);
        }
    }

    /** listen(2). */
    public static int listen(int fd, int backlog) {
        return result(C.listen(fd, backlog));
    }

    /** accept4(2), never inherited by child processes. */
    public static int accept(int fd) {
        return result(C.accept4(fd, 0, 0, SOCK_CLOEXEC));
    }

    /** fcntl(2): calls for this descriptor return in place of waiting. */
    public static int setNonBlocking(int fd) {
        int flags = result(C.fcntl(fd, F_GETFL, 0));
        return flags < 0 ? flags : result(C.fcntl(fd, F_SETFL, flags | O_NONBLOCK));
    }

    /** shutdown(2), both ways: a thread that waits for the socket is told. */
    public static int shutdown(int fd) {
        return result(C.shutdown(fd, SHUT_RDWR));
    }

    /** socketpair(2): two connected stream sockets, whose descriptors are written to {@code descriptors}. */
    public static int socketpair(UnsafeBuffer descriptors) {
        try {
            return result(C.socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, descriptors.addressOffset()));
        } finally {
            Reference.reachabilityFence(descriptors);
        }
    }

    /** setsockopt(2). */
    public static int setsockopt(int fd, int level, int option, UnsafeBuffer value) {
        try {
            return result(C.setsockopt(fd, level, option, value.addressOffset(), value.capacity()));
        } finally {
            Reference.reachabilityFence(value);
        }
    }

    /** setsockopt(2) with an {@code int}. */
    public static int setsockopt(int fd, int level, int option, int value) {
        return setsockopt(fd, level, option, intValue(value));
    }

    /** {@return memory that holds an {@code int}, for what is passed to the kernel again and again} */
    public static UnsafeBuffer intValue(int value) {
        UnsafeBuffer buffer = NativeMemory.allocate(Integer.BYTES);
        buffer.putInt(0, value);
        return buffer;
    }

    /**
     * setsockopt(2) with SO_ATTACH_FILTER: from now on the socket takes only what this classic BPF program returns more
     * than 0 for. {@code instructions} are of eight bytes each: code, two jump offsets, operand.
     */
    public static int attachFilter(int fd, UnsafeBuffer instructions) {
        try {
            return attachFilterProgram(fd, filterProgram(instructions));
        } finally {
            Reference.reachabilityFence(instructions);
        }
    }

    /** {@return what {@link #attachFilterProgram} attaches: it holds the address of the instructions and not them} */
    public static UnsafeBuffer filterProgram(UnsafeBuffer instructions) {
        UnsafeBuffer program = NativeMemory.allocate(2 * Long.BYTES);
        program.putShort(0, (short) (instructions.capacity() / FILTER_INSTRUCTION_BYTES));
        program.putLong(Long.BYTES, instructions.addressOffset());
        return program;
    }

    /** As {@link #attachFilter}, with a program made before, whose instructions the caller keeps reachable. */
    public static int attachFilterProgram(int fd, UnsafeBuffer program) {
        return setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, program);
    }

    /** getsockopt(2), but returns how many bytes of {@code value} the kernel wrote. */
    public static int getsockopt(int fd, int level, int option, UnsafeBuffer value) {
        return getsockopt(fd, level, option, value, NativeMemory.allocate(Integer.BYTES));
    }

    /** The same with memory for the length that the caller keeps, so that nothing is allocated. */
    public static int getsockopt(int fd, int level, int option, UnsafeBuffer value, UnsafeBuffer length) {
        length.putInt(0, value.capacity());
        try {
            int result = result(C.getsockopt(fd, level, option, value.addressOffset(), length.addressOffset()));
            return result < 0 ? result : length.getInt(0);
        } finally {
            Reference.reachabilityFence(value);
            Reference.reachabilityFence(length);
        }
    }

    /** send(2) of the first {@code lengthBytes} of {@code buffer}, to a connected peer or the kernel. */
    public static int send(int fd, UnsafeBuffer buffer, int lengthBytes, int flags) {
        try {
            return (int) result(C.send(fd, buffer.addressOffset(), lengthBytes, flags));
        } finally {
            Reference.reachabilityFence(buffer);
        }
    }

    /** recv(2) into {@code buffer}. */
    public static int receive(int fd, UnsafeBuffer buffer, int flags) {
        try {
            return (int) result(C.recv(fd, buffer.addressOffset(), buffer.capacity(), flags));
        } finally {
            Reference.reachabilityFence(buffer);
        }
    }

    /** recvmsg(2) with a {@code msghdr}. Buffers whose addresses stand in it must be kept reachable by the caller. */
    public static int receiveMessage(int fd, UnsafeBuffer message, int flags) {
        try {
            return (int) result(C.recvmsg(fd, message.addressOffset(), flags));
        } finally {
            Reference.reachabilityFence(message);
        }
    }

    /** sendmsg(2) with a {@code msghdr}. Buffers whose addresses stand in it must be kept reachable by the caller. */
    public static int sendMessage(int fd, UnsafeBuffer message, int flags) {
        try {
            return (int) result(C.sendmsg(fd, message.addressOffset(), flags));
        } finally {
            Reference.reachabilityFence(message);
        }
    }

    /**
     * An empty send(2): asks the kernel to transmit what is in the ring of an AF_XDP or AF_PACKET socket. Never blocks.
     */
    public static int kickTransmit(int fd) {
        return (int) result(C.send(fd, 0, 0, MSG_DONTWAIT));
    }

    /** An empty recv(2): asks the kernel to look at an AF_XDP socket's fill ring. Never blocks. */
    public static int kickReceive(int fd) {
        return (int) result(C.recv(fd, 0, 0, MSG_DONTWAIT));
    }

    /** ppoll(2) on {@code count} structures {@code pollfd} at an address, with the {@code timespec} at another. */
    public static int ppoll(long pollfdsAddress, int count, long timespecAddress) {
        return result(C.ppoll(pollfdsAddress, count, timespecAddress, 0));
    }

    /** read(2) of eight bytes to an address. */
    public static int readLong(int fd, long address) {
        return (int) result(C.read(fd, address, Long.BYTES));
    }

    /** write(2) of the eight bytes at an address. */
    public static int writeLong(int fd, long address) {
        return (int) result(C.write(fd, address, Long.BYTES));
    }

    /** open(2). */
    public static int open(String path, int flags) {
        UnsafeBuffer text = NativeMemory.text(path);
        try {
            return result(C.open(text.addressOffset(), flags, 0));
        } finally {
            Reference.reachabilityFence(text);
        }
    }

    /** mmap(2), shared and populated at once. */
    public static long mmap(int fd, long lengthBytes, long offset) {
        return mmap(fd, lengthBytes, MAP_SHARED_POPULATE, offset);
    }

    /** mmap(2), shared; each page is made when it is first touched. */
    public static long mmapUnpopulated(int fd, long lengthBytes) {
        return mmap(fd, lengthBytes, MAP_SHARED, 0);
    }

    private static long mmap(int fd, long lengthBytes, int flags, long offset) {
        Object[] arguments = {
            0L, lengthBytes, (long) PROT_READ_WRITE, (long) flags, (long) fd, offset,
        };
        return result(C.syscall(Platform.mmapCallNumber(), arguments));
    }

    /**
     * memfd_create(2): memory of {@code lengthBytes} that other processes can map too, and that none can make shorter,
     * which would end every process that touches the rest.
     */
    public static int memfd(String name, long lengthBytes) {
        UnsafeBuffer text = NativeMemory.text(name);
        int fd;
        try {
            fd = result(C.memfd_create(text.addressOffset(), MEMFD_CLOEXEC_ALLOW_SEALING));
        } finally {
            Reference.reachabilityFence(text);
        }
        if (fd < 0) {
            return fd;
        }
        int result = result(C.ftruncate(fd, lengthBytes));
        if (result >= 0) {
            result = result(C.fcntl(fd, F_ADD_SEALS, SIZE_SEALS));
        }
        if (result < 0) {
            close(fd);
            return result;
        }
        return fd;
    }

    /** {@return whether memory of {@link #memfd} has this length, and keeps it} */
    public static boolean isSealed(int fd, long lengthBytes) {
        int seals = result(C.fcntl(fd, F_GET_SEALS, 0));
        return seals >= 0 && (seals & SIZE_SEALS) == SIZE_SEALS && lengthBytes(fd) == lengthBytes;
    }

    /** lseek(2) to the end: the length of a file or of shared memory. */
    public static long lengthBytes(int fd) {
        return result(C.lseek(fd, 0, SEEK_END));
    }

    /** munmap(2). */
    public static int munmap(long address, long lengthBytes) {
        return result(C.munmap(address, lengthBytes));
    }

    /** ioctl(2) with a structure. */
    public static int ioctl(int fd, int request, UnsafeBuffer argument) {
        try {
            return result(C.ioctl(fd, request, argument.addressOffset()));
        } finally {
            Reference.reachabilityFence(argument);
        }
    }

    /** bpf(2). Buffers whose addresses stand in {@code attributes} must be kept reachable by the caller. */
    public static int bpf(int command, UnsafeBuffer attributes) {
        long address = attributes.addressOffset();
        try {
            return (int) result(C.syscall(Platform.bpfCallNumber(), command, address, attributes.capacity()));
        } finally {
            Reference.reachabilityFence(attributes);
        }
    }

    /** setns(2): moves the calling thread into the network namespace that {@code fd} refers to. */
    public static int setNetworkNamespace(int fd) {
        return result(C.setns(fd, CLONE_NEWNET));
    }

    /** eventfd(2), non-blocking. */
    public static int eventfd() {
        return result(C.eventfd(0, NONBLOCK_CLOEXEC));
    }

    /** epoll_create1(2). */
    public static int epollCreate() {
        return result(C.epoll_create1(SOCK_CLOEXEC));
    }

    /** epoll_ctl(2): adds {@code fd} to {@code epoll}, so that this polls readable when that does. */
    public static int epollAdd(int epoll, int fd) {
        // The structure is packed on x86-64 only; the events lie at 0 either way and the data is not used.
        UnsafeBuffer event = NativeMemory.allocate(16);
        event.putInt(0, EPOLLIN);
        try {
            return result(C.epoll_ctl(epoll, EPOLL_CTL_ADD, fd, event.addressOffset()));
        } finally {
            Reference.reachabilityFence(event);
        }
    }

    /**
     * epoll_ctl(2): adds {@code fd} to {@code epoll} for errors alone; {@link #epollNext} gives it. {@code event} has
     * 16 bytes and is written to.
     */
    public static int epollAddForErrors(int epoll, int fd, UnsafeBuffer event) {
        event.putInt(0, 0);
        event.putInt(Platform.epollDataOffset(), fd);
        try {
            return result(C.epoll_ctl(epoll, EPOLL_CTL_ADD, fd, event.addressOffset()));
        } finally {
            Reference.reachabilityFence(event);
        }
    }

    /** epoll_ctl(2): adds {@code fd} to {@code epoll} for reading; {@link #epollNext} gives it. */
    public static int epollAddReadable(int epoll, int fd) {
        UnsafeBuffer event = NativeMemory.allocate(EPOLL_EVENT_BYTES);
        event.putInt(0, EPOLLIN);
        event.putInt(Platform.epollDataOffset(), fd);
        try {
            return result(C.epoll_ctl(epoll, EPOLL_CTL_ADD, fd, event.addressOffset()));
        } finally {
            Reference.reachabilityFence(event);
        }
    }

    /** epoll_ctl(2): {@code epoll} leaves {@code fd} alone from now on. */
    public static int epollRemove(int epoll, int fd) {
        return result(C.epoll_ctl(epoll, EPOLL_CTL_DEL, fd, 0));
    }

    /** {@return a descriptor that is ready, or -1} It does not wait. {@code event} has 16 bytes and is written to. */
    public static int epollNext(int epoll, UnsafeBuffer event) {
        try {
            int count = result(C.epoll_wait(epoll, event.addressOffset(), 1, 0));
            return count == 1 ? event.getInt(Platform.epollDataOffset()) : -1;
        } finally {
            Reference.reachabilityFence(event);
        }
    }

    /** {@return the number of a user of this host, or -1 for none of that name} Not for several threads at once. */
    public static int userNumber(String name) {
        UnsafeBuffer text = NativeMemory.text(name);
        try {
            long entry = C.getpwnam(text.addressOffset());
            return entry == 0 ? -1 : new UnsafeBuffer(entry, PASSWD_UID + Integer.BYTES).getInt(PASSWD_UID);
        } finally {
            Reference.reachabilityFence(text);
        }
    }

    /** {@return the name of a user of this host, or its number where it has none} Not for several threads at once. */
    public static String userName(int user) {
        long entry = C.getpwuid(user);
        if (entry == 0) {
            return Integer.toString(user);
        }
        long name = new UnsafeBuffer(entry, Long.BYTES).getLong(0);
        return NativeMemory.textAt(new UnsafeBuffer(name, NAME_BYTES_MAX), 0, NAME_BYTES_MAX);
    }

    /** prctl(2): lets the calling thread's timeouts end when they are due instead of up to 50 microseconds later. */
    public static int setExactTimeouts() {
        return result(C.prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0));
    }

    /**
     * {@return whether a filter decides which system calls the calling thread may make, as in a container, by prctl(2),
     * which it may refuse too}
     */
    public static boolean hasSyscallFilter() {
        return result(C.prctl(PR_GET_SECCOMP, 0, 0, 0, 0)) != 0;
    }

    /**
     * setrlimit(2): takes away the limit of locked memory, as CAP_SYS_RESOURCE may; without it, raises the soft limit
     * to the hard one.
     */
    public static int raiseLockedMemoryLimit() {
        UnsafeBuffer limit = NativeMemory.allocate(2 * Long.BYTES);
        try {
            limit.putLong(0, RLIM_INFINITY);
            limit.putLong(Long.BYTES, RLIM_INFINITY);
            if (result(C.setrlimit(RLIMIT_MEMLOCK, limit.addressOffset())) == 0) {
                return 0;
            }
            int result = result(C.getrlimit(RLIMIT_MEMLOCK, limit.addressOffset()));
            if (result < 0) {
                return result;
            }
            limit.putLong(0, limit.getLong(Long.BYTES));
            return result(C.setrlimit(RLIMIT_MEMLOCK, limit.addressOffset()));
        } finally {
            Reference.reachabilityFence(limit);
        }
    }

    /** {@return the soft limit of locked memory in bytes, or -1 where there is none} */
    public static long lockedMemoryLimitBytes() {
        UnsafeBuffer limit = NativeMemory.allocate(2 * Long.BYTES);
        try {
            int result = result(C.getrlimit(RLIMIT_MEMLOCK, limit.addressOffset()));
            return result < 0 ? RLIM_INFINITY : limit.getLong(0);
        } finally {
            Reference.reachabilityFence(limit);
        }
    }

    /** sched_setaffinity(2): keeps the calling thread on the CPUs whose bits are set in {@code mask}. */
    public static int setAffinity(UnsafeBuffer mask) {
        try {
            return result(C.sched_setaffinity(0, mask.capacity(), mask.addressOffset()));
        } finally {
            Reference.reachabilityFence(mask);
        }
    }

    /** sched_getaffinity(2): sets the bits of the CPUs that the calling thread may run on. */
    public static int affinity(UnsafeBuffer mask) {
        try {
            return result(C.sched_getaffinity(0, mask.capacity(), mask.addressOffset()));
        } finally {
            Reference.reachabilityFence(mask);
        }
    }

    /** sched_getcpu(3): the CPU that the calling thread runs on. */
    public static int cpu() {
        return result(C.sched_getcpu());
    }

    /** sched_setattr(2) of the calling thread, with a structure {@code sched_attr} that tells its size. */
    public static int schedSetAttributes(UnsafeBuffer attributes) {
        try {
            return (int)
                    result(C.syscall(Platform.schedSetAttributesCallNumber(), 0, NativeMemory.address(attributes), 0));
        } finally {
            Reference.reachabilityFence(attributes);
        }
    }

    /** sched_getattr(2) of a thread, or of the calling one for 0, into a structure {@code sched_attr}. */
    public static int schedGetAttributes(int thread, UnsafeBuffer attributes) {
        Object[] arguments = {
            (long) thread, NativeMemory.address(attributes), (long) attributes.capacity(), 0L,
        };
        try {
            return result((int) C.syscall(Platform.schedGetAttributesCallNumber(), arguments));
        } finally {
            Reference.reachabilityFence(attributes);
        }
    }

    /** setpriority(2): the nice value of one thread. */
    public static int setNice(int thread, int nice) {
        return result(C.setpriority(PRIO_PROCESS, thread, nice));
    }

    /** sched_setaffinity(2): pins the calling thread to one core of the first 64. */
    public static int pinThread(int coreIndex) {
        UnsafeBuffer mask = NativeMemory.allocate(Long.BYTES);
        mask.putLong(0, 1L << coreIndex);
        try {
            return result(C.sched_setaffinity(0, mask.capacity(), mask.addressOffset()));
        } finally {
            Reference.reachabilityFence(mask);
        }
    }

    /** {@return the address at which the memory of a direct buffer begins} */
    public static long addressOf(ByteBuffer memory) {
        return new UnsafeBuffer(memory).addressOffset();
    }

    private static int result(int result) {
        return result == -1 ? -lastError() : result;
    }

    private static long result(long result) {
        return result == -1 ? -lastError() : result;
    }

    private static int lastError() {
        return LibcBinding.RUNTIME.getLastError();
    }
}
