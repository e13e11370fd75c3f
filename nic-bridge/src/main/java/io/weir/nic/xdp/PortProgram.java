package io.weir.nic.xdp;

import io.weir.nic.Errno;
import io.weir.nic.NicException;
import io.weir.nic.bpf.BpfProgram;
import io.weir.nic.ffi.NativeMemory;
import io.weir.nic.net.InterfaceFacts;
import io.weir.nic.net.Interfaces;
import io.weir.transport.runtime.XdpMode;
import java.net.InetAddress;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The XDP program of one interface's ports: the sockets that it feeds, the addresses and UDP ports that it takes, and
 * how it is attached.
 *
 * <p>Addresses and UDP ports may be changed by any thread; everything else is the opening thread's.
 */
final class PortProgram implements AutoCloseable {
    private static final String SOCKETS = "weir_sockets";
    private static final String SKIPPED = "weir_skipped";
    private static final String STAMPS = "host_stamps";
    private static final String TIMES = "host_times";
    private static final int FLAG_GENERIC = 1 << 1;
    private static final int FLAG_NATIVE = 1 << 2;

    private final ProgramKind kind;
    private final BpfProgram program;
    /** Null for a switch's program, which has no such maps. */
    private final TakenPorts taken;
    /** The kernel's number of the attached program, or 0 before. Written once, by the opening thread. */
    private int id;
    /** Ports that are open; with the lock. */
    private int portCount = 1;
    /** What the latest look at the program's counts found; with the lock. */
    private Map<SkipReason, Long> skipped = Map.of();
    /** Datagrams that came while sockets were taken out of reach on purpose; with the lock. */
    private long withoutSocketsOnPurpose;
    /** The program's count when that began, or -1; with the lock. */
    private long withoutSocketBefore = -1;
    /** Whether the program is off its interface; written with the lock. */
    private boolean closed;

    /** How the program came to run where it runs. */
    record Attachment(XdpMode mode, String reason) {}

    private PortProgram(ProgramKind kind, BpfProgram program) {
        this.kind = kind;
        this.program = program;
        this.taken = kind == ProgramKind.HOST ? new TakenPorts(program) : null;
    }

    /**
     * What a host's program takes from the beginning; nothing for a switch's.
     *
     * @param addresses the addresses that datagrams have to be for
     * @param udpPorts the ports, of every address
     * @param takesScattered whether frames may lie in several pieces; a switch's too
     */
    record Beginning(List<InetAddress> addresses, List<Integer> udpPorts, boolean takesScattered) {}

    /** {@return the program of the given kind, not attached yet} */
    static PortProgram load(ProgramKind kind, Beginning beginning) throws NicException {
        return taking(
                beginning, new PortProgram(kind, BpfProgram.load(kind.programName(), beginning.takesScattered())));
    }

    /** {@return the program of a host that notes when each frame came, not attached yet} */
    static PortProgram loadForTimes(Beginning beginning) throws NicException {
        return taking(beginning, new PortProgram(ProgramKind.HOST, BpfProgram.load(TIMES, beginning.takesScattered())));
    }

    /** {@return the program of a host that asks the device for time stamps, not attached yet} */
    static PortProgram loadForStamps(InterfaceFacts device, Beginning beginning) throws NicException {
        return taking(
                beginning,
                new PortProgram(
                        ProgramKind.HOST,
                        BpfProgram.loadForStamps(STAMPS, device.index(), beginning.takesScattered())));
    }

    private static PortProgram taking(Beginning beginning, PortProgram loaded) throws NicException {
        if (loaded.kind != ProgramKind.HOST) {
            return loaded;
        }
        try {
            for (InetAddress address : beginning.addresses()) {
                loaded.addAddress(address);
            }
            for (int port : beginning.udpPorts()) {
                loaded.setPort(port, true);
            }
            return loaded;
        } catch (NicException e) {
            loaded.close();
            throw e;
        }
    }

