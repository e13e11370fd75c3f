package io.weir.transport.observation;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Where the counter files of this machine are: in one folder for each user, which that user and root alone can read.
 *
 * @param root the folder of the users' folders
 */
public record CounterFolder(Path root) {
    /** The property that names another folder, or, empty, turns counter files off. */
    public static final String PROPERTY = "weir.dir";
    /** The folder by default. */
    public static final Path DEFAULT = Path.of("/dev/shm/weir");

    private static final int SAME_NAME_MAX = 1_000;

    /** For all users, none of whom removes what is another's. */
    private static final int SHARED_MODE = 01777;

    private static final Set<PosixFilePermission> OWN_FOLDER = PosixFilePermissions.fromString("rwx------");
    /** Nobody, not even its owner, is to cut the file short by accident: its writer would be hit. */
    private static final Set<PosixFilePermission> OWN_FILE = PosixFilePermissions.fromString("r--------");

    /**
     * {@return the folder that properties name, or null if they turn counter files off}
     *
     * @param properties finds the value of a property, or null; {@code System::getProperty}
     */
    public static CounterFolder of(UnaryOperator<String> properties) {
        String named = properties.apply(PROPERTY);
        if (named == null) {
            return new CounterFolder(DEFAULT);
        }
        return named.isBlank() ? null : new CounterFolder(Path.of(named.strip()));
    }

    /** A file that was made, and is open. */
    record Made(Path file, FileChannel channel) {}

    /**
     * Makes a file for this process and an interface.
     *
     * @throws IOException if the folder cannot be made, or is another user's
     */
    Made make(String user, long processId, String interfaceName) throws IOException {
        Path folder = folderOf(user);
        String name = processId + "-" + interfaceName.replace('/', '_');
        for (int i = 1; i <= SAME_NAME_MAX; i++) {
            Path file = folder.resolve(i == 1 ? name : name + "." + i);
            FileChannel channel = create(file);
            if (channel != null) {
                requireOwnFolder(folder, file, channel);
                return new Made(file, channel);
            }
        }
        throw new IOException(folder + " has " + SAME_NAME_MAX + " files of this process and interface");
    }

    /** {@return a new file, or null if there is one of this name} */
    static FileChannel create(Path file) throws IOException {
        try {
            return FileChannel.open(
                    file,
                    Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE),
                    PosixFilePermissions.asFileAttribute(OWN_FILE));
        } catch (FileAlreadyExistsException e) {
            return null;
        }
    }

    private Path folderOf(String user) throws IOException {
        if (!Files.isDirectory(root)) {
            try {
                Files.createDirectory(root);
                // Whatever the process's mask is.
                Files.setAttribute(root, "unix:mode", SHARED_MODE);
            } catch (FileAlreadyExistsException e) {
                // Another process was first.
                requireFolder(root);
            }
        }
        Path folder = root.resolve(user.replace('/', '_'));
        try {
            Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(OWN_FOLDER));
        } catch (FileAlreadyExistsException e) {
            requireFolder(folder);
        }
        return folder;
    }

    private static void requireFolder(Path folder) throws IOException {
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException(folder + " is no folder; remove it");
        }
    }

    /** Another user may have made the folder first, to read along or to have files removed. */
    private static void requireOwnFolder(Path folder, Path file, FileChannel channel) throws IOException {
        Object owner = Files.getAttribute(folder, "unix:uid", LinkOption.NOFOLLOW_LINKS);
        boolean isOwn = owner.equals(Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS));
        Set<PosixFilePermission> rights = Files.getPosixFilePermissions(folder, LinkOption.NOFOLLOW_LINKS);
        if (!isOwn || !rights.equals(OWN_FOLDER)) {
            channel.close();
            Files.deleteIfExists(file);
            throw new IOException(folder + (isOwn ? " can be read by others" : " is another user's")
                    + "; remove it, or name another folder by -D" + PROPERTY);
        }
    }

    /**
     * What there is.
     *
     * @param files files that may be counter files, in the order of their names
     * @param problems a sentence for each folder that could not be read
     */
    public record Listing(List<Path> files, List<String> problems) {}

    /** {@return the files of all users, as far as this one may see them} */
    public Listing list() {
        List<Path> files = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        for (Path folder : entries(root, problems)) {
            if (Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
                files.addAll(entries(folder, problems));
            }
        }
        files.removeIf(TraceFile::isBesideCounters);
        files.sort(null);
        return new Listing(List.copyOf(files), List.copyOf(problems));
    }

    private static List<Path> entries(Path folder, List<String> problems) {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            entries.forEach(found::add);
        } catch (NoSuchFileException e) {
            // Nobody has made it, or its owner has removed it meanwhile.
            return found;
        } catch (IOException | RuntimeException e) {
            problems.add(
                    folder + " cannot be read" + (Files.isReadable(folder) ? ": " + e : "; ask its user, or root"));
        }
        return found;
    }

    /** Removes the files of one user's processes that have ended. What cannot be read or removed stays. */
    void removeStale(String user) {
        List<String> unheard = new ArrayList<>();
        for (Path file : entries(root.resolve(user.replace('/', '_')), unheard)) {
            CounterReading.removeIfStale(file);
        }
    }
}
