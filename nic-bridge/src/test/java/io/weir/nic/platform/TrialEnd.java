package io.weir.nic.platform;

import io.weir.nic.NicException;
import io.weir.nic.net.InterfaceFacts;
import io.weir.nic.net.Interfaces;
import io.weir.nic.net.NetNamespace;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * One end of a link that is tried: an interface called {@code weir0}, alone in a network namespace.
 *
 * @param namespace the namespace
 * @param address the interface's IPv4 address
 */
record TrialEnd(NetNamespace namespace, String address) {
    static final String INTERFACE = "weir0";

    /** {@return what the kernel tells about the interface} */
    InterfaceFacts facts() throws NicException {
        return namespace.call(() -> Interfaces.find(INTERFACE));
    }

    /** {@return this end's address with a port} */
    InetSocketAddress socketAddress(int port) {
        return new InetSocketAddress(address, port);
    }

    /** Runs {@code ip link set} for the interface. */
    void setLink(String... what) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("ip", "-n", namespace.name(), "link", "set", INTERFACE));
        command.addAll(List.of(what));
        run(command);
    }

    /** {@return what a program prints in the namespace} It fails with that unless the program succeeds. */
    String run(String... program) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("ip", "netns", "exec", namespace.name()));
        command.addAll(List.of(program));
        return run(command);
    }

    private static String run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        int status = process.waitFor();
        if (status != 0) {
            throw new IOException(String.join(" ", command) + " ended with " + status + ": " + output);
        }
        return output;
    }
}