    /** Feeds what comes by receive queue {@code queue} to a bound socket. */
    void setSocket(int queue, XskSocket socket) throws NicException {
        UnsafeBuffer value = NativeMemory.allocate(Integer.BYTES);
        value.putInt(0, socket.fd());
        program.update(SOCKETS, queue, value);
    }

    /** Takes datagrams for an address too, of the ports that are taken of every one. Any thread may call. */
    synchronized void addAddress(InetAddress address) throws NicException {
        requireChoice("an address");
        taken.addAddress(address);
    }

    /** Leaves every datagram for an address to the kernel again. Any thread may call. */
    synchronized void removeAddress(InetAddress address) throws NicException {
        requireChoice("an address");
        taken.removeAddress(address);
    }

    /** Takes every UDP port of every address. Any thread may call. */
    synchronized void setAllPorts() throws NicException {
        requireChoice("every UDP port");
        taken.setAll();
    }

    /** Takes a UDP port of every address, or leaves it to the kernel again. Any thread may call. */
    synchronized void setPort(int port, boolean isTaken) throws NicException {
        AfXdpConfig.requireUdpPort(port);
        requireChoice("a UDP port");
        taken.set(port, isTaken);
    }

    /** Takes a UDP port of one address, or leaves it to the kernel again. Any thread may call. */
    synchronized void setPort(InetAddress address, int port, boolean isTaken) throws NicException {
        AfXdpConfig.requireUdpPort(port);
        requireChoice("a UDP port");
        taken.set(address, port, isTaken);
    }

    private void requireChoice(String what) {
        if (kind != ProgramKind.HOST) {
            throw new IllegalStateException("a switch port takes every frame; " + what + " cannot be chosen");
        }
        if (closed) {
            throw new IllegalStateException("the port is closed");
        }
    }

    /** What may keep a program out of a driver. */
    interface Obstacles {
        /** {@return what was in the way and is not any more, in words; empty where there was nothing} */
        String clear() throws NicException;

        /** Puts back what was cleared in vain. */
        void restore();

        /** {@return what to do about the driver's refusal, to be added to it; may be empty} */
        String advice(int errno) throws NicException;
    }

    /** Attaches the program; frames come in from here on. */
    Attachment attach(InterfaceFacts device, XdpMode wanted, Obstacles obstacles) throws NicException {
        Attachment attachment = attachBy(device, wanted, obstacles);
        noteId(device);
        return attachment;
    }

    private void noteId(InterfaceFacts device) throws NicException {
        id = Interfaces.find(device.name()).xdpProgramId();
        if (kind == ProgramKind.HOST) {
            HostPrograms.add(id);
        }
    }

    private Attachment attachBy(InterfaceFacts device, XdpMode wanted, Obstacles obstacles) throws NicException {
        if (wanted == XdpMode.GENERIC) {
            return attachOnlyGeneric(device, "generic asked for");
        }
        String asked = wanted == XdpMode.AUTO ? "native tried first and accepted" : "native asked for";
        int error = -program.attach(device.index(), FLAG_NATIVE);
        if (error == 0) {
            return new Attachment(XdpMode.NATIVE, asked);
        }
        requireNotForeign(error, device);
        String cleared = obstacles.clear();
        if (!cleared.isEmpty()) {
            int again = -program.attach(device.index(), FLAG_NATIVE);
            if (again == 0) {
                return new Attachment(
                        XdpMode.NATIVE,
                        asked + " without " + cleared + ", which is off until the port closes (with it: "
                                + Errno.describe(error) + ")");
            }
            obstacles.restore();
            requireNotForeign(again, device);
            error = again;
        }
        String advice = obstacles.advice(error);
        if (wanted != XdpMode.AUTO) {
            throw new NicException(
                    error,
                    "attach the XDP program to " + device.name() + " in native mode",
                    "the driver cannot, or not with MTU " + device.mtuBytes()
                            + ": lower it, or use mode auto or generic" + advice);
        }
        return attachOnlyGeneric(device, "native refused: " + Errno.describe(error) + advice);
    }

