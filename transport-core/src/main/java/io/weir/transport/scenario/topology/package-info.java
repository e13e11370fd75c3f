/**
 * Networks of the usual shapes, from a few parameters; and of any network, who is connected to whom, and by which ports
 * the shortest paths lead.
 */
package io.weir.transport.scenario.topology;
