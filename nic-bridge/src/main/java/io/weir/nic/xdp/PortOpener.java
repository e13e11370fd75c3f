package io.weir.nic.xdp;

import io.weir.nic.Errno;
import io.weir.nic.NicException;
import io.weir.nic.ffi.Libc;
import io.weir.nic.ffi.Platform;
import io.weir.nic.net.Capabilities;
import io.weir.nic.net.DriverFeatures;
import io.weir.nic.net.Ethtool;
import io.weir.nic.net.InterfaceFacts;
import io.weir.nic.net.Interfaces;
import io.weir.nic.net.KernelVersion;
import io.weir.nic.net.NetNamespace;
import io.weir.transport.frame.FramePool;
import io.weir.transport.node.ConfigException;
import io.weir.transport.node.PortInfo;
import io.weir.transport.runtime.XdpMode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Opens one port, or several that share an interface's queues: checks everything, then changes things in an order in
 * which no frame is lost or goes astray. Sockets have frames to receive into before they are bound, and are bound
 * before the program that feeds them is attached.
 */
final class PortOpener {
    /** With larger frames polling in bulk was slower than the kernel's own way. */
    private static final int POLLED_MTU_BYTES_MAX = 1500;

    /** Its rings follow the queues and the pool once these are known; written by the opening thread. */
    private AfXdpConfig config;

    /** The memory of each port. */
    private final List<Umem> umems;

    private final Consumer<AfXdpPort> onClosed;
    /** Says of a driver why its zero-copy is not to be tried, or null. */
    private final UnaryOperator<String> unsafeZeroCopy;
    /** Says of a driver why it is not to run the program, or null. */
    private final UnaryOperator<String> unsafeNative;
    /** One for each queue, in the order of the queues. */
    private final List<PortSocket> sockets = new ArrayList<>();
    /** What each port polls for several queues by, or -1. */
    private final List<Integer> pollFds = new ArrayList<>();

    /** What runs on the interface; null before it does. Set once. */
    private PortProgram program;
    /** Where stamps come from; null before that is known. Set once. */
    private StampPlan plan;
    /** Why the program cannot run in the driver, or null where nothing is known against it. */
    private String nativeProblem;
    /** Why zero-copy is not tried, or null where it is, or is not wanted. */
    private String zeroCopyProblem;
    /** What is turned off for the port; null before the interface was looked at. */
    private PortOffloads offloads;
    /** What the port's description says of the interface besides. */
    private String remarks = "";

    PortOpener(AfXdpConfig config, List<Umem> umems, Consumer<AfXdpPort> onClosed) {
        this(
                config,
                umems,
                onClosed,
                driver -> UnsafeZeroCopy.problem(driver, KernelVersion.running()),
                UnsafeNative::problem);
    }

    /** With what else is known against drivers. */
    PortOpener(
            AfXdpConfig config,
            List<Umem> umems,
            Consumer<AfXdpPort> onClosed,
            UnaryOperator<String> unsafeZeroCopy,
            UnaryOperator<String> unsafeNative) {
        this.config = config;
        this.umems = umems;
        this.onClosed = onClosed;
        this.unsafeZeroCopy = unsafeZeroCopy;
        this.unsafeNative = unsafeNative;
    }

    /** {@return a port for each of the pools} */
    List<AfXdpPort> open() throws NicException {
        Platform.require();
        return NetNamespace.of(config.namespace()).call(this::openHere);
    }

