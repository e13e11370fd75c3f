package io.weir.transport.threads;

import io.weir.transport.socket.Transport;
import io.weir.transport.socket.WeirSocket;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** A thread that interferes: it closes, aborts, interrupts, listens again and ends transports at any moment. */
final class Disturber {
    private static final int PAUSE_NANOS_MAX = 1_500_000;
    private static final int ACTIONS_MAX = 8;

    private final ThreadOrder order;
    private final Talkers talkers;
    private final List<Talk> talks;
    private final List<TurnThread> victims;
    private final Transport client;
    private final Transport server;

    Disturber(
            ThreadOrder order,
            Talkers talkers,
            List<Talk> talks,
            List<TurnThread> victims,
            List<Transport> transports) {
        this.order = order;
        this.talkers = talkers;
        this.talks = talks;
        this.victims = victims;
        this.client = transports.get(0);
        this.server = transports.get(1);
    }

    void disturb() {
        int count = order.nextInt(ACTIONS_MAX + 1);
        for (int i = 0; i < count; i++) {
            order.sleep(order.nextInt(PAUSE_NANOS_MAX));
            talkers.at("disturbs", null);
            try {
                act(order.nextInt(20));
            } catch (IOException e) {
                // The socket was closed already, or the transport.
                talkers.disturbAll();
            }
        }
    }

    private void act(int action) throws IOException {
        if (action == 0 && order.nextInt(2) == 0) {
            talkers.disturbAll();
            Transport ended = order.nextInt(2) == 0 ? client : server;
            // To connect to a host that is gone takes the whole time-out.
            talkers.stopConnecting();
            ended.close(Duration.ofMillis(order.nextInt(3)));
        } else if (action <= 2 && talkers.listener() != null) {
            // Those that wait to be accepted are reset.
            talkers.disturbAll();
            var earlier = talkers.listener();
            earlier.close();
            if (talkers.listener() == earlier) {
                talkers.setListener(server.listen(Talkers.PORT));
            }
        } else if (action <= 6) {
            TurnThread victim = victims.get(order.nextInt(victims.size()));
            if (!victim.hasEnded()) {
                order.interrupt(victim);
            }
        } else {
            Talk talk = talks.get(order.nextInt(talks.size()));
            WeirSocket socket = order.nextInt(2) == 0 ? talk.near : talk.far;
            if (socket != null) {
                talk.isDisturbed = true;
                end(socket, action);
            }
        }
    }

    private static void end(WeirSocket socket, int action) throws IOException {
        if (action < 12) {
            socket.close();
        } else if (action < 16) {
            socket.abort();
        } else if (action < 18) {
            socket.shutdownInput();
        } else {
            socket.shutdownOutput();
        }
    }
}
