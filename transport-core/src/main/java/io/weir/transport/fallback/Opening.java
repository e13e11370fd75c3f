package io.weir.transport.fallback;

import io.weir.transport.socket.LocalPort;
import io.weir.transport.socket.Transport;
import io.weir.transport.socket.WeirSocket;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * One connection that is opened over Weir, over TCP, or both: the first that completes is used. Who asked for it opens
 * TCP's half, when it is told to. Any thread.
 */
public final class Opening {
    /** TCP's half. Called on any thread; it must not block and not throw. */
    public interface Tcp {
        /** TCP is to begin: {@link #onTcpOpened} or {@link #onTcpFailed} tells how that ends. */
        void begin();

        /** It is decided: by Weir, or by a failure of both. */
        void onDecided();
    }

    private final Fallback home;
    private final InetSocketAddress remote;
    private final InetSocketAddress local;
    private final Rule rule;
    private final Tcp tcp;
    private final Transport transport;
    /** Why Weir is not asked, or null. */
    private final String absence;

    private final Outcome absentOutcome;
    private final OpeningRace race;
    private final long startNanos;
    /** Weir's half, or null where it is not asked; written by the thread that begins. */
    private volatile CompletableFuture<WeirSocket> opening;
    /** Takes back the end of Weir's head start; written by the thread that begins. */
    private volatile Runnable headStart = () -> {};
    /** The port that Weir's half has bound, or null; written by the thread that begins. */
    private volatile LocalPort from;
    /** Weir's connection once it has won; written once, by the loop. */
    private volatile WeirSocket socket;
    /** Null until it is decided; written once, by the thread that decides. */
    private volatile Explanation explanation;

    Opening(Fallback home, InetSocketAddress remote, InetSocketAddress local, Rule rule, Tcp tcp) {
        this.home = home;
        this.remote = remote;
        this.local = local;
        this.rule = rule;
        this.tcp = Objects.requireNonNull(tcp, "tcp is null; give TCP's half");
        this.startNanos = home.nowNanos();
        this.transport = home.transport(rule.interfaceName());
        boolean mayUseTcp = rule.preference() == Preference.PREFER;
        String remembered = mayUseTcp ? home.peers().absence(remote, startNanos) : null;
        if (transport == null) {
            this.absence = home.obstacle(rule.interfaceName());
            this.absentOutcome = Outcome.TCP_UNAVAILABLE;
        } else {
            this.absence = remembered;
            this.absentOutcome = Outcome.TCP_REMEMBERED;
        }
        this.race = new OpeningRace(absence == null || !mayUseTcp, mayUseTcp);
    }

    /** Begins. Once. */
    void begin() {
        if (race.state() == OpeningRace.State.TCP) {
            tcp.begin();
            return;
        }
        if (transport == null) {
            onWeirFailed(new IOException(absence));
            return;
        }
        CompletableFuture<WeirSocket> begun = beginWeir();
        opening = begun;
        if (rule.preference() == Preference.PREFER && !race.isDecided()) {
            headStart = home.headStart().after(home.headStartNanos(), this::onHeadStartOver);
        }
        CompletableFuture<WeirSocket> unused = begun.whenComplete((opened, problem) -> {
            if (problem == null) {
                onWeirOpened(opened);
            } else {
                onWeirFailed(ioException(problem));
            }
        });
        assert unused != null;
    }

