package io.weir.cli.switching;

/** What a port's credit meter charges, and against which rate. */
enum CreditModel {
    /** Each credit its own bytes and the largest frame that it permits, against the link less the creditless share. */
    EXACT,
    /** Each credit its own bytes, against 84/(84 + 1538) of the link: the meter of ExpressPass section 3.1. */
    PAPER,
    /** Each credit its own bytes, against mean/(mean + 1538) of the link: the meter of the authors' code. */
    AUTHORS,
    /** No meter: credits go with the data. */
    OFF;

    /** {@return whether {@code key} of the block means something beside this model} */
    boolean uses(String key) {
        return switch (this) {
            case EXACT -> true;
            case PAPER, AUTHORS -> !key.equals("creditless");
            case OFF -> key.equals("model");
        };
    }

    /** {@return what the file calls it} */
    String word() {
        return PortKeys.word(this);
    }
}
