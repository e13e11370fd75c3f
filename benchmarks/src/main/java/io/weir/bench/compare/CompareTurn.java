package io.weir.bench.compare;

/**
 * One run: a subject does a job while so many threads spin.
 *
 * @param round which of the rounds, from 0
 * @param spinners how many threads spin
 * @param job what is done
 * @param rival who does it
 */
record CompareTurn(int round, int spinners, Job job, Rival rival) {}
