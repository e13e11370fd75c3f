package io.weir.nic.ffi;

import jnr.ffi.annotations.IgnoreError;

/**
 * The functions of native/dpdk/weir_dpdk.c. Arguments are primitives, addresses included, so that a call allocates
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

    /** Creates a pool. */
    long weir_pool_create(long name, int count, int strideBytes);

    /** Frees a pool. */
    void weir_pool_free(long pool);

    /** Makes or probes a device. */
    int weir_device_attach(long arguments, long name);

    /** Tells what a device is. */
    int weir_device_info(int device, long out);

    /** Closes a device. */
    int weir_device_detach(int device);

    /** Opens a port. */
    long weir_port_open(long pool, int device, int queueCount, int mtuBytes, int fillCount);

    /** Starts a port, or stops and starts it. */
    int weir_port_start(long port);

    /** Sets whether a port takes every frame. */
    int weir_port_set_promiscuous(long port, int isOn);

    /** Takes frames to groups. */
    int weir_port_take_groups(long port);

    /** Receives a burst. */
    @IgnoreError
    int weir_port_receive(long port, int fillCount, int limit);

    /** Transmits a burst. */
    @IgnoreError
    int weir_port_transmit(long port, int first, int count);

    /** Reads the device's counters. */
    int weir_port_statistics(long port, long out);

    /** Asks for the link. */
    @IgnoreError
    int weir_port_is_up(long port);

    /** Closes a port. */
    void weir_port_close(long port);
}
