package io.weir.cli.demo;

import io.weir.cli.lab.QueueStats;

/**
 * One flow of each at the same time.
 *
 * @param weirGoodputBps what Weir's application received
 * @param tcpGoodputBps what TCP's application received
 * @param queue the bottleneck's data queue meanwhile
 * @param dataDrops data frames that the switches dropped
 * @param pauses loops off their cores meanwhile
 */
record MixedFigures(double weirGoodputBps, double tcpGoodputBps, QueueStats queue, long dataDrops, DemoPauses pauses) {}
