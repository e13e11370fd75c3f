/**
 * What an experiment is, whatever world it runs in: hosts, switches, links, traffic, faults and what to measure. Plain
 * data, validated when it is made; who reads it from a file gives errors their place.
 */
package io.weir.transport.scenario;
