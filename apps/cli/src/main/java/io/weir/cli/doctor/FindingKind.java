package io.weir.cli.doctor;

import static io.weir.cli.doctor.Severity.ADVICE;
import static io.weir.cli.doctor.Severity.BREAKS;
import static io.weir.cli.doctor.Severity.SLOWS;

import java.util.Locale;

/** Everything that a doctor can find, and what each costs. To add one, also seed it in {@code ChecksTest}. */
enum FindingKind {
    JAVA_DIRECT_MEMORY(BREAKS, "the frames of a port do not fit: opening the interface fails"),
    JAVA_INTERPRETED(SLOWS, "no code is compiled: every frame takes many times as long"),
    JAVA_DEBUGGED(SLOWS, "a debugger may stop the loop, which pauses every connection"),
    JAVA_UNTRIED(ADVICE, "nobody has tried Weir on this Java"),

    KERNEL_OLD(BREAKS, "AF_XDP lacks what Weir asks of it"),
    KERNEL_WITHOUT_FEATURES(ADVICE, "no stamps by the device, and nobody tells what the driver can do"),
    BPF_JIT_OFF(SLOWS, "the XDP program is interpreted for every frame, also for those of the kernel"),
    BPF_JIT_HARDENED(ADVICE, "the XDP program is longer than it must be, for every frame"),
    PAGE_SIZE(ADVICE, "nobody has tried Weir with pages of this size"),

    CAPABILITIES_MISSING(BREAKS, "opening an interface is refused; only a broker serves this user"),
    MEMLOCK_LOW(BREAKS, "the kernel may refuse the frames of a port, which it locks in memory"),

    LINK_DOWN(BREAKS, "no frame leaves or comes"),
    LINK_NO_CARRIER(BREAKS, "no frame leaves or comes until the other end is up"),
    LINK_NOT_ETHERNET(BREAKS, "Weir opens no port on it"),
    LINK_ENSLAVED(BREAKS, "its addresses are those of the interface above, whose frames Weir does not get here"),
    ADDRESS_MISSING(BREAKS, "nobody can be reached from it, and nobody can reach it"),
    MTU_SMALL(BREAKS, "Weir opens no port with frames so short"),
    MTU_LARGE(BREAKS, "its frames do not fit the slots of AF_XDP: opening it is refused"),
    MTU_BEYOND_DRIVER(
            SLOWS, "the driver cannot hand such frames to the XDP program, which runs behind it, with copies"),
    MTU_BELOW_ETHERNET(ADVICE, "headers take a larger share of the link, and as much data takes more frames"),
    LINK_HALF_DUPLEX(SLOWS, "credits and data wait for each other on the link"),
    LINK_RATE_UNKNOWN(ADVICE, "credits are paced to a rate that someone must state (--link-rate)"),
    LINK_PAUSES(ADVICE, "a paused link delays all of its connections, and hides where the queue is"),

    XDP_PROGRAM_FOREIGN(BREAKS, "an interface has one XDP program: opening it is refused"),
    XDP_GENERIC_ONLY(SLOWS, "the kernel makes a packet of each frame before Weir gets a copy of it"),
    XDP_COPIES(ADVICE, "each frame is copied once between the driver and Weir"),
    STAMPS_NOT_OF_DEVICE(ADVICE, "delays contain what frames waited in the driver: noise for DX, TIMELY and Vegas"),
    OFFLOAD_LRO(SLOWS, "some drivers refuse the XDP program with it, which then runs behind them, with copies"),
    OFFLOAD_GRO_HW(SLOWS, "some drivers refuse the XDP program with it, which then runs behind them, with copies"),
    OFFLOAD_GRO_UDP(SLOWS, "in generic mode the kernel may join Weir's datagrams before the XDP program sees them"),
    OFFLOAD_VLAN(ADVICE, "the tags of VLANs are taken off before the XDP program sees a frame"),

