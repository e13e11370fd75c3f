package io.weir.bench.raw;

import io.weir.nic.lab.TwoHosts;
import java.util.List;
import java.util.Locale;

/** A job that both sides do, and what the C program at the other end of the links does meanwhile. */
enum RawJob {
    /** Take in what a transmitter sends. */
    RECEIVE("transmit --interface " + TwoHosts.INTERFACE, "--interface " + TwoHosts.INTERFACE),
    /** Send as fast as possible to a receiver. */
    TRANSMIT("receive --interface " + TwoHosts.INTERFACE, "--interface " + TwoHosts.INTERFACE),
    /** Pass on by one port what comes by another. */
    FORWARD(
            "transmit --interface " + TwoHosts.INTERFACE + " --sink " + RawBenchmark.SECOND_INTERFACE,
            "--interface " + TwoHosts.INTERFACE + " --output " + RawBenchmark.SECOND_INTERFACE),
    /** Send one frame and wait for its echo, spinning. */
    PING("echo --interface " + TwoHosts.INTERFACE, "--interface " + TwoHosts.INTERFACE);

    private final String peerCommand;
    private final String deviceOptions;

    RawJob(String peerCommand, String deviceOptions) {
        this.peerCommand = peerCommand;
        this.deviceOptions = deviceOptions;
    }

    /** {@return the C program's arguments at the other end} */
    List<String> peerArguments() {
        return words(peerCommand);
    }

    /** {@return the C program's arguments when it does the job itself} */
    List<String> deviceArguments() {
        return words(label() + " " + deviceOptions);
    }

    /** {@return its name in the C program and the report} */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    private static List<String> words(String text) {
        return List.of(text.split(" ", -1));
    }
}
