package io.weir.nic.ffi;

import jnr.ffi.annotations.IgnoreError;

/**
 * The functions of the library in native/dpdk. Arguments are primitives, addresses included, so that a call allocates
 * nothing.
 */
public interface DpdkBinding {
    /** Initializes the environment. */
    int weir_dpdk_init(int count, long arguments);

    /** Copies what was logged. */
    int weir_dpdk_log(long out, int outBytes);

    /** The error number of the calling thread. */
    @IgnoreError
    int weir_dpdk_error();

    long weir_pool_create(long name, int count, int strideBytes);

    /** Frees a pool. */
    void weir_pool_free(long pool);

    /** Makes or probes a device. */
    int weir_device_attach(long arguments, long name);

    /** Tells what a device is. */
    int weir_device_info(int device, long out);

    /** Closes a device. */
    int weir_device_detach(int device);

    /** Sets a device up. */
    long weir_link_open(int device, int queueCount, int mtuBytes, int wantsStamps);

    /** Starts a device, or stops and starts it. */
    int weir_link_start(long link);

    /** Sets whether a device takes every frame. */
    int weir_link_set_promiscuous(long link, int isOn);

    /** Takes frames to groups. */
    int weir_link_take_groups(long link);

    /** Reads the device's counters. */
    int weir_link_statistics(long link, long out);

    /** Asks for the link. */
    @IgnoreError
    int weir_link_is_up(long link);

    /** Reads the clock by which a device stamps frames. */
    int weir_link_read_clock(long link, long out);

    /** Stops a device. */
    void weir_link_close(long link);

    /** Opens a port of a device that is set up. */
    long weir_port_open(long link, long pool, int firstQueue, int queueStep, int fillCount);

    /** Receives a burst. */
    @IgnoreError
    int weir_port_receive(long port, int fillCount, int limit);

    /** Transmits a burst. */
    @IgnoreError
    int weir_port_transmit(long port, int first, int count);

    /** Closes a port. */
    void weir_port_close(long port);
}