    QUEUES_FEW(ADVICE, "all frames come by few queues, which few loops can share"),
    QUEUES_CANNOT_TRANSMIT(ADVICE, "as many loops as receive queues cannot be opened"),
    RSS_UNEVEN(SLOWS, "queues get no frames, and the loops of the others do their work"),
    RSS_WITHOUT_PORTS(SLOWS, "all connections between two hosts come by one queue"),
    RING_SMALL(SLOWS, "a pause of the loop or the kernel loses frames sooner"),
    COALESCING_LONG(SLOWS, "frames wait that long before the loop is told, unless it polls the device"),
    COALESCING_ADAPTIVE(ADVICE, "delays change with the traffic"),
    IRQ_ON_LOOP_CPU(SLOWS, "the interrupt takes the loop's core away while frames come"),
    IRQ_BALANCER(ADVICE, "interrupts may move onto the cores of loops"),
    RPS_ON(SLOWS, "each frame goes to another core before it is delivered"),
    NAPI_DEFERRED(SLOWS, "frames wait for the timeout, unless a loop polls the device"),
    NAPI_THREADED(ADVICE, "a thread that the scheduler may delay brings the frames"),
    BUSY_POLL_GLOBAL(ADVICE, "every waiting socket of the machine spins on a core"),
    SOFTNET_DROPS(
            ADVICE, "frames were lost in the kernel's backlog, by which those of a veth come in generic mode, too"),
    NEIGHBOUR_FAILED(ADVICE, "opening a connection there fails"),
    NEIGHBOUR_TABLE_FULL(SLOWS, "the kernel forgets hosts that are in use, or takes no new ones"),
    FIREWALL_DROPS_ICMP(SLOWS, "that a port or host is closed is found out by silence: openings time out"),
    FIREWALL_DROPS_UDP(SLOWS, "the datagram by which a veth's loop begins to poll is lost: bulk stays slower"),
    BROKER_STALE(ADVICE, "programs that open the interface by a broker are refused"),

    CPU_NOT_ALLOWED(BREAKS, "loops cannot run on the CPUs that were chosen"),
    CPU_SINGLE(SLOWS, "the loop, its application and the kernel take turns"),
    CPU_BUSY(SLOWS, "loops wait for their cores, and all of their connections with them"),
    CPU_STOLEN(SLOWS, "the host of this virtual machine gives its cores to others: loops pause without a trace"),
    CPU_QUOTA(SLOWS, "a loop that has used up its quota pauses until the next period"),
    CPU_GOVERNOR(SLOWS, "cores are slower than they can be when traffic begins"),
    CPU_IDLE_DEEP(ADVICE, "a loop that sleeps wakes so much later"),
    CPU_NOT_ISOLATED(ADVICE, "other threads may take the loops' cores, for some milliseconds each time"),
    CLOCK_SLOW(SLOWS, "each look at the clock is a system call, in every cycle of a loop"),
    CLOCK_NAMESPACE(ADVICE, "the kernel's stamps are of another clock: delays are measured by the loop"),
    NUMA_REMOTE(SLOWS, "each frame crosses from one processor to the other"),
    NUMA_BALANCING(ADVICE, "the kernel moves pages under a running loop, which pauses for it"),
    MEMORY_SHORT(SLOWS, "the kernel looks for memory while threads wait: loops pause"),
    IOMMU_STRICT(ADVICE, "each frame that the kernel hands to the device costs a flush of the IOMMU"),
    DPDK_WITHOUT_HUGEPAGES(BREAKS, "DPDK has no memory for the device that is bound to it"),
    DPDK_WITHOUT_IOMMU(ADVICE, "the device that is bound to DPDK may write anywhere in memory");

    private final Severity severity;
    private final String costs;

    FindingKind(Severity severity, String costs) {
        this.severity = severity;
        this.costs = costs;
    }

    /** {@return its name in texts and documents, as in {@code link-down}} */
    String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** {@return how bad it is} */
    Severity severity() {
        return severity;
    }

    /** {@return what it costs while it is there} */
    String costs() {
        return costs;
    }
}
