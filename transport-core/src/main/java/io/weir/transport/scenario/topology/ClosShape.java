package io.weir.transport.scenario.topology;

import io.weir.transport.node.ConfigException;

/**
 * How many switches of each layer a three-tier Clos network has. Every top-of-rack switch of a pod has a link to every
 * aggregation switch of the pod; aggregation switch j of each pod has a link to every core switch c with c mod
 * aggrsPerPod = j.
 *
 * @param pods pods
 * @param torsPerPod top-of-rack switches of a pod
 * @param aggrsPerPod aggregation switches of a pod
 * @param cores core switches of the network, a multiple of {@code aggrsPerPod}
 * @param hostsPerTor hosts of a top-of-rack switch; over {@code aggrsPerPod}, with equal links, it is the
 *     over-subscription
 */
public record ClosShape(int pods, int torsPerPod, int aggrsPerPod, int cores, int hostsPerTor) {
    /**
     * The tree of ExpressPass section 6.3: 8 core, 16 aggregation and 32 top-of-rack switches, 192 hosts,
     * over-subscribed 3:1. Switch i of the racks has links to aggregation switches 2 floor(i/4) and 2 floor(i/4) + 1,
     * of the aggregation to the core switches of the same parity.
     */
    public static final ClosShape EXPRESSPASS = builder()
            .pods(8)
            .torsPerPod(4)
            .aggrsPerPod(2)
            .cores(8)
            .hostsPerTor(6)
            .build();

    public ClosShape {
        NetworkBuilder.require("pods", pods, 1);
        NetworkBuilder.require("torsPerPod", torsPerPod, 1);
        NetworkBuilder.require("aggrsPerPod", aggrsPerPod, 1);
        NetworkBuilder.require("cores", cores, 1);
        NetworkBuilder.require("hostsPerTor", hostsPerTor, 1);
        if (cores % aggrsPerPod != 0) {
            throw new ConfigException("cores=" + cores + " is not a multiple of aggrsPerPod=" + aggrsPerPod + "; with "
                    + (cores / aggrsPerPod + 1) * aggrsPerPod + " every aggregation switch has as many");
        }
    }

    /**
     * {@return the fat tree of switches with {@code ports} ports}
     *
     * @param ports k: k pods of k/2 and k/2 switches, and (k/2)^2 core switches
     * @param overSubscription how many times more hosts a top-of-rack switch has than links upwards
     */
    public static ClosShape fatTree(int ports, int overSubscription) {
        if (ports < 2 || ports % 2 != 0) {
            throw new ConfigException("a fat tree of switches with ports=" + ports + "; the number must be even");
        }
        NetworkBuilder.require("overSubscription", overSubscription, 1);
        int half = ports / 2;
        return builder()
                .pods(ports)
                .torsPerPod(half)
                .aggrsPerPod(half)
                .cores(half * half)
                .hostsPerTor(half * overSubscription)
                .build();
    }

    /** {@return a builder of a network of one pod that has one of everything} */
    public static Builder builder() {
        return new Builder();
    }

    /** Names each count. */
    public static final class Builder {
        private int pods = 1;
        private int torsPerPod = 1;
        private int aggrsPerPod = 1;
        private int cores = 1;
        private int hostsPerTor = 1;

        private Builder() {}

        /** Sets the pods. */
        public Builder pods(int count) {
            pods = count;
            return this;
        }

        /** Sets the top-of-rack switches of a pod. */
        public Builder torsPerPod(int count) {
            torsPerPod = count;
            return this;
        }

        /** Sets the aggregation switches of a pod. */
        public Builder aggrsPerPod(int count) {
            aggrsPerPod = count;
            return this;
        }

        /** Sets the core switches of the network. */
        public Builder cores(int count) {
            cores = count;
            return this;
        }

        /** Sets the hosts of a top-of-rack switch. */
        public Builder hostsPerTor(int count) {
            hostsPerTor = count;
            return this;
        }

        /** {@return the shape} */
        public ClosShape build() {
            return new ClosShape(pods, torsPerPod, aggrsPerPod, cores, hostsPerTor);
        }
    }
}