    private CompletableFuture<WeirSocket> beginWeir() {
        try {
            if (local != null) {
                LocalPort bound = Uninterrupted.call(() -> transport.bind(local));
                from = bound;
                return transport.connectAsync(remote, bound);
            }
            return rule.protocol() == null
                    ? transport.connectAsync(remote)
                    : transport.connectAsync(remote, rule.protocol());
        } catch (IOException | RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private static IOException ioException(Throwable problem) {
        Throwable cause =
                problem instanceof CompletionException && problem.getCause() != null ? problem.getCause() : problem;
        return cause instanceof IOException io ? io : new IOException(cause.toString(), cause);
    }

    private void onWeirOpened(WeirSocket opened) {
        if (!race.onWeirOpened()) {
            opened.abort();
            return;
        }
        socket = opened;
        headStart.run();
        home.peers().onOpened(remote);
        decide(Outcome.WEIR, "over Weir (" + opened.protocol().name().toLowerCase(Locale.ROOT) + ")", "");
        tcp.onDecided();
    }

    private void onWeirFailed(IOException problem) {
        boolean isTcpsTurn = race.onWeirFailed(problem);
        releasePort();
        if (isTcpsTurn) {
            headStart.run();
            tcp.begin();
        } else if (race.state() == OpeningRace.State.FAILED) {
            onFailed();
        }
    }

    private void onHeadStartOver() {
        if (race.onHeadStartOver()) {
            tcp.begin();
        }
    }

    /** {@return whether TCP's connection is used; otherwise it is to be reset} */
    public boolean onTcpOpened() {
        boolean wasRacing = race.state() == OpeningRace.State.BOTH;
        if (!race.onTcpOpened()) {
            return false;
        }
        IOException problem = race.weirFailure();
        if (problem != null) {
            // A peer that refuses both is being restarted, say, which tells nothing about what it will have.
            if (problem instanceof ConnectException || problem instanceof NoRouteToHostException) {
                home.peers().onRefused(remote, problem.getMessage(), home.nowNanos());
            }
            decide(Outcome.TCP_REFUSED, "over TCP", "Weir was tried first: " + problem.getMessage());
        } else if (absence != null) {
            decide(absentOutcome, "over TCP", "Weir was not tried: " + absence);
        } else {
            assert wasRacing : "TCP alone, without a reason";
            home.peers().onUnanswered(remote, home.nowNanos());
            decide(Outcome.TCP_FIRST, "over TCP", "Weir was tried first and had no answer before TCP had one");
        }
        giveUpWeir();
        return true;
    }

    /** TCP's half has failed. */
    public void onTcpFailed(IOException problem) {
        race.onTcpFailed(problem);
        if (race.state() == OpeningRace.State.FAILED) {
            onFailed();
        }
    }

    private void onFailed() {
        if (explanation == null) {
            decide(Outcome.FAILED, "not opened", String.valueOf(race.failure()));
            tcp.onDecided();
        }
    }

    /** The application has given it up, or no longer has time. */
    public void cancel() {
        if (race.onCancelled()) {
            headStart.run();
            giveUpWeir();
        }
    }

    private void giveUpWeir() {
        CompletableFuture<WeirSocket> begun = opening;
        if (begun != null) {
            begun.cancel(false);
        }
        releasePort();
    }

    private void releasePort() {
        LocalPort bound = from;
        if (bound != null) {
            bound.close();
        }
    }

    private void decide(Outcome outcome, String way, String reason) {
        long elapsedNanos = home.nowNanos() - startNanos;
        // Not fields: who keeps the explanation must keep neither this opening nor its connection.
        InetSocketAddress to = remote;
        Rule decisive = rule;
        explanation = new Explanation(
                outcome,
                to,
                elapsedNanos,
                nanos -> Explanation.text(to) + " " + way + " after " + Explanation.milliseconds(nanos)
                        + ", by the rule of " + decisive.origin() + " (" + decisive.preference() + ")"
                        + (reason.isEmpty() ? "" : ". " + reason));
        home.tell(explanation);
    }

    /**
     * {@return whether it is known which way the connection goes, or that it failed or was given up} Then {@link #weir}
     * and {@link #failure} say which.
     */
    public boolean isDecided() {
        // The race is over a moment before its winner is to be had.
        return explanation != null || race.state() == OpeningRace.State.CANCELLED;
    }

    /** {@return Weir's connection, or null while it is not decided or where it goes another way} */
    public WeirSocket weir() {
        return socket;
    }

    /** {@return why the connection was not opened, or null} */
    public IOException failure() {
        return race.failure();
    }

    /** {@return what happened, or null while it is not decided} */
    public Explanation explanation() {
        return explanation;
    }
}
