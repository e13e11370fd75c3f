package io.weir.cli.perf;

import io.weir.transport.node.ConfigException;
import picocli.CommandLine.Option;

/** iperf3's options that mean nothing here: each is refused with the reason, and with what does the same. */
@SuppressWarnings("unused") // picocli calls the methods
final class Iperf3Refusals {
    private static final String AUTHENTICATION =
            "perf has no users and passwords; let a firewall or --rights of weir" + " broker say who may test";
    private static final String SCTP = "perf has no SCTP; Weir's streams are its own protocols (--protocol)";

    Iperf3Refusals() {}

    /** Picocli also sets what was not given, to nothing. */
    private static void refuse(boolean isGiven, String option, String reason) {
        if (isGiven) {
            throw new ConfigException(option + " is not for perf: " + reason);
        }
    }

    @Option(
            names = {"-u", "--udp"},
            hidden = true)
    void refuseUdp(boolean isSet) {
        refuse(isSet, "-u", "Weir carries reliable streams, not datagrams; leave it out, and limit a rate by -b");
    }

    @Option(names = "--sctp", hidden = true)
    void refuseSctp(boolean isSet) {
        refuse(isSet, "--sctp", SCTP);
    }

    @Option(
            names = {"-X", "--xbind"},
            hidden = true)
    void refuseXbind(String name) {
        refuse(name != null, "-X", SCTP);
    }

    @Option(names = "--nstreams", hidden = true)
    void refuseNstreams(String count) {
        refuse(count != null, "--nstreams", SCTP + "; several streams are -P");
    }

    @Option(
            names = {"-C", "--congestion", "--linux-congestion"},
            hidden = true)
    void refuseCongestion(String algorithm) {
        refuse(
                algorithm != null,
                "-C",
                "what schedules a stream is --protocol NAME; the kernel's own is set by sysctl"
                        + " net.ipv4.tcp_congestion_control");
    }

    @Option(
            names = {"-Z", "--zerocopy"},
            hidden = true)
    void refuseZeroCopy(boolean isSet) {
        refuse(isSet, "-Z", "whether frames are copied is the port's choice, which it tells; --copy has it copy");
    }

    @Option(names = "--pacing-timer", hidden = true)
    void refusePacingTimer(String micros) {
        refuse(micros != null, "--pacing-timer", "a rate limit of -b is looked at each millisecond; leave it out");
    }

    @Option(names = "--fq-rate", hidden = true)
    void refuseFairQueueing(String rate) {
        refuse(rate != null, "--fq-rate", "Weir has no queueing discipline of the kernel below it; limit a rate by -b");
    }

    @Option(names = "--udp-counters-64bit", hidden = true)
    void refuseCounters(boolean isSet) {
        refuse(isSet, "--udp-counters-64bit", "there are no datagrams to count; leave it out");
    }

    @Option(names = "-d", hidden = true)
    void refuseDebug(boolean isSet) {
        refuse(isSet, "-d", "write --debug, which logs what happens");
    }

    @Option(names = "--username", hidden = true)
    void refuseUser(String name) {
        refuse(name != null, "--username", AUTHENTICATION);
    }

    @Option(names = "--rsa-public-key-path", hidden = true)
    void refusePublicKey(String path) {
        refuse(path != null, "--rsa-public-key-path", AUTHENTICATION);
    }

    @Option(names = "--rsa-private-key-path", hidden = true)
    void refusePrivateKey(String path) {
        refuse(path != null, "--rsa-private-key-path", AUTHENTICATION);
    }

    @Option(names = "--authorized-users-path", hidden = true)
    void refuseUsers(String path) {
        refuse(path != null, "--authorized-users-path", AUTHENTICATION);
    }

    @Option(names = "--time-skew-threshold", hidden = true)
    void refuseSkew(String seconds) {
        refuse(seconds != null, "--time-skew-threshold", AUTHENTICATION);
    }
}
