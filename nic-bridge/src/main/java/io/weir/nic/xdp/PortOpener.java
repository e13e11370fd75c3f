package io.weir.nic.xdp;

import io.weir.nic.Errno;
import io.weir.nic.NicException;
import io.weir.nic.ffi.Libc;
import io.weir.nic.ffi.Platform;
import io.weir.nic.net.Capabilities;
import io.weir.nic.net.InterfaceFacts;
import io.weir.nic.net.Interfaces;
import io.weir.nic.net.NetNamespace;
import io.weir.transport.frame.FramePool;
import io.weir.transport.node.PortInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Opens one port: checks everything, then changes things in an order in which no frame is lost or goes astray. Sockets
 * have frames to receive into before they are bound, and are bound before the program that feeds them is attached.
 */
final class PortOpener {
    /** What the kernel keeps free before a received frame. */
    private static final int HEADROOM_BYTES = 256;
    /** The Ethernet header and one VLAN tag. */
    private static final int FRAMING_BYTES = 18;

    private static final String VETH = "veth";

    private final AfXdpConfig config;
    private final Umem umem;
    private final Consumer<AfXdpPort> onClosed;
    private final List<PortSocket> sockets = new ArrayList<>();
    private PortProgram program;
    private StampPlan plan;
    private int pollFd = -1;

    PortOpener(AfXdpConfig config, Umem umem, Consumer<AfXdpPort> onClosed) {
        this.config = config;
        this.umem = umem;
        this.onClosed = onClosed;
    }

    /** {@return the largest MTU whose frames fit a slot} */
    static int mtuBytesMax(int slotBytes) {
        return slotBytes - HEADROOM_BYTES - FRAMING_BYTES;
    }

    AfXdpPort open() throws NicException {
        Platform.require();
        return NetNamespace.of(config.namespace()).call(this::openHere);
    }

    private AfXdpPort openHere() throws NicException {
        Capabilities.requireForXdp();
        InterfaceFacts device = Interfaces.find(config.interfaceName());
        List<Integer> queues = queues(device);
        check(device, queues);
        boolean opened = false;
        try {
            AfXdpPort port = change(device, queues);
            opened = true;
            return port;
        } finally {
            if (!opened) {
                undo();
            }
        }
    }

    private List<Integer> queues(InterfaceFacts device) {
        return config.queues().isEmpty()
                ? IntStream.range(0, device.receiveQueueCount()).boxed().collect(Collectors.toList())
                : config.queues();
    }

    private void check(InterfaceFacts device, List<Integer> queues) throws NicException {
        String name = device.name();
        FramePool pool = umem.pool();
        if (!device.up()) {
            throw new NicException("interface " + name + " is down; set it up: ip link set " + name + " up");
        }
        int mtuBytesMax = mtuBytesMax(pool.frameCapacityBytes());
        if (device.mtuBytes() > mtuBytesMax) {
            throw new NicException("MTU " + device.mtuBytes() + " of " + name + " exceeds " + mtuBytesMax
                    + ", the most that fits a slot of " + pool.frameCapacityBytes() + " bytes after " + HEADROOM_BYTES
                    + " of headroom and " + FRAMING_BYTES + " of framing; lower it (ip link set " + name + " mtu "
                    + mtuBytesMax + ")" + (pool.frameCapacityBytes() < 4096 ? " or use slots of 4096 bytes" : ""));
        }
        for (int queue : queues) {
            if (queue >= device.receiveQueueCount()) {
                throw new NicException("queue " + queue + " of " + name + " does not exist; it has "
                        + device.receiveQueueCount() + ", numbered from 0; see: ethtool -l " + name);
            }
        }
        if (device.xdpProgramId() != 0) {
            throw Occupant.refusal(name, device.xdpProgramId());
        }
        long framesNeeded = (long) config.ringSizes().fillFrames() * queues.size();
        if (pool.available() < framesNeeded) {
            throw new NicException("the pool has " + pool.available() + " free frames of " + pool.frameCount() + "; "
                    + name + " needs " + framesNeeded + " (ringSizes.fillFrames="
                    + config.ringSizes().fillFrames()
                    + " for each of " + queues.size() + " queues) to receive into; make the pool larger or the ring"
                    + " smaller");
        }
    }

