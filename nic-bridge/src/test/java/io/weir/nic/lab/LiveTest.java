package io.weir.nic.lab;

import java.io.IOException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Marks tests that use the kernel: interfaces, namespaces, AF_XDP. They skip, saying why, only where the user is not
 * root; as root, or with {@code WEIR_REQUIRE_LIVE=1}, they run and fail if they cannot.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Tag("net")
@ExtendWith(LiveTest.Rule.class)
public @interface LiveTest {

    /** Decides whether a live test runs. */
    final class Rule implements ExecutionCondition {
        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            if (isRequired()) {
                return ConditionEvaluationResult.enabled("WEIR_REQUIRE_LIVE=1");
            }
            return isRoot()
                    ? ConditionEvaluationResult.enabled("root")
                    : ConditionEvaluationResult.disabled(
                            "not root: network namespaces and AF_XDP need it; run as root, or set WEIR_REQUIRE_LIVE=1 to"
                                    + " make this a failure");
        }

        /** {@return whether all of them must run, by order of the caller} */
        public static boolean isRequired() {
            return "1".equals(System.getenv("WEIR_REQUIRE_LIVE"));
        }

        private static boolean isRoot() {
            try {
                return Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
            } catch (IOException | UnsupportedOperationException e) {
                return false;
            }
        }
    }
}
