/** What crosses a network, flow by flow: the traffic of a scenario, expanded from its seed; and sizes of flows. */
package io.weir.transport.scenario.workload;
