package io.weir.transport.scenario.result;

/**
 * What a data queue consisted of when it was longest, in wire bytes.
 *
 * @param creditedDataBytes data that credits permitted
 * @param otherDataBytes data of protocols without credits
 * @param openingBytes frames that open connections
 * @param acknowledgementBytes acknowledgements
 * @param requestBytes requests for credits, and stops
 * @param otherBytes anything else
 */
public record QueueSplit(
        long creditedDataBytes,
        long otherDataBytes,
        long openingBytes,
        long acknowledgementBytes,
        long requestBytes,
        long otherBytes) {}
