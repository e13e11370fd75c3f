package io.weir.bench.compare;

import io.weir.bench.compare.end.EndSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Archives of classes for the processes of a comparison, as {@code ./weir} makes one: one for each subject and role,
 * written by a short run at the beginning. From JDK 25 on an archive also says which methods were hot.
 */
final class ClassArchive {
    private static final int JDK_WITH_HOT_METHODS = 25;
    /**
     * Before this JDK a method that waits for the compiler when the archive is written is always interpreted by those
     * who read it; so that run has no compiler.
     */
    private static final int JDK_WITH_COMPILER = 21;

    private static final String SUFFIX = ".classes";

    private final Path folder;
    /** Whether the next processes write archives; set around the first runs. */
    private boolean isWriting;

    ClassArchive(Path folder) {
        this.folder = folder;
    }

    void setWriting(boolean value) {
        isWriting = value;
    }

    boolean isWriting() {
        return isWriting;
    }

    /** {@return flags of the JVM: to write the archive, to use it, or none where there is none} */
    List<String> flags(Rival rival, EndSpec spec) {
        Path archive = folder.resolve(rival.name() + "-" + spec.text(EndSpec.ROLE) + SUFFIX);
        int jdk = Runtime.version().feature();
        if (isWriting) {
            List<String> flags = new ArrayList<>();
            flags.add((jdk < JDK_WITH_HOT_METHODS ? "-XX:ArchiveClassesAtExit=" : "-XX:AOTCacheOutput=") + archive);
            if (jdk < JDK_WITH_COMPILER) {
                flags.add("-Xint");
            }
            return flags;
        }
        return Files.exists(archive)
                ? List.of((jdk < JDK_WITH_HOT_METHODS ? "-XX:SharedArchiveFile=" : "-XX:AOTCache=") + archive)
                : List.of();
    }

    /** {@return which archives of a subject there are, for the reader; without one it starts as it would anyway} */
    String written(Rival rival) {
        long count =
                rival.isOneProcess() ? exists(rival, "both") : exists(rival, EndSpec.SERVER) + exists(rival, "client");
        long wanted = rival.isOneProcess() ? 1 : 2;
        return count == wanted
                ? count + " written"
                : count + " of " + wanted + " written; a JVM refuses where the class path has folders";
    }

    private long exists(Rival rival, String role) {
        return Files.exists(folder.resolve(rival.name() + "-" + role + SUFFIX)) ? 1 : 0;
    }
}
