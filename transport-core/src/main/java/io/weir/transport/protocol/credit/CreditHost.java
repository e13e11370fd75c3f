package io.weir.transport.protocol.credit;

/**
 * What the flows of a host know together.
 *
 * @param standing which flows may hold a credit while idle
 * @param rtt the round-trip time, for flows that have not measured theirs
 * @param delivery how many credits come back as data
 * @param spares how many credits beyond their backlogs flows may make
 */
record CreditHost(StandingBudget standing, HostRtt rtt, HostDelivery delivery, SpareCredits spares) {}