    /** Attaches the program where every driver has it, for this reason. */
    Attachment attachGeneric(InterfaceFacts device, String reason) throws NicException {
        Attachment attachment = attachOnlyGeneric(device, reason);
        noteId(device);
        return attachment;
    }

    private Attachment attachOnlyGeneric(InterfaceFacts device, String reason) throws NicException {
        int error = -program.attach(device.index(), FLAG_GENERIC);
        if (error != 0) {
            requireNotForeign(error, device);
            throw new NicException(
                    error,
                    "attach the XDP program to " + device.name() + " in generic mode",
                    "needs CAP_NET_ADMIN and Linux 5.9 or newer");
        }
        return new Attachment(XdpMode.GENERIC, reason);
    }

    private static void requireNotForeign(int error, InterfaceFacts device) throws NicException {
        if (error == Errno.EBUSY.number() || error == Errno.EEXIST.number()) {
            throw Occupant.refusal(device.name())
                    .orElseGet(() -> new NicException("interface " + device.name()
                            + " had an XDP program of someone else a moment ago; try again"));
        }
    }

    /** {@return how many datagrams for what is taken were left to the kernel, by reason; any thread may call} */
    synchronized Map<SkipReason, Long> skipped() {
        if (closed || kind != ProgramKind.HOST) {
            return skipped;
        }
        Map<SkipReason, Long> counts = new EnumMap<>(SkipReason.class);
        for (SkipReason reason : SkipReason.values()) {
            long count = program.word(SKIPPED, reason.key());
            if (reason == SkipReason.QUEUE) {
                count = withoutSocketBefore >= 0 ? withoutSocketBefore : count;
                count -= withoutSocketsOnPurpose;
            }
            if (count > 0) {
                counts.put(reason, count);
            }
        }
        skipped = counts;
        return counts;
    }

    /** {@return datagrams for what is taken by queues without a socket, since the program was loaded} */
    synchronized long withoutSocket() {
        return closed ? 0 : program.word(SKIPPED, SkipReason.QUEUE.key());
    }

    /** Leaves what comes by these queues to the kernel, and counts it, until {@link #endWithoutSockets}. */
    synchronized void beginWithoutSockets(List<Integer> queues) {
        withoutSocketBefore = withoutSocket();
        queues.forEach(queue -> program.remove(SOCKETS, queue));
    }

    /** What comes by queues without a socket is skipped again; the sockets are to be set first. */
    synchronized void endWithoutSockets() {
        if (withoutSocketBefore >= 0) {
            withoutSocketsOnPurpose += Math.max(0, withoutSocket() - withoutSocketBefore);
            withoutSocketBefore = -1;
        }
    }

    /** Takes the attached program out of the driver and has it run behind it; where that is refused, in it again. */
    synchronized void moveToGeneric(InterfaceFacts device) throws NicException {
        int error = closed ? 0 : -program.attachAgain(device.index(), FLAG_GENERIC);
        if (error != 0) {
            program.attach(device.index(), FLAG_NATIVE);
            throw new NicException(
                    error, "attach the XDP program to " + device.name() + " in generic mode", "use backend af-packet");
        }
    }

    /** Takes the program off the interface, as another process may that has the right. */
    void detach() {
        program.detach();
    }

    /** Sets how many ports are open that it feeds: each of them will {@link #leave}. */
    synchronized void setPortCount(int count) {
        portCount = count;
    }

    /** One of its ports is about to close. With the last one no frame comes in any more. */
    synchronized void leave() {
        portCount--;
        if (portCount == 0) {
            close();
        }
    }

    /** Takes the program off the interface: no frame comes in afterwards. */
    @Override
    public synchronized void close() {
        skipped();
        closed = true;
        program.close();
        HostPrograms.remove(id);
    }
}
