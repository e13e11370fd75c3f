package io.weir.nic.xdp;

import io.weir.nic.Errno;
import io.weir.nic.NicException;
import io.weir.nic.bpf.BpfProgram;
import io.weir.nic.ffi.NativeMemory;
import io.weir.nic.net.InterfaceFacts;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The XDP program of one port: the sockets that it feeds, the UDP ports that it takes, and how it is attached.
 *
 * <p>The set of UDP ports may be changed by any thread; everything else is the opening thread's.
 */
final class PortProgram implements AutoCloseable {
    private static final String SOCKETS = "weir_sockets";
    private static final String PORTS = "weir_ports";
    private static final String STAMPS = "host_stamps";
    private static final String TIMES = "host_times";
    private static final int FLAG_GENERIC = 1 << 1;
    private static final int FLAG_NATIVE = 1 << 2;

    private final ProgramKind kind;
    private final BpfProgram program;
    private final long[] portBits = new long[(AfXdpConfig.UDP_PORT_MAX + 1) / Long.SIZE];
    private boolean closed;

    /** How the program came to run where it runs. */
    record Attachment(XdpMode mode, String reason) {}

    private PortProgram(ProgramKind kind, BpfProgram program) {
        this.kind = kind;
        this.program = program;
    }

    /** {@return the program of the given kind, taking {@code udpPorts}, not attached yet} */
    static PortProgram load(ProgramKind kind, List<Integer> udpPorts) throws NicException {
        return taking(udpPorts, new PortProgram(kind, BpfProgram.load(kind.programName())));
    }

    /** {@return the program of a host that notes when each frame came, taking {@code udpPorts}, not attached yet} */
    static PortProgram loadForTimes(List<Integer> udpPorts) throws NicException {
        return taking(udpPorts, new PortProgram(ProgramKind.HOST, BpfProgram.load(TIMES)));
    }

    /** {@return the program of a host that asks the device for time stamps, taking {@code udpPorts}, not attached yet} */
    static PortProgram loadForStamps(InterfaceFacts device, List<Integer> udpPorts) throws NicException {
        return taking(udpPorts, new PortProgram(ProgramKind.HOST, BpfProgram.loadForStamps(STAMPS, device.index())));
    }

    private static PortProgram taking(List<Integer> udpPorts, PortProgram loaded) throws NicException {
        try {
            for (int port : udpPorts) {
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

    /** Takes every UDP port. Any thread may call. */
    synchronized void setAllPorts() throws NicException {
        requireChoice("every UDP port");
        for (int word = 0; word < portBits.length; word++) {
            setPorts(word, -1L);
        }
    }

    /** Takes a UDP port, or leaves it to the kernel again. Any thread may call. */
    synchronized void setPort(int port, boolean taken) throws NicException {
        AfXdpConfig.requireUdpPort(port);
        requireChoice("UDP port " + port);
        int word = port / Long.SIZE;
        long bit = 1L << port;
        setPorts(word, taken ? portBits[word] | bit : portBits[word] & ~bit);
    }

    private void requireChoice(String what) {
        if (kind != ProgramKind.HOST) {
            throw new IllegalStateException("a switch port takes every frame; " + what + " cannot be chosen");
        }
        if (closed) {
            throw new IllegalStateException("the port is closed");
        }
    }

    private void setPorts(int word, long bits) throws NicException {
        UnsafeBuffer value = NativeMemory.allocate(Long.BYTES);
        value.putLong(0, bits);
        program.update(PORTS, word, value);
        portBits[word] = bits;
    }

    /** Attaches the program; frames come in from here on. */
    Attachment attach(InterfaceFacts device, XdpMode wanted) throws NicException {
        if (wanted == XdpMode.GENERIC) {
            attachOnly(device, FLAG_GENERIC, "generic");
            return new Attachment(XdpMode.GENERIC, "generic asked for");
        }
        if (wanted == XdpMode.NATIVE) {
            attachOnly(device, FLAG_NATIVE, "native");
            return new Attachment(XdpMode.NATIVE, "native asked for");
        }
        int nativeError = -program.attach(device.index(), FLAG_NATIVE);
        if (nativeError == 0) {
            return new Attachment(XdpMode.NATIVE, "native tried first and accepted");
        }
        requireNotForeign(nativeError, device);
        attachOnly(device, FLAG_GENERIC, "generic");
        return new Attachment(XdpMode.GENERIC, "native refused: " + Errno.describe(nativeError));
    }

    private void attachOnly(InterfaceFacts device, int flags, String mode) throws NicException {
        int error = -program.attach(device.index(), flags);
        if (error == 0) {
            return;
        }
        requireNotForeign(error, device);
        String remedy = flags == FLAG_NATIVE
                ? "the driver cannot, or not with MTU " + device.mtuBytes() + ": lower it, or use mode auto or generic"
                : "needs CAP_NET_ADMIN and Linux 5.9 or newer";
        throw new NicException(error, "attach the XDP program to " + device.name() + " in " + mode + " mode", remedy);
    }

    private static void requireNotForeign(int error, InterfaceFacts device) throws NicException {
        if (error == Errno.EBUSY.number() || error == Errno.EEXIST.number()) {
            throw Occupant.refusal(device.name())
                    .orElseGet(() -> new NicException("interface " + device.name()
                            + " had an XDP program of someone else a moment ago; try again"));
        }
    }

    /** Takes the program off the interface: no frame comes in afterwards. */
    @Override
    public synchronized void close() {
        closed = true;
        program.close();
    }
}
