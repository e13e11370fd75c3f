package io.weir.nic.xdp;

import io.weir.nic.Errno;
import io.weir.nic.NicException;
import io.weir.nic.net.InterfaceFacts;
import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FrameOwner;
import io.weir.transport.frame.FramePool;
import io.weir.transport.runtime.XdpMode;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A frame pool as the kernel knows it: registered once and shared by the sockets of all ports that use it, whatever
 * their interfaces and namespaces, and the record of which port the frames that are not here were lent to.
 *
 * <p>Design notes: a socket that shares a UMEM takes over the sharer's flags, so only sockets that ask for the same
 * ones share. When there is no such sibling, or none whose interface still exists, the pool's memory is registered once
 * more: the kernel allows that, pages then count twice towards the limit of locked memory and nothing else changes.
 */
final class Umem {
    private static final long BIND_NANOS_MAX = TimeUnit.SECONDS.toNanos(3);
    private static final long BIND_RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private final FramePool pool;
    private final Chunks chunks;
    private final short[] holders;
    private final BitSet holdersInUse = new BitSet();
    private final List<Member> members = new ArrayList<>();

    /** A bound socket that others may share with. */
    private record Member(XskSocket socket, int flags, boolean hasStamps, String interfaceName, boolean zeroCopy) {}

    /**
     * How a socket came to its UMEM.
     *
     * @param zeroCopy whether the driver moves frames without copying
     * @param sharedWith the interface whose socket it shares with, or null when it registered the memory itself
     * @param zeroCopyErrno the error with which the kernel refused zero-copy, or 0 where it was not asked for
     */
    record Binding(boolean zeroCopy, String sharedWith, int zeroCopyErrno) {
        /** {@return why a socket on an interface of this driver (empty: unknown) copies} */
        String copyReason(String driver) {
            if (sharedWith != null) {
                return "copying, as " + sharedWith + " does, with which it shares its memory";
            }
            return "zero-copy refused by " + (driver.isEmpty() ? "this driver" : "driver " + driver) + ": "
                    + Errno.describe(zeroCopyErrno);
        }
    }

    Umem(FramePool pool) {
        this.pool = pool;
        this.chunks = Chunks.of(pool.frameCapacityBytes());
        this.holders = new short[pool.frameCount()];
    }

    FramePool pool() {
        return pool;
    }

    /** {@return how the pool's slots lie in what the kernel knows} */
    Chunks chunks() {
        return chunks;
    }

    /** {@return who has each frame that is lent, by its index; for the queue that {@link #join} numbered} */
    short[] holders() {
        return holders;
    }

    /** {@return a number for a queue, under which it records what it is lent} */
    short join() {
        int holder = holdersInUse.nextClearBit(1);
        holdersInUse.set(holder);
        return (short) holder;
    }

    /** Takes back every frame lent to {@code holder}, whose socket is closed, also those that the kernel kept. */
    void leave(short holder) {
        for (int i = 0; i < holders.length; i++) {
            Frame frame = pool.frame(i);
            FrameOwner owner = frame.owner();
            if (holders[i] == holder && (owner == FrameOwner.FILL || owner == FrameOwner.TRANSMIT)) {
                pool.release(frame, owner);
            }
        }
        holdersInUse.clear(holder);
    }

    /**
     * Binds a socket to a queue, waiting while a closing socket still holds it.
     *
     * @param hasStamps whether frames that it transmits may ask for their stamps: such a socket shares with others of
     *     its kind only
     */
    Binding bind(XskSocket socket, InterfaceFacts device, int queue, AfXdpConfig config, boolean hasStamps)
            throws NicException {
        int flags = (config.needWakeup() ? XskSocket.BIND_NEED_WAKEUP : 0)
                | (config.forceCopy() || config.mode() == XdpMode.GENERIC ? XskSocket.BIND_COPY : 0)
                | (chunks.areScattered() ? XskSocket.BIND_SCATTER : 0);
        Binding binding = bindToSibling(socket, device, queue, flags, hasStamps);
        if (binding == null) {
            socket.registerUmem(pool, chunks.chunkBytes(), hasStamps ? DeviceStamps.TRANSMIT_METADATA_BYTES : 0);
            binding = bindAlone(socket, device, queue, flags);
        }
        if (config.mode() == XdpMode.ZERO_COPY && !binding.zeroCopy()) {
            throw new NicException("mode zero-copy was asked for, and queue " + queue + " of " + device.name()
                    + " does without: " + binding.copyReason(device.driver()) + "; use mode auto or native");
        }
        members.add(new Member(socket, flags, hasStamps, device.name(), binding.zeroCopy()));
        return binding;
    }

