package io.weir.nic.dpdk;

import io.weir.nic.NicException;
import io.weir.transport.runtime.OwnTimeLimit;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a process with DPDK leaves behind: DPDK's files, named after the process, and, when it is killed, on an
 * interface that a driver shares with the kernel its XDP program or promiscuous mode. A note in a file tells the next
 * process which interface that was.
 */
final class DpdkResidue implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DpdkResidue.class);
    private static final Path RUN = Path.of("/run/weir-dpdk");
    private static final Path NAMED_NAMESPACES = Path.of("/run/netns");
    private static final Path NAMESPACE = Path.of("/proc/thread-self/ns/net");
    private static final Path MOUNTS = Path.of("/proc/self/mounts");
    private static final Path SELF = Path.of("/proc/self");
    private static final String USER = "unix:uid";
    private static final Pattern OURS = Pattern.compile("weir-(\\d{1,18})(map_.*|_.*)?");

    private static final String PREFIX_OPTION = "--file-prefix";

    private final Path note;

    private DpdkResidue(Path note) {
        this.note = note;
    }

    /** Removes DPDK's files of processes of ours that are gone, and notes of namespaces that are gone with them. */
    static void clean() {
        folders().forEach(DpdkResidue::clean);
        cleanNotes(RUN, namespaces());
    }

    /** {@return where DPDK has files of processes} */
    private static List<Path> folders() {
        List<Path> all = new ArrayList<>();
        all.add(runFolder(System.getenv(), isRoot()));
        try {
            all.addAll(hugepageFolders(Files.readAllLines(MOUNTS)));
        } catch (IOException e) {
            LOG.warn("cannot read {}: {}", MOUNTS, e.getMessage());
        }
        return all;
    }

    private static boolean isRoot() {
        try {
            return Files.getAttribute(SELF, USER).equals(0);
        } catch (IOException e) {
            return false;
        }
    }

    /** {@return where DPDK makes the folder of each process, by its rules} */
    static Path runFolder(Map<String, String> environment, boolean isRoot) {
        String folder = environment.get("RUNTIME_DIRECTORY");
        if (folder == null) {
            folder = isRoot ? "/var/run" : environment.getOrDefault("XDG_RUNTIME_DIR", "/tmp");
        }
        return Path.of(folder, "dpdk");
    }

    /** {@return where files of huge pages are mounted, by the lines of the kernel's table} */
    static List<Path> hugepageFolders(List<String> mounts) {
        return mounts.stream()
                .map(line -> line.split(" ", -1))
                .filter(words -> words.length > 2 && words[2].equals("hugetlbfs"))
                .map(words -> Path.of(words[1]))
                .toList();
    }

    static void cleanNotes(Path run, Set<String> namespaces) {
        for (Path folder : list(run)) {
            if (!namespaces.contains(folder.getFileName().toString())) {
                list(folder).stream().filter(DpdkResidue::isOfNobody).forEach(DpdkResidue::delete);
                deleteIfEmpty(folder);
            }
        }
        deleteIfEmpty(run);
    }

    private static boolean isOfNobody(Path note) {
        try {
            return !isAlive(Files.readString(note));
        } catch (IOException e) {
            return false;
        }
    }

    /** {@return the numbers of the network namespaces that have a name or a process} */
    private static Set<String> namespaces() {
        Set<String> numbers = new HashSet<>();
        for (Path named : list(NAMED_NAMESPACES)) {
            try {
                numbers.add(String.valueOf(Files.getAttribute(named, "unix:ino")));
            } catch (IOException e) {
                // It is gone by now.
            }
        }
        ProcessHandle.allProcesses().forEach(process -> {
            try {
                numbers.add(numberOf(Path.of("/proc/" + process.pid() + "/ns/net")));
            } catch (IOException e) {
                // The process is gone by now.
            }
        });
        return numbers;
    }

    private static String numberOf(Path namespace) throws IOException {
        return Files.readSymbolicLink(namespace).toString().replaceAll("\\D", "");
    }

    private static void deleteIfEmpty(Path folder) {
        if (list(folder).isEmpty()) {
            delete(folder);
        }
    }

    /**
     * Removes the folder that DPDK makes in any case, as long as there is nothing in it. What else it has made under
     * this process's name goes with the process, at the latest.
     */
    static void cleanAfterStart(List<String> arguments) {
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            if (argument.startsWith(PREFIX_OPTION)) {
                boolean isOneWord = argument.length() > PREFIX_OPTION.length();
                String prefix = isOneWord ? argument.substring(PREFIX_OPTION.length() + 1) : arguments.get(i + 1);
                deleteIfEmpty(runFolder(System.getenv(), isRoot()).resolve(prefix));
            }
        }
        if (!ownFiles().isEmpty()) {
            try {
                Runtime.getRuntime().addShutdownHook(new Thread(DpdkResidue::cleanOwn, "weir-dpdk-files"));
            } catch (IllegalStateException e) {
                LOG.debug("the process ends already; the next start removes {}", ownFiles());
            }
        }
    }

    /** Removes all that DPDK has made under this process's name: it did not start, or ends. */
    static void cleanOwn() {
        ownFiles().forEach(DpdkResidue::delete);
    }

    /** {@return DPDK's files that bear this process's number} */
    static List<Path> ownFiles() {
        String own = Long.toString(ProcessHandle.current().pid());
        return folders().stream()
                .flatMap(folder -> list(folder).stream())
                .filter(file -> own.equals(processOf(file)))
                .toList();
    }

    static void clean(Path folder) {
        for (Path file : list(folder)) {
            String process = processOf(file);
            if (process != null && !isAlive(process, Optional.empty()) && mayRemove(file)) {
                LOG.info("removes {} of a process that is gone", file);
                delete(file);
            }
        }
    }

    /** {@return the number of the process of ours that a file is named after, or null} */
    private static String processOf(Path file) {
        Matcher name = OURS.matcher(file.getFileName().toString());
        return name.matches() ? name.group(1) : null;
    }

    /** In a folder of all users, such as /tmp, another one's files are that one's to remove. */
    private static boolean mayRemove(Path file) {
        try {
            return isRoot() || Files.getAttribute(file, USER).equals(Files.getAttribute(SELF, USER));
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Notes that this process has an interface of the kernel's by a DPDK driver; if the note of a process that is gone
     * is there, undoes first what that left. Null where the device has no such interface.
     */
    static DpdkResidue note(DpdkConfig config) throws NicException {
        String interfaceName = config.deviceArgument("iface");
        // For net_vhost it is the path of a socket.
        boolean isOfTheKernel = interfaceName != null && interfaceName.indexOf('/') < 0;
        return isOfTheKernel ? note(RUN.resolve(namespace()), interfaceName) : null;
    }

    /** Removes the socket file of a memif server that is gone: the next could not have its name. */
    static void cleanSocket(DpdkConfig config) {
        String name = config.deviceArgument("socket");
        boolean isFile = name != null && "no".equals(config.deviceArgument("socket-abstract"));
        if (isFile && "server".equals(config.deviceArgument("role")) && isLeft(Path.of(name))) {
            LOG.info("removes {} of a process that is gone", name);
            delete(Path.of(name));
        }
    }

    /** A socket that somebody listens to refuses the wrong type; one that nobody does refuses the connection. */
    private static boolean isLeft(Path socket) {
        if (!Files.exists(socket)) {
            return false;
        }
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            return !channel.isConnected();
        } catch (ConnectException e) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** {@return the number of the calling thread's network namespace: two may have interfaces of one name} */
    private static String namespace() throws NicException {
        try {
            return numberOf(NAMESPACE);
        } catch (IOException e) {
            throw new NicException("read " + NAMESPACE + ": " + e.getMessage(), e);
        }
    }

    static DpdkResidue note(Path run, String interfaceName) throws NicException {
        Path note = run.resolve(interfaceName);
        try {
            Files.createDirectories(run);
            if (Files.exists(note)) {
                String process = Files.readString(note);
                if (isAlive(process)) {
                    throw new NicException("interface " + interfaceName + " is in use by DPDK in process "
                            + numberIn(process) + "; end that, or use another interface");
                }
                LOG.info(
                        "interface={} gets rid of what process {} left when it was killed",
                        interfaceName,
                        numberIn(process));
                undo(interfaceName);
            }
            ProcessHandle self = ProcessHandle.current();
            Files.writeString(note, self.pid() + " " + startOf(self));
        } catch (IOException e) {
            if (e instanceof NicException refusal) {
                throw refusal;
            }
            throw new NicException("cannot write " + note + ": " + e.getMessage() + "; run as root", e);
        }
        return new DpdkResidue(note);
    }

    /**
     * The process that left them set both, so that nobody else has a program there: a second one would have been
     * refused.
     */
    private static void undo(String interfaceName) {
        run("ip", "link", "set", "dev", interfaceName, "xdp", "off");
        run("ip", "link", "set", "dev", interfaceName, "promisc", "off");
    }

    private static void run(String... command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!OwnTimeLimit.ofSeconds(10).await(process::waitFor)) {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            LOG.warn("cannot run {}: {}", String.join(" ", command), e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String numberIn(String note) {
        return note.strip().split(" ", -1)[0];
    }

    /** {@return whether the process of a note's text is there} */
    private static boolean isAlive(String note) {
        String[] words = note.strip().split(" ", -1);
        return isAlive(words[0], words.length > 1 ? Optional.of(words[1]) : Optional.empty());
    }

    private static boolean isAlive(String processId, Optional<String> start) {
        return ProcessHandle.of(Long.parseLong(processId))
                .filter(process -> start.isEmpty() || start.get().equals(startOf(process)))
                .isPresent();
    }

    /** Numbers of processes are used again; not with the same start. */
    private static String startOf(ProcessHandle process) {
        return process.info()
                .startInstant()
                .map(start -> Long.toString(start.toEpochMilli()))
                .orElse("0");
    }

    private static List<Path> list(Path folder) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    private static void delete(Path file) {
        if (Files.isDirectory(file) && !Files.isSymbolicLink(file)) {
            list(file).forEach(DpdkResidue::delete);
        }
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            LOG.warn("cannot remove {}: {}", file, e.getMessage());
        }
    }

    /** Takes the note back: the driver has cleaned up. */
    @Override
    public void close() {
        delete(note);
        deleteIfEmpty(note.getParent());
    }
}
