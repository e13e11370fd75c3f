package io.weir.transport.node;

/**
 * Why a port moves no frame any more, for good. Each cause is defined here, once: what applications are told, what is
 * logged and what commands print is made from it.
 */
public enum PortEnd {
    /** The interface was deleted, or moved to another network namespace. */
    INTERFACE_DELETED(
            "the interface",
            "was deleted",
            "set reopen to have the transport wait for it, or open another transport when there is one of that name"
                    + " again"),
    /** The broker that owns the interface ended, or hung up on this process. */
    BROKER_ENDED(
            "the broker",
            "ended or hung up",
            "start it, and open the transport again, or set reopen to have the transport wait for it");

    private final String subject;
    private final String predicate;
    private final String remedy;

    PortEnd(String subject, String predicate, String remedy) {
        this.subject = subject;
        this.predicate = predicate;
        this.remedy = remedy;
    }

    /** {@return the cause as a phrase, as in "the interface was deleted"} */
    public String phrase() {
        return phraseOf(subject);
    }

    /**
     * {@return the cause with a name in it, as in "interface eth0 was deleted"}
     *
     * @param named what ended, such as {@code interface eth0}
     */
    public String phraseOf(String named) {
        return named + " " + predicate;
    }

    /**
     * {@return the cause with a name in it, and what to do about it}
     *
     * @param named what ended, such as {@code interface eth0}
     */
    public String sentenceOf(String named) {
        return phraseOf(named) + "; " + remedy;
    }
}
