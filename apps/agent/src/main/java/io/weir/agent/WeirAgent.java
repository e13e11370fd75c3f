package io.weir.agent;

import java.io.File;
import java.io.IOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.InvocationTargetException;
import java.net.URISyntaxException;
import java.nio.channels.spi.AsynchronousChannelProvider;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.jar.JarFile;

/**
 * {@code -javaagent:weir-agent.jar=INTERFACE-OR-FILE}: the program's sockets and channels go over Weir where rules say
 * so, and over the kernel everywhere else.
 */
public final class WeirAgent {
    private static final String PROVIDER_PROPERTY = "java.nio.channels.spi.SelectorProvider";
    private static final String ASYNCHRONOUS_PROPERTY = "java.nio.channels.spi.AsynchronousChannelProvider";
    /** What says that an agent runs already, also one of another version. */
    private static final String RUNNING_PROPERTY = "weir.agent.running";

    private WeirAgent() {}

    /**
     * Begins, before the program does.
     *
     * @param argument an interface, a file of rules, or null where a property or the environment names it
     */
    public static void premain(String argument, Instrumentation instrumentation) {
        if (System.getProperty(RUNNING_PROPERTY) != null) {
            say("is there twice: the first one stays; leave one -javaagent out");
            return;
        }
        System.setProperty(RUNNING_PROPERTY, "true");
        try {
            begin(argument, instrumentation);
        } catch (WrongRulesException e) {
            say(e.getMessage());
            // As for any other wrong option of the JVM: the program has not begun.
            System.exit(1);
        } catch (ReflectiveOperationException | IOException | URISyntaxException | RuntimeException | LinkageError e) {
            say("cannot run here, and everything goes over TCP: " + e);
        }
    }

    /** Refuses to begin in a program that runs: sockets and selectors that exist would stay the kernel's. */
    public static void agentmain(String argument, Instrumentation instrumentation) {
        say("cannot be attached to a program that runs: start it with -javaagent:weir-agent.jar="
                + (argument == null ? "INTERFACE" : argument));
    }

    private static void say(String line) {
        System.err.println("weir-agent: " + line);
    }

    /** Rules cannot be used. */
    private static final class WrongRulesException extends Exception {
        private static final long serialVersionUID = 1;

        WrongRulesException(String message) {
            super(message);
        }
    }

    private static void begin(String argument, Instrumentation instrumentation)
            throws ReflectiveOperationException, IOException, URISyntaxException, WrongRulesException {
        File file = new File(WeirAgent.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        ClassLoader loader = new IsolatedLoader(new JarFile(file, true, JarFile.OPEN_READ, JarFile.runtimeVersion()));
        open(instrumentation, loader);
        Object[] parts;
        // Where the agent's log looks for its settings: not in the program's class path.
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        try {
            parts = (Object[]) loader.loadClass("io.weir.agent.core.AgentCore")
                    .getMethod("begin", String.class)
                    .invoke(null, argument);
        } catch (InvocationTargetException e) {
            Throwable cause = e.getCause();
            if (cause instanceof IllegalArgumentException wrong) {
                throw new WrongRulesException(wrong.getMessage());
            }
            if (cause instanceof Error error) {
                throw error;
            }
            throw e;
        } finally {
            thread.setContextClassLoader(before);
        }
        if (parts.length > 0) {
            install(parts);
            instrumentation.addTransformer((ClassFileTransformer) parts[4]);
        }
    }

    /** What the agent needs of the Java runtime that others do not. */
    private static void open(Instrumentation instrumentation, ClassLoader loader) {
        Set<Module> agent = Set.of(loader.getUnnamedModule());
        instrumentation.redefineModule(
                Object.class.getModule(),
                Set.of(),
                Map.of("sun.nio.ch", agent),
                Map.of("java.net", agent, "jdk.internal.misc", agent),
                Set.of(),
                Map.of());
    }

    private static void install(Object[] parts) throws IOException {
        List<String> own = new ArrayList<>();
        String provider = System.getProperty(PROVIDER_PROPERTY);
        if (provider == null) {
            WeirSelectorProvider.setUsed((SelectorProvider) parts[0]);
            System.setProperty(PROVIDER_PROPERTY, WeirSelectorProvider.class.getName());
        } else {
            own.add("channels stay those of " + provider + ", which the program names itself");
        }
        String asynchronous = System.getProperty(ASYNCHRONOUS_PROPERTY);
        if (asynchronous == null) {
            WeirAsynchronousProvider.setUsed((AsynchronousChannelProvider) parts[3]);
            System.setProperty(ASYNCHRONOUS_PROPERTY, WeirAsynchronousProvider.class.getName());
        } else {
            own.add("asynchronous channels stay those of " + asynchronous + ", which the program names itself");
        }
        Factories.install(parts, own);
        own.forEach(WeirAgent::say);
    }
}
