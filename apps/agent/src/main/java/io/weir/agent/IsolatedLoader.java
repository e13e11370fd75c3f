package io.weir.agent;

import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;

/**
 * Loads what lies in one folder of the agent's jar, where the program's class loaders do not look: a program may have
 * other versions of the same libraries, and of Weir.
 */
final class IsolatedLoader extends ClassLoader {
    private static final String FOLDER = "isolated/";
    private static final String CORE = "io.weir.agent.core.";

    static {
        registerAsParallelCapable();
    }

    private final JarFile jar;

    IsolatedLoader(JarFile jar) {
        super("weir", ClassLoader.getPlatformClassLoader());
        this.jar = jar;
    }

    private ZipEntry entry(String path) {
        ZipEntry entry = jar.getEntry(FOLDER + path);
        return entry == null && path.startsWith(CORE.replace('.', '/')) ? jar.getEntry(path) : entry;
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        ZipEntry entry = entry(name.replace('.', '/') + ".class");
        if (entry == null) {
            throw new ClassNotFoundException(name);
        }
        try (InputStream stream = jar.getInputStream(entry)) {
            byte[] bytes = stream.readAllBytes();
            return defineClass(name, bytes, 0, bytes.length, IsolatedLoader.class.getProtectionDomain());
        } catch (IOException e) {
            throw new ClassNotFoundException(name + " cannot be read from " + jar.getName(), e);
        }
    }

    @Override
    protected URL findResource(String name) {
        ZipEntry entry = entry(name);
        if (entry == null) {
            return null;
        }
        try {
            return URI.create("jar:" + new java.io.File(jar.getName()).toURI() + "!/" + entry.getName())
                    .toURL();
        } catch (MalformedURLException e) {
            throw new IllegalStateException("a jar has an address: " + jar.getName(), e);
        }
    }

    @Override
    protected Enumeration<URL> findResources(String name) {
        URL found = findResource(name);
        return Collections.enumeration(found == null ? List.of() : List.of(found));
    }
}
