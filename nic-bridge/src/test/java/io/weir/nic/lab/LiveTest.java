package io.weir.nic.lab;

import io.weir.nic.testing.ProcessLedger;
import java.io.IOException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Marks tests that use the kernel: interfaces, namespaces, AF_XDP. They skip, saying why, only where the user is not
 * root; as root, or with {@code WEIR_REQUIRE_LIVE=1}, they run and fail if they cannot. One that passes and leaves
 * something behind in this process or the kernel fails.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Tag("net")
@ExtendWith(LiveTest.Rule.class)
public @interface LiveTest {
    /**
     * {@return whether the process has no more afterwards than before} Not where a library keeps what it opens until
     * the process ends.
     */
    boolean isBalanced() default true;

    /** Decides whether a live test runs, and looks at what it leaves. */
    final class Rule implements ExecutionCondition, BeforeEachCallback, AfterEachCallback {
        private static final ExtensionContext.Namespace OURS = ExtensionContext.Namespace.create(LiveTest.class);

        @Override
        public void beforeEach(ExtensionContext context) throws IOException {
            context.getStore(OURS).put(ProcessLedger.class, ProcessLedger.now());
        }

        @Override
        public void afterEach(ExtensionContext context) throws IOException {
            if (context.getExecutionException().isEmpty() && isBalanced(context)) {
                context.getStore(OURS)
                        .get(ProcessLedger.class, ProcessLedger.class)
                        .requireNothingLeft();
            }
        }

        /** {@return what the test, its class and those around it say: a suite's classes are within another} */
        private static boolean isBalanced(ExtensionContext context) {
            boolean isBalanced = AnnotationSupport.findAnnotation(context.getElement(), LiveTest.class)
                    .map(LiveTest::isBalanced)
                    .orElse(true);
            return isBalanced && context.getParent().map(Rule::isBalanced).orElse(true);
        }

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