    private List<AfXdpPort> openHere() throws NicException {
        Capabilities.requireForXdp();
        InterfaceFacts device = Interfaces.findEthernet(config.interfaceName());
        List<Integer> queues = queues(device);
        check(device, queues);
        boolean opened = false;
        try {
            List<AfXdpPort> ports = change(device, queues);
            opened = true;
            return ports;
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
        FramePool pool = umems.get(0).pool();
        if (!device.up()) {
            throw new NicException(
                    Errno.ENETDOWN, "interface " + name + " is down; set it up: ip link set " + name + " up");
        }
        JoinedDevices.requireNone(device, Interfaces.membersOf(device.index()));
        Chunks.requireFit(device, pool.frameCapacityBytes());
        checkScatter(device);
        for (int queue : queues) {
            if (queue >= device.receiveQueueCount()) {
                throw new NicException("queue " + queue + " of " + name + " does not exist; it has "
                        + device.receiveQueueCount() + ", numbered from 0; see: ethtool -l " + name);
            }
        }
        checkQueueCount(device, queues);
        if (device.xdpProgramId() != 0) {
            throw Occupant.refusal(name, device.xdpProgramId());
        }
        chooseCopying(device);
        int queuesEachMax = (queues.size() + umems.size() - 1) / umems.size();
        try {
            config = config.withRingSizes(FramePlan.rings(queuesEachMax, pool.available(), config.ringSizes()));
        } catch (ConfigException e) {
            throw new NicException("the pool has " + pool.available() + " free frames of " + pool.frameCount() + " for "
                    + name + ": " + e.getMessage());
        }
    }

    private void chooseCopying(InterfaceFacts device) {
        boolean mayBeZeroCopy =
                !config.forceCopy() && config.mode() != XdpMode.GENERIC && config.mode() != XdpMode.ZERO_COPY;
        zeroCopyProblem = mayBeZeroCopy ? unsafeZeroCopy.apply(device.driver()) : null;
        if (nativeProblem == null) {
            nativeProblem = unsafeNative.apply(device.driver());
        }
        // Behind the driver there is no zero-copy.
        boolean isGeneric = nativeProblem != null && config.mode() == XdpMode.AUTO;
        if (zeroCopyProblem != null || isGeneric) {
            config = config.copying();
        }
    }

    /** Each port needs a queue to receive by and one to transmit by. */
    private void checkQueueCount(InterfaceFacts device, List<Integer> queues) throws NicException {
        String name = device.name();
        int count = umems.size();
        String remedy = "; ask for at most that many, or give the interface more at every end: ethtool -L " + name
                + " combined " + count + " (or rx " + count + " tx " + count + ")";
        if (count > queues.size()) {
            throw new NicException(
                    "queueCount=" + count + " exceeds the " + queues.size() + " receive queues of " + name + remedy);
        }
        int transmitCount = Ethtool.transmitQueueCount(name);
        for (int i = 0; i < count; i++) {
            if (transmitCount > 0 && queues.get(i) >= transmitCount) {
                throw new NicException("queue " + queues.get(i) + " of " + name + " cannot transmit: it has "
                        + transmitCount + " transmit queues, numbered from 0" + remedy);
            }
        }
    }

    /** Frames of large MTUs are several descriptors: refuses them where the kernel or the driver has no such. */
    private void checkScatter(InterfaceFacts device) throws NicException {
        if (!umems.get(0).chunks().areScattered()) {
            return;
        }
        String lower = "lower it: ip link set " + device.name() + " mtu " + Chunks.PAGE_MTU_BYTES_MAX;
        if (!XskSocket.knowsScatter()) {
            throw new NicException("slots of " + umems.get(0).pool().frameCapacityBytes() + " bytes, as MTU "
                    + device.mtuBytes() + " of " + device.name() + " may need, are beyond one page, and this kernel's"
                    + " AF_XDP has frames in several pieces only from Linux 6.6 on; where the MTU is above "
                    + Chunks.PAGE_MTU_BYTES_MAX + ", " + lower);
        }
        if (device.mtuBytes() <= Chunks.PAGE_MTU_BYTES_MAX) {
            return;
        }
        DriverFeatures features = DriverFeatures.of(device.index());
        if (features.scatter() || !features.problem().isEmpty()) {
            return;
        }
        nativeProblem = "MTU " + device.mtuBytes() + " of " + device.name() + " exceeds " + Chunks.PAGE_MTU_BYTES_MAX
                + ", the most that " + (device.driver().isEmpty() ? "its driver" : "driver " + device.driver())
                + " can hand to an XDP program (it has no frames in several pieces)";
        if (config.mode() != XdpMode.AUTO && config.mode() != XdpMode.GENERIC) {
            throw new NicException(nativeProblem + "; use mode auto or generic, or " + lower);
        }
    }

    private List<AfXdpPort> change(InterfaceFacts device, List<Integer> queues) throws NicException {
        prepareDevice(device);
        loadProgram(device);
        List<DeviceStamps> stamps = new ArrayList<>();
        Umem.Binding binding = openPlanned(device, queues, stamps);
        for (int i = 0; i < umems.size(); i++) {
            pollFds.add(pollDescriptor(socketsOf(i), binding.zeroCopy()));
        }
        PortProgram.Attachment attachment = attach(device, queues);
        if (attachment.mode() == XdpMode.GENERIC && binding.zeroCopy()) {
            throw new NicException("the driver of " + device.name() + " took a zero-copy socket but not the program ("
                    + attachment.reason() + "); use mode generic or forceCopy");
        }
        String link = device.running() && !device.isVeth() ? new LinkReturn().await(() -> isRunning(device)) : "";
        PortInfo info = info(device, attachment, binding, link + beginPolling(device, attachment));
        program.setPortCount(umems.size());
        Consumer<AfXdpPort> closing = closing();
        List<AfXdpPort> ports = new ArrayList<>();
        for (int i = 0; i < umems.size(); i++) {
            AfXdpPort port = new AfXdpPort(info, socketsOf(i), program, stamps.get(i), pollFds.get(i), closing);
            port.setCopyFallback(
                    new CopyFallback(config, device, umems.get(i), program, plan, stamps.get(i), queuesOf(queues, i)));
            ports.add(port);
        }
        // What queues without a socket count would otherwise be of others too.
        if (umems.size() == 1 && config.queues().isEmpty() && config.program() == ProgramKind.HOST) {
            ports.get(0)
                    .setArrivalProbe(new ArrivalProbe(NetNamespace.of(config.namespace()), device, program, queues));
        }
        return ports;
    }

    private void prepareDevice(InterfaceFacts device) throws NicException {
        offloads = PortOffloads.of(NetNamespace.of(config.namespace()), device);
        // What a veth receives is as its other end sends it.
        if (!device.isVeth()) {
            remarks += offloads.keepTags(config.program(), Interfaces.vlansOf(device.index()));
        }
        if (device.linkRateBps() == 0 && config.program() == ProgramKind.HOST) {
            remarks += "; the driver does not tell the link's rate: state it (--link-rate, linkRateBps)";
        }
    }

    /** {@return what happens at a port's end: with the last one the device is as it was} */
    private Consumer<AfXdpPort> closing() {
        AtomicInteger open = new AtomicInteger(umems.size());
        PortOffloads changed = offloads;
        return port -> {
            if (open.decrementAndGet() == 0) {
                changed.close();
            }
            onClosed.accept(port);
        };
    }

    /**
     * Opens and binds a socket for each queue. A kernel that does not take memory with room for stamps of departures
     * (6.8 to 6.10 know them by another flag) gets it without, as with the program.
     */
    private Umem.Binding openPlanned(InterfaceFacts device, List<Integer> queues, List<DeviceStamps> stamps)
            throws NicException {
        umems.forEach(umem -> stamps.add(newStamps()));
        try {
            return openSockets(device, queues, stamps);
        } catch (NicException e) {
            if (!plan.transmit() || !e.is(Errno.EINVAL) || config.stamps() == StampMode.HARDWARE) {
                throw e;
            }
            plan = plan.withoutTransmit(e.getMessage());
        }
        sockets.forEach(PortSocket::close);
        sockets.clear();
        stamps.clear();
        umems.forEach(umem -> stamps.add(newStamps()));
        return openSockets(device, queues, stamps);
    }

    private Umem.Binding openSockets(InterfaceFacts device, List<Integer> queues, List<DeviceStamps> stamps)
            throws NicException {
        Umem.Binding first = null;
        for (int i = 0; i < queues.size(); i++) {
            int queue = queues.get(i);
            Umem umem = umems.get(i % umems.size());
            PortSocket socket = PortSocket.open(config, umem, stamps.get(i % umems.size()));
            sockets.add(socket);
            if (device.isVeth()) {
                socket.socket().limitFramesOnVeth();
            }
            Umem.Binding bound = umem.bind(socket.socket(), device, queue, config, plan.transmit());
            first = first == null ? bound : first;
            if (bound.zeroCopy()) {
                socket.queue().setZeroCopy();
            } else {
                socket.queue().adaptFillLevel();
            }
            program.setSocket(queue, socket.socket());
        }
        return first;
    }

    /** Lets the port's thread run the receive work where it pays, and returns what the port's description says. */
    private String beginPolling(InterfaceFacts device, PortProgram.Attachment attachment) {
        boolean isForBulk = config.busyPoll().when() == BusyPoll.When.BULK
                && config.program() == ProgramKind.HOST
                && device.isVeth()
                && attachment.mode() == XdpMode.NATIVE
                && device.receiveQueueCount() == 1
                && device.mtuBytes() <= POLLED_MTU_BYTES_MAX;
        if (!isForBulk) {
            return "";
        }
        try {
            sockets.get(0).queue().setPoller(BusyPoller.open(device, config.busyPoll()));
            return "; busy polling while traffic is bulk";
        } catch (NicException e) {
            return "; no busy polling: " + e.getMessage();
        }
    }

    private static boolean isRunning(InterfaceFacts device) throws NicException {
        // One that was deleted meanwhile is told of by what follows the interface.
        return Interfaces.lookUp(device.index()).map(InterfaceFacts::running).orElse(true);
    }

    private List<PortSocket> socketsOf(int portIndex) {
        List<PortSocket> found = new ArrayList<>();
        for (int i = portIndex; i < sockets.size(); i += umems.size()) {
            found.add(sockets.get(i));
        }
        return found;
    }

    private List<Integer> queuesOf(List<Integer> queues, int portIndex) {
        List<Integer> found = new ArrayList<>();
        for (int i = portIndex; i < queues.size(); i += umems.size()) {
            found.add(queues.get(i));
        }
        return found;
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
        PortProgram.Beginning beginning =
                new PortProgram.Beginning(config.addressesOn(device), config.udpPorts(), takesScattered(device));
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

    /** A veth asks for such a program where the other end's MTU is large, whatever its own. */
    private boolean takesScattered(InterfaceFacts device) throws NicException {
        return umems.get(0).chunks().areScattered() || (device.isVeth() && XskSocket.knowsScatter());
    }

    /**
     * A program that asks the device runs in the driver or nowhere; where the driver does not take it, the next best
     * goes on.
     */
    private PortProgram.Attachment attach(InterfaceFacts device, List<Integer> queues) throws NicException {
        try {
            return attachProgram(device);
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
        return attachProgram(device);
    }

    private PortProgram.Attachment attachProgram(InterfaceFacts device) throws NicException {
        return nativeProblem == null || config.mode() != XdpMode.AUTO
                ? program.attach(device, config.mode(), new DriverObstacles(device, offloads))
                : program.attachGeneric(device, nativeProblem);
    }

    /**
     * One socket polls for itself; several poll together through an epoll descriptor, and so does one that may be
     * replaced.
     */
    private static int pollDescriptor(List<PortSocket> polled, boolean isReplaceable) throws NicException {
        if (polled.size() == 1 && !isReplaceable) {
            return -1;
        }
        int epoll = Libc.epollCreate();
        int result = epoll;
        for (int i = 0; i < polled.size() && result >= 0; i++) {
            result = Libc.epollAdd(epoll, polled.get(i).socket().fd());
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
        if (offloads != null) {
            offloads.close();
        }
        pollFds.stream().filter(fd -> fd >= 0).forEach(Libc::close);
    }

    private PortInfo info(InterfaceFacts device, PortProgram.Attachment attachment, Umem.Binding binding, String more) {
        String where = attachment.mode() == XdpMode.NATIVE ? "native" : "generic";
        String how = binding.zeroCopy() ? "zero-copy" : "copy";
        return new PortInfo(
                        device.name(),
                        "afxdp",
                        where + "/" + how,
                        attachment.reason() + "; " + copyReason(device, attachment, binding) + remarks + more
                                + memory(),
                        plan.sources(),
                        device.macAddress(),
                        device.mtuBytes(),
                        device.linkRateBps())
                .withDataChecksums(!device.isVeth());
    }

    /** {@return what the port's description says of its memory where it has several queues} */
    private String memory() {
        int perPort = (sockets.size() + umems.size() - 1) / umems.size();
        if (perPort == 1) {
            return "";
        }
        FramePool pool = umems.get(0).pool();
        return "; " + perPort + " queues of " + config.ringSizes().fillFrames() + " frames, of a pool of "
                + pool.frameCount() + " (" + (pool.memory().capacity() >> 20) + " MiB)";
    }

    private String copyReason(InterfaceFacts device, PortProgram.Attachment attachment, Umem.Binding binding) {
        if (binding.zeroCopy()) {
            return "zero-copy tried first and accepted";
        }
        if (attachment.mode() == XdpMode.GENERIC) {
            return "the generic path always copies";
        }
        if (config.forceCopy()) {
            return zeroCopyProblem == null ? "copying asked for" : zeroCopyProblem;
        }
        return binding.copyReason(device.driver());
    }
}
