package io.weir.nic.dpdk;

import io.weir.nic.NicException;
import io.weir.nic.SmallFile;
import io.weir.transport.wire.Ethernet;
import io.weir.transport.wire.IpAddress;
import java.io.IOException;
import java.io.StringReader;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A device and what the kernel would know about it, since the kernel does not have it: from a file of lines {@code
 * key=value}, or the same on one line with semicolons.
 *
 * @param device a PCI address, or a virtual device's name; either with DPDK's arguments behind commas
 * @param addresses ours, with their networks
 * @param gateways routers, for what is in none of these networks; at most one of each family
 * @param neighbours hosts whose Ethernet address is known beforehand
 * @param ealArguments what DPDK's environment is started with, in this order, next to what {@link #environment} adds
 * @param mtuBytes the largest IP packet
 * @param queueCount receive queues, or 0 for as many as there are loops
 */
record DpdkConfig(
        String device,
        List<Network> addresses,
        List<InetAddress> gateways,
        Map<InetAddress, Long> neighbours,
        List<String> ealArguments,
        int mtuBytes,
        int queueCount) {
    static final int MTU_BYTES_MIN = 576;
    static final int MTU_BYTES_MAX = 15_000;
    private static final int MTU_BYTES = 1500;
    private static final int QUEUES_MAX = 64;
    private static final Set<String> KEYS =
            new TreeSet<>(Set.of("device", "address", "gateway", "neighbour", "eal", "mtu", "queues"));
    private static final Pattern PCI = Pattern.compile("[0-9a-fA-F]{4}:[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\\.[0-7]");
    private static final Path PCI_DEVICES = Path.of("/sys/bus/pci/devices");
    private static final Path HUGEPAGES = Path.of("/sys/kernel/mm/hugepages");
    /** Kernel drivers that leave a device to programs; those of devices that DPDK shares with the kernel. */
    private static final Set<String> GIVING_DRIVERS =
            Set.of("vfio-pci", "uio_pci_generic", "igb_uio", "mlx4_core", "mlx5_core");

    DpdkConfig {
        addresses = List.copyOf(addresses);
        gateways = List.copyOf(gateways);
        neighbours = Map.copyOf(neighbours);
        ealArguments = List.copyOf(ealArguments);
    }

    /**
     * An address with the network that it is in.
     *
     * @param address the address
     * @param prefixBits how many of its bits are the network's
     */
    record Network(InetAddress address, int prefixBits) {
        boolean contains(InetAddress other) {
            byte[] ours = address.getAddress();
            byte[] theirs = other.getAddress();
            if (ours.length != theirs.length) {
                return false;
            }
            for (int i = 0; i < prefixBits; i++) {
                int bit = 0x80 >>> (i & 7);
                if (((ours[i >>> 3] ^ theirs[i >>> 3]) & bit) != 0) {
                    return false;
                }
            }
            return true;
        }
    }

    /** {@return what {@code text} says: a path of a file, or settings separated by semicolons} */
    static DpdkConfig parse(String text) throws NicException {
        boolean isInline = text.contains("=");
        Properties settings = new Properties();
        try {
            settings.load(new StringReader(isInline ? text.replace(';', '\n') : SmallFile.read(Path.of(text))));
        } catch (IOException | IllegalArgumentException e) {
            throw new NicException(
                    "cannot read " + text + ", the file of a DPDK device: " + e.getMessage()
                            + "; name a file with lines such as device=0000:03:00.0 and address=10.0.0.1/24, see docs/DPDK.md",
                    e);
        }
        return of(isInline ? "the interface" : text, settings);
    }

    private static DpdkConfig of(String source, Properties settings) throws NicException {
        for (String key : settings.stringPropertyNames()) {
            if (!KEYS.contains(key)) {
                throw new NicException(
                        source + " has the key " + key + ", which is none of " + String.join(", ", KEYS));
            }
        }
        String device = settings.getProperty("device", "").strip();
        if (device.isEmpty()) {
            throw new NicException(source
                    + " names no device; add device=, with a PCI address (0000:03:00.0) or a virtual device"
                    + " (net_memif0,role=client)");
        }
        return new DpdkConfig(
                device,
                networks(settings),
                addresses(settings, "gateway"),
                neighbours(settings),
                words(settings.getProperty("eal", ""), "\\s+"),
                number(settings, "mtu", MTU_BYTES, MTU_BYTES_MIN, MTU_BYTES_MAX),
                number(settings, "queues", 0, 1, QUEUES_MAX));
    }

    private static List<Network> networks(Properties settings) throws NicException {
        List<Network> networks = new ArrayList<>();
        for (String word : words(settings.getProperty("address", ""), "[,\\s]+")) {
            int slash = word.indexOf('/');
            InetAddress address = slash < 0 ? null : address(word.substring(0, slash));
            int bitsMax = address == null ? 0 : address.getAddress().length * Byte.SIZE;
            int bits = slash < 0 ? -1 : integer(word.substring(slash + 1));
            if (address == null || bits < 1 || bits > bitsMax) {
                throw new NicException(
                        "address=" + word + " is no address with the bits of its network, such as 10.0.0.1/24");
            }
            networks.add(new Network(address, bits));
        }
        return networks;
    }

    private static List<InetAddress> addresses(Properties settings, String key) throws NicException {
        List<InetAddress> found = new ArrayList<>();
        for (String word : words(settings.getProperty(key, ""), "[,\\s]+")) {
            InetAddress address = address(word);
            if (address == null) {
                throw new NicException(key + "=" + word + " is no address, such as 10.0.0.254");
            }
            found.add(address);
        }
        return found;
    }

    private static Map<InetAddress, Long> neighbours(Properties settings) throws NicException {
        Map<InetAddress, Long> found = new LinkedHashMap<>();
        for (String word : words(settings.getProperty("neighbour", ""), "[,\\s]+")) {
            int at = word.indexOf('@');
            InetAddress address = at < 0 ? null : address(word.substring(0, at));
            try {
                if (address != null) {
                    found.put(address, Ethernet.parse(word.substring(at + 1)));
                    continue;
                }
            } catch (IllegalArgumentException e) {
                // Said below.
            }
            throw new NicException("neighbour=" + word + " is not like 10.0.0.2@02:00:00:00:00:02");
        }
        return found;
    }

    private static InetAddress address(String text) {
        try {
            return IpAddress.parse(text).toInetAddress();
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static int number(Properties settings, String key, int otherwise, int min, int max) throws NicException {
        String text = settings.getProperty(key);
        if (text == null) {
            return otherwise;
        }
        int value = integer(text.strip());
        if (value < min || value > max) {
            throw new NicException(key + "=" + text + " is outside " + min + ".." + max);
        }
        return value;
    }

    private static int integer(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    private static List<String> words(String text, String separator) {
        return text.isBlank() ? List.of() : List.of(text.strip().split(separator, -1));
    }

    /** {@return the receive queues for so many loops} */
    int queueCountFor(int loopCount) {
        return queueCount == 0 ? loopCount : queueCount;
    }

    /** {@return the device's name, without its arguments} */
    String deviceName() {
        int comma = device.indexOf(',');
        return comma < 0 ? device : device.substring(0, comma);
    }

    /**
     * {@return which of our addresses frames to {@code target} come from: of its network, else of its family; or null}
     */
    InetAddress sourceFor(InetAddress target) {
        InetAddress sameFamily = null;
        for (Network network : addresses) {
            if (network.contains(target)) {
                return network.address();
            }
            if (sameFamily == null && network.address().getAddress().length == target.getAddress().length) {
                sameFamily = network.address();
            }
        }
        return sameFamily;
    }

    /**
     * {@return the host on the link to which frames for {@code target} go: itself, or its family's gateway; or null}
     */
    InetAddress nextHop(InetAddress target) {
        if (addresses.stream().anyMatch(network -> network.contains(target))) {
            return target;
        }
        return gateways.stream()
                .filter(gateway -> gateway.getAddress().length == target.getAddress().length)
                .findFirst()
                .orElse(null);
    }

    boolean isPci() {
        return PCI.matcher(deviceName()).matches();
    }

    /** {@return the value of a device's argument, or null} */
    String deviceArgument(String key) {
        return Stream.of(device.split(",", -1))
                .filter(argument -> argument.startsWith(key + "="))
                .map(argument -> argument.substring(key.length() + 1))
                .findFirst()
                .orElse(null);
    }

    /** {@return this with more addresses, each its own network} */
    DpdkConfig withAddresses(List<InetAddress> further) {
        List<Network> all = new ArrayList<>(addresses);
        further.forEach(address -> all.add(new Network(address, address.getAddress().length * Byte.SIZE)));
        return new DpdkConfig(device, all, gateways, neighbours, ealArguments, mtuBytes, queueCount);
    }

    /**
     * {@return the arguments of DPDK's environment, beginning with a program's name: those given, and those that keep
     * the process private and small where nothing else was asked for}
     */
    List<String> environment(long processId, String allowedCpus) throws NicException {
        for (String refused : List.of("-h", "--help", "-v", "--version")) {
            if (ealArguments.contains(refused)) {
                throw new NicException("eal=" + refused + " ends the process; leave it out");
            }
        }
        List<String> all = new ArrayList<>(List.of("weir"));
        all.addAll(ealArguments);
        if (!has("-l", "-c", "--lcores")) {
            // One logical core, not pinned: loops are threads of Java's.
            all.add("--lcores=0@(" + allowedCpus + ")");
        }
        if (!has("--telemetry", "--no-telemetry")) {
            all.add("--no-telemetry");
        }
        if (!isPci() && !has("--no-pci", "-a", "--allow", "-b", "--block")) {
            all.add("--no-pci");
        }
        if (isPci() && !has("-a", "--allow", "-b", "--block")) {
            // No other device than this: it may be another program's.
            all.add("-a");
            all.add(device);
        }
        if ((!isPci() || has("--no-huge")) && !has("--iova-mode")) {
            // Nothing reads the memory by its physical address, by which ordinary memory is in many pieces.
            all.add("--iova-mode=va");
        }
        if (!has("--file-prefix")) {
            all.add("--file-prefix=weir-" + processId);
        }
        // No files, which would outlive a process that is killed.
        if (!has("--in-memory", "--no-huge", "--huge-dir", "--huge-unlink", "--proc-type", "--legacy-mem")) {
            all.add("--in-memory");
        } else if (!has("--in-memory", "--no-shconf", "--proc-type")) {
            all.add("--no-shconf");
        }
        return all;
    }

    private boolean has(String... names) {
        for (String argument : ealArguments) {
            for (String name : names) {
                boolean isShort = !name.startsWith("--");
                if (argument.equals(name)
                        || argument.startsWith(name + "=")
                        || (isShort && argument.startsWith(name))) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Refuses a PCI device that is not there, or that the kernel has. */
    void requireUsableDevice() throws NicException {
        requireUsableDevice(PCI_DEVICES);
    }

    void requireUsableDevice(Path devices) throws NicException {
        if (!isPci()) {
            return;
        }
        Path folder = devices.resolve(deviceName());
        if (!Files.exists(folder)) {
            throw new NicException(
                    "there is no PCI device " + deviceName() + "; see: dpdk-devbind.py --status-dev net");
        }
        Path driver = folder.resolve("driver");
        String name = "";
        try {
            name = Files.exists(driver) ? driver.toRealPath().getFileName().toString() : "";
        } catch (IOException e) {
            throw new NicException("cannot read " + driver + ": " + e.getMessage(), e);
        }
        if (!GIVING_DRIVERS.contains(name)) {
            throw new NicException("device " + deviceName() + " is "
                    + (name.isEmpty() ? "bound to no driver" : "bound to the kernel's driver " + name)
                    + "; give it to programs: dpdk-devbind.py --bind=vfio-pci " + deviceName());
        }
    }

    /** Refuses to start without hugepages unless told to do without. */
    void requireMemory() throws NicException {
        if (!has("--no-huge") && freeHugepageBytes(HUGEPAGES) == 0) {
            throw new NicException("there are no free hugepages, from which DPDK takes its memory; reserve some"
                    + " (echo 256 > /proc/sys/vm/nr_hugepages), or do without: eal=--no-huge -m 512");
        }
    }

    static long freeHugepageBytes(Path folder) throws NicException {
        if (!Files.isDirectory(folder)) {
            return 0;
        }
        try (Stream<Path> sizes = Files.list(folder)) {
            long bytes = 0;
            for (Path size : sizes.toList()) {
                String name = size.getFileName().toString();
                long kibibytes = Long.parseLong(name.replaceAll("\\D", ""));
                bytes += 1024
                        * kibibytes
                        * Long.parseLong(
                                Files.readString(size.resolve("free_hugepages")).strip());
            }
            return bytes;
        } catch (IOException | NumberFormatException e) {
            throw new NicException("cannot read " + folder + ": " + e.getMessage(), e);
        }
    }
}
