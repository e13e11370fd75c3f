package io.weir.cli.doctor;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** How bad a finding is. */
enum Severity {
    /** Weir does not run here, or not in full; the command's status is 3. */
    BREAKS,
    /** Weir runs, slower or with longer delays than the machine allows. */
    SLOWS,
    /** Worth knowing; whether it matters depends on what the machine is for. */
    ADVICE;

    /** {@return the word in texts and documents} */
    @JsonValue
    String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