    /**
     * Binds a socket that has memory registered. A kernel that is not told which of both copies where zero-copy is
     * refused, and keeps the reason to itself: so zero-copy is asked for by name first.
     */
    private static Binding bindAlone(XskSocket socket, InterfaceFacts device, int queue, int flags)
            throws NicException {
        boolean isCopying = (flags & XskSocket.BIND_COPY) != 0;
        int zeroCopy =
                isCopying ? 0 : awaitFree(() -> socket.bind(device.index(), queue, flags | XskSocket.BIND_ZERO_COPY));
        boolean isBound = !isCopying && zeroCopy == 0;
        int result = isBound || zeroCopy == -Errno.EBUSY.number()
                ? zeroCopy
                : awaitFree(() -> socket.bind(device.index(), queue, flags));
        if (result < 0) {
            throw refused(-result, device.name(), queue);
        }
        return new Binding(socket.isZeroCopy(), null, -zeroCopy);
    }

    /** Forgets a socket that is about to be closed. */
    void forget(XskSocket socket) {
        members.removeIf(member -> member.socket() == socket);
    }

    private Binding bindToSibling(XskSocket socket, InterfaceFacts device, int queue, int flags, boolean hasStamps)
            throws NicException {
        for (Member member : members) {
            if (member.flags() != flags || member.hasStamps() != hasStamps) {
                continue;
            }
            int result = awaitFree(() -> socket.bindShared(device.index(), queue, member.socket()));
            if (result == 0) {
                return new Binding(socket.isZeroCopy(), member.interfaceName(), 0);
            }
            // EBADF: the sibling's interface is gone. EOPNOTSUPP, EINVAL: this device cannot do what the sibling's
            // does.
            boolean unfit = result == -Errno.EBADF.number()
                    || result == -Errno.EOPNOTSUPP.number()
                    || result == -Errno.EINVAL.number();
            if (!unfit) {
                throw refused(-result, device.name(), queue);
            }
        }
        return null;
    }

    /** One attempt at binding. */
    private interface Attempt {
        int bind();
    }

    /** The kernel frees a closed socket's queue only later, 50 to 80 milliseconds as a rule: EBUSY until then. */
    private static int awaitFree(Attempt attempt) {
        long startNanos = System.nanoTime();
        int result = attempt.bind();
        while (result == -Errno.EBUSY.number() && System.nanoTime() - startNanos < BIND_NANOS_MAX) {
            LockSupport.parkNanos(BIND_RETRY_NANOS);
            result = attempt.bind();
        }
        return result;
    }

    private static NicException refused(int errno, String interfaceName, int queue) {
        String attempt = "bind an AF_XDP socket to queue " + queue + " of " + interfaceName;
        if (errno == Errno.EBUSY.number()) {
            Optional<NicException> occupied = Occupant.refusal(interfaceName);
            if (occupied.isPresent()) {
                return occupied.get();
            }
            return new NicException(
                    errno,
                    attempt,
                    "queue " + queue + " of " + interfaceName + " is in use by another AF_XDP socket, also after "
                            + TimeUnit.NANOSECONDS.toMillis(BIND_NANOS_MAX)
                            + " ms; see: ss --xdp -p; close it or choose another queue");
        }
        if (errno == Errno.ENETDOWN.number()) {
            return new NicException(
                    errno, attempt, "the interface is down; set it up: ip link set " + interfaceName + " up");
        }
        if (errno == Errno.ENODEV.number()) {
            return new NicException(errno, attempt, "the interface was deleted just now");
        }
        return new NicException(errno, attempt, "does queue " + queue + " exist? See: ethtool -l " + interfaceName);
    }
}
