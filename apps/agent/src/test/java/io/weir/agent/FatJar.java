package io.weir.agent;

import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import org.apache.catalina.startup.Tomcat;
import org.springframework.boot.loader.launch.JarLauncher;

/** Makes a jar of Spring Boot's layout, with Spring Boot's loader: a program, and its libraries as jars within it. */
final class FatJar {
    private FatJar() {}

    /** {@return the jar with {@link FatJarProgram}} */
    static Path make(Path folder) throws IOException, URISyntaxException {
        Path jar = folder.resolve("program.jar");
        Manifest manifest = new Manifest();
        Attributes main = manifest.getMainAttributes();
        main.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        main.put(Attributes.Name.MAIN_CLASS, JarLauncher.class.getName());
        main.putValue("Start-Class", FatJarProgram.class.getName());
        main.putValue("Spring-Boot-Classes", "BOOT-INF/classes/");
        main.putValue("Spring-Boot-Lib", "BOOT-INF/lib/");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
            addLoader(out);
            addClasses(out);
            add(out, "BOOT-INF/lib/", new byte[0]);
            for (Class<?> member : List.of(Tomcat.class, jakarta.annotation.Resource.class)) {
                Path library = jarOf(member);
                // As they are: the loader reads them in place.
                add(out, "BOOT-INF/lib/" + library.getFileName(), Files.readAllBytes(library));
            }
        }
        return jar;
    }

    private static Path jarOf(Class<?> member) throws URISyntaxException {
        return Path.of(
                member.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    private static void addLoader(JarOutputStream out) throws IOException, URISyntaxException {
        try (JarFile loader = new JarFile(jarOf(JarLauncher.class).toFile())) {
            for (JarEntry entry : (Iterable<JarEntry>) loader.stream()::iterator) {
                boolean isLoaders =
                        entry.getName().startsWith("org/") || entry.getName().startsWith("META-INF/services/");
                if (isLoaders) {
                    try (InputStream in = loader.getInputStream(entry)) {
                        add(out, entry.getName(), in.readAllBytes());
                    }
                }
            }
        }
    }

    private static void addClasses(JarOutputStream out) throws IOException {
        String program = FatJarProgram.class.getName().replace('.', '/');
        add(out, "BOOT-INF/classes/", new byte[0]);
        for (String name : List.of(program + ".class", program + "$Echo.class")) {
            try (InputStream in = FatJar.class.getResourceAsStream("/" + name)) {
                add(out, "BOOT-INF/classes/" + name, in.readAllBytes());
            }
        }
    }

    private static void add(JarOutputStream out, String name, byte[] bytes) throws IOException {
        JarEntry entry = new JarEntry(name);
        CRC32 sum = new CRC32();
        sum.update(bytes);
        entry.setMethod(ZipEntry.STORED);
        entry.setSize(bytes.length);
        entry.setCrc(sum.getValue());
        out.putNextEntry(entry);
        out.write(bytes);
        out.closeEntry();
    }
}
