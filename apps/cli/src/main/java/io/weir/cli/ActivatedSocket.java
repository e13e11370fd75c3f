package io.weir.cli;

import io.weir.nic.broker.BrokerConfig;
import io.weir.transport.node.ConfigException;
import java.util.Map;

/**
 * A listening socket that a service manager has opened and hands over, as systemd does with {@code
 * ListenSequentialPacket=}: the first descriptor behind those of standard input, output and error.
 *
 * @param descriptor the socket's, or {@link BrokerConfig#NO_DESCRIPTOR}
 */
record ActivatedSocket(int descriptor) {
    private static final int FIRST_DESCRIPTOR = 3;

    /** {@return the socket that the environment names for this process} */
    static ActivatedSocket find(Map<String, String> environment, long processId) {
        String count = environment.get("LISTEN_FDS");
        if (count == null || !Long.toString(processId).equals(environment.get("LISTEN_PID"))) {
            return new ActivatedSocket(BrokerConfig.NO_DESCRIPTOR);
        }
        if (!count.equals("1")) {
            throw new ConfigException(
                    "LISTEN_FDS=" + count + ": a broker takes one socket; give its unit one ListenSequentialPacket=");
        }
        return new ActivatedSocket(FIRST_DESCRIPTOR);
    }
}
