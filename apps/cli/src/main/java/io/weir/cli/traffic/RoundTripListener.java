package io.weir.cli.traffic;

/** Is told of each round trip of an exchange of messages, on the thread that sends. */
public interface RoundTripListener {
    /** {@return when the message that is sent next counts as sent, by {@link System#nanoTime}} */
    long begin();

    /** {@return whether to send another message, the one sent at {@code sentNanos} having come back} */
    boolean end(long sentNanos);
}
