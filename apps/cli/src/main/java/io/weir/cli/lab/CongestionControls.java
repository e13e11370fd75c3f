package io.weir.cli.lab;

import io.weir.cli.environment.EnvironmentException;
import io.weir.cli.scenario.KernelTcp;
import io.weir.nic.Errno;
import io.weir.nic.NicException;
import io.weir.nic.net.TcpSender;
import io.weir.transport.scenario.Traffic;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The congestion controls of the kernel's TCP, by the names that the kernel has for them.
 *
 * @param available what it has in memory; others may be modules that are not loaded
 * @param allowed those of them that any user may choose
 */
record CongestionControls(String available, String allowed) {
    private static final Path FOLDER = Path.of("/proc/sys/net/ipv4");

    /**
     * Refuses when the kernel will not give a socket what the traffic wants. It is asked, by a socket that goes
     * nowhere: it may load modules for who may administrate, which no file tells.
     */
    static void requireFor(List<Traffic> traffic) {
        for (Traffic flows : traffic) {
            String wanted = ((KernelTcp) flows.protocol()).congestionControl();
            try {
                TcpSender.open(InetAddress.getLoopbackAddress(), wanted).close();
            } catch (NicException e) {
                throw new EnvironmentException("traffic '" + flows.id() + "': " + read().refusal(wanted, e), e);
            }
        }
    }

    private static CongestionControls read() {
        try {
            return new CongestionControls(
                    Files.readString(FOLDER.resolve("tcp_available_congestion_control"))
                            .strip(),
                    Files.readString(FOLDER.resolve("tcp_allowed_congestion_control"))
                            .strip());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return why there can be no socket with the congestion control {@code wanted}, and what to do} */
    String refusal(String wanted, NicException e) {
        String has = "TCP's congestion control " + wanted + " is refused: this kernel has " + available;
        if (e.is(Errno.EPERM)) {
            return has + ", and allows " + allowed
                    + " to everybody; run as root (CAP_NET_ADMIN), or allow it: sysctl -w"
                    + " net.ipv4.tcp_allowed_congestion_control='" + allowed + " " + wanted + "'";
        }
        if (e.is(Errno.ENOENT)) {
            return has + "; write one of these, or load its module: modprobe tcp_" + wanted;
        }
        return e.getMessage();
    }
}
