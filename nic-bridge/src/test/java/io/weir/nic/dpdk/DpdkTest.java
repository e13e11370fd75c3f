package io.weir.nic.dpdk;

import io.weir.nic.lab.LiveTest;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A live test that needs the shim for DPDK: skipped where this build has none, unless every live test is to run. */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@LiveTest(isBalanced = false) // DPDK keeps sockets, pipes and memory until the process ends
@ExtendWith(DpdkTest.Rule.class)
public @interface DpdkTest {
    /** What every test of one JVM starts DPDK's environment with: it starts once. */
    String EAL = "--no-huge -m 512";

    /** Looks for the shim. */
    final class Rule implements ExecutionCondition {
        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            if (Dpdk.class.getResource("libweir_dpdk.so") != null) {
                return ConditionEvaluationResult.enabled("DPDK is here");
            }
            String reason = "this build has no DPDK port: apt-get install dpdk dpdk-dev, and build again";
            if (LiveTest.Rule.isRequired()) {
                throw new AssertionError("WEIR_REQUIRE_LIVE=1 but " + reason);
            }
            return ConditionEvaluationResult.disabled(reason);
        }
    }
}
