package io.weir.transport.fallback;

import io.weir.transport.socket.Transport;
import io.weir.transport.socket.WeirServerSocket;
import io.weir.transport.socket.WeirSocket;
import java.io.Closeable;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;

/**
 * Weir's half of a port that is listened on over Weir and perhaps over TCP. It passes over what its peer has given up
 * before it was accepted: the loser of two openings.
 */
public final class Listener implements Closeable {
    private final Fallback home;
    private final WeirServerSocket sockets;
    private final long beganNanos;

    private Listener(Fallback home, WeirServerSocket sockets, long beganNanos) {
        this.home = home;
        this.sockets = sockets;
        this.beganNanos = beganNanos;
    }

    /**
     * {@return Weir's half, or null where the rule prefers Weir and there is none here: the reason is told}
     *
     * @param rule what {@link Fallback#ruleOfListen} gave
     * @param local the address and the port that TCP has; port 0 for one of Weir's choice
     * @throws IOException if the rule wants Weir alone, and it cannot listen there
     * @throws BindException if the port is in use
     */
    public static Listener open(Fallback home, Rule rule, InetSocketAddress local, int backlog) throws IOException {
        long startNanos = home.nowNanos();
        try {
            Transport transport = home.requireTransport(rule);
            WeirServerSocket sockets = Uninterrupted.call(() -> transport.listen(local, Math.max(1, backlog)));
            Listener listener = new Listener(home, sockets, startNanos);
            listener.tell(Outcome.WEIR, local, rule, "");
            return listener;
        } catch (BindException e) {
            throw e;
        } catch (IOException e) {
            if (rule.preference() == Preference.WEIR) {
                throw e;
            }
            new Listener(home, null, startNanos).tell(Outcome.TCP_UNAVAILABLE, local, rule, e.getMessage());
            return null;
        }
    }

    private void tell(Outcome outcome, InetSocketAddress local, Rule rule, String reason) {
        long elapsedNanos = home.nowNanos() - beganNanos;
        String ways = outcome != Outcome.WEIR
                ? " over TCP alone"
                : rule.preference() == Preference.WEIR ? " over Weir alone" : " over Weir and TCP";
        home.tell(new Explanation(
                outcome,
                local,
                elapsedNanos,
                nanos -> "listens at " + Explanation.text(local) + ways + ", by the rule of " + rule.origin() + " ("
                        + rule.preference() + ")" + (reason.isEmpty() ? "" : ": " + reason)));
    }

    /** Sets what is called when there is something to take: {@link WeirServerSocket#setListener}. */
    public void setListener(Runnable newListener) {
        sockets.setListener(newListener);
    }

    /** {@return whether there may be something to take} */
    public boolean hasWaiting() {
        return sockets.hasWaiting();
    }

    /** {@return a connection that has come, or null} */
    public WeirSocket tryAccept() {
        for (WeirSocket next = sockets.tryAccept(); next != null; next = sockets.tryAccept()) {
            if (!isGivenUp(next)) {
                return next;
            }
            next.abort();
            home.onPassedOver();
        }
        return null;
    }

    private static boolean isGivenUp(WeirSocket accepted) {
        try {
            return accepted.isOver() && accepted.available() == 0;
        } catch (IOException e) {
            return true;
        }
    }

    /** {@return the port} */
    public int localPort() {
        return sockets.localPort();
    }

    @Override
    public void close() {
        sockets.close();
    }
}
