/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
/*
 * The host's program of weir_xdp.bpf.c, which moreover asks the device when the frame came and hands the answer on.
 *
 *   xdp/host_stamps   as xdp/host; before each frame stand sixteen bytes: a mark, and the device's time stamp in
 *                     nanoseconds, 0 when the device has none for this frame.
 *
 * A separate object: the function that asks is the kernel's (its number is looked up when the program is loaded), works
 * only in programs that are bound to one device, and may be called only by programs that declare a licence compatible
 * with the GPL. Machines that lack any of this load the other object and miss nothing but the stamps.
 */
#define WEIR_LICENSE "GPL"
#include "weir_xdp.bpf.c"

extern int bpf_xdp_metadata_rx_timestamp(const struct xdp_md *context, u64 *nanos) __attribute__((section(".ksyms")));

SECTION("xdp/host_stamps") int weir_host_stamps(struct xdp_md *context)
{
	u64 nanos = 0;

	if (!is_for_us(context))
		return XDP_PASS;
	if (bpf_xdp_metadata_rx_timestamp(context, &nanos))
		nanos = 0;
	put_stamp(context, nanos);
	return redirect(context);
}