    private AfXdpPort change(InterfaceFacts device, List<Integer> queues) throws NicException {
        loadProgram(device);
        DeviceStamps stamps = newStamps();
        Umem.Binding binding = null;
        for (int queue : queues) {
            PortSocket socket = PortSocket.open(config, umem, stamps);
            sockets.add(socket);
            if (device.driver().equals(VETH)) {
                socket.socket().limitFramesOnVeth();
            }
            Umem.Binding bound = umem.bind(socket.socket(), device, queue, config, plan.transmit());
            binding = binding == null ? bound : binding;
            program.setSocket(queue, socket.socket());
        }
        pollFd = pollDescriptor();
        PortProgram.Attachment attachment = attach(device, queues);
        if (attachment.mode() == XdpMode.GENERIC && binding.zeroCopy()) {
            throw new NicException("the driver of " + device.name() + " took a zero-copy socket but not the program ("
                    + attachment.reason() + "); use mode generic or forceCopy");
        }
        return new AfXdpPort(info(device, attachment, binding), sockets, program, stamps, pollFd, onClosed);
    }

    private DeviceStamps newStamps() {
        if (!plan.stampsArrivals()) {
            return null;
        }
        return plan.asksDevice() ? DeviceStamps.byDevice(plan.transmit()) : DeviceStamps.byKernel(System::nanoTime);
    }

    private void loadProgram(InterfaceFacts device) throws NicException {
        plan = StampPlan.of(config, device);
        loadPlanned(device);
    }

    /**
     * The program that the plan asks for; where the kernel refuses it, that of the next best plan. The plain one must
     * do.
     */
    private void loadPlanned(InterfaceFacts device) throws NicException {
        PortProgram.Beginning beginning = new PortProgram.Beginning(config.addressesOn(device), config.udpPorts());
        while (plan.stampsArrivals()) {
            try {
                program = plan.asksDevice()
                        ? PortProgram.loadForStamps(device, beginning)
                        : PortProgram.loadForTimes(beginning);
                return;
            } catch (NicException e) {
                if (config.stamps() == StampMode.HARDWARE) {
                    throw e;
                }
                plan = plan.withoutSource(e.getMessage());
            }
        }
        program = PortProgram.load(config.program(), beginning);
    }

    /**
     * A program that asks the device runs in the driver or nowhere; where the driver does not take it, the next best
     * goes on.
     */
    private PortProgram.Attachment attach(InterfaceFacts device, List<Integer> queues) throws NicException {
        try {
            return program.attach(device, config.mode());
        } catch (NicException e) {
            if (!plan.asksDevice() || config.stamps() == StampMode.HARDWARE) {
                throw e;
            }
            plan = plan.withoutSource(e.getMessage());
        }
        program.close();
        loadPlanned(device);
        for (int i = 0; i < queues.size(); i++) {
            program.setSocket(queues.get(i), sockets.get(i).socket());
        }
        return program.attach(device, config.mode());
    }

    /** One socket polls for itself; several poll together through an epoll descriptor. */
    private int pollDescriptor() throws NicException {
        if (sockets.size() == 1) {
            return -1;
        }
        int epoll = Libc.epollCreate();
        int result = epoll;
        for (int i = 0; i < sockets.size() && result >= 0; i++) {
            result = Libc.epollAdd(epoll, sockets.get(i).socket().fd());
        }
        if (result < 0) {
            if (epoll >= 0) {
                Libc.close(epoll);
            }
            throw new NicException(-result, "poll several queues at once", "raise the limit of open files (ulimit -n)");
        }
        return epoll;
    }

    private void undo() {
        if (program != null) {
            program.close();
        }
        sockets.forEach(PortSocket::close);
        if (pollFd >= 0) {
            Libc.close(pollFd);
        }
    }

    private PortInfo info(InterfaceFacts device, PortProgram.Attachment attachment, Umem.Binding binding) {
        String where = attachment.mode() == XdpMode.NATIVE ? "native" : "generic";
        String how = binding.zeroCopy() ? "zero-copy" : "copy";
        return new PortInfo(
                device.name(),
                "afxdp",
                where + "/" + how,
                attachment.reason() + "; " + copyReason(device, attachment, binding),
                plan.sources(),
                device.macAddress(),
                device.mtuBytes(),
                device.linkRateBps());
    }

    private String copyReason(InterfaceFacts device, PortProgram.Attachment attachment, Umem.Binding binding) {
        if (binding.zeroCopy()) {
            return "zero-copy tried first and accepted";
        }
        if (config.forceCopy()) {
            return "copying asked for";
        }
        if (attachment.mode() == XdpMode.GENERIC) {
            return "the generic path always copies";
        }
        String driver = device.driver().isEmpty() ? "this driver" : "driver " + device.driver();
        return binding.sharedWith() == null
                ? "zero-copy refused by " + driver + ": " + Errno.describe(Errno.EOPNOTSUPP.number())
                : "copying, as " + binding.sharedWith() + " does, with which it shares its memory";
    }
}
