/* Devices, and links: devices that are set up and run. */
#define _GNU_SOURCE
/* For rte_eth_read_clock, which DPDK 22.11 calls experimental. */
#define ALLOW_EXPERIMENTAL_API
#include <semaphore.h>
#include <stdio.h>
#include <time.h>

#include <rte_alarm.h>
#include <rte_bus.h>
#include <rte_dev.h>
#include <rte_mbuf_dyn.h>

#include "weir_dpdk.h"

/* ---- devices */

/* Makes or probes a device: a PCI address, or the name and arguments of a virtual device. Returns the port's number. */
API int weir_device_attach(const char *arguments, const char *name)
{
	weir_log_clear();
	uint16_t port;
	if (rte_eth_dev_get_port_by_name(name, &port) == 0)
		return port;
	int result = rte_dev_probe(arguments);
	if (result < 0)
		return result;
	return rte_eth_dev_get_port_by_name(name, &port) == 0 ? port : -ENODEV;
}

#define FRAMING_BYTES (RTE_ETHER_HDR_LEN + RTE_ETHER_CRC_LEN)

struct weir_device {
	char driver[32];
	uint8_t mac[8];
	uint32_t mtu_max;
	uint32_t mtu_min;
	uint32_t receive_queues_max;
	uint32_t transmit_queues_max;
	uint64_t receive_offloads;
	uint64_t transmit_offloads;
	uint64_t flow_types;
	uint32_t link_mbps;
	uint32_t link_up;
};

API int weir_device_info(int port, struct weir_device *out)
{
	struct rte_eth_dev_info info;
	struct rte_ether_addr mac;
	struct rte_eth_link link;
	int result = rte_eth_dev_info_get(port, &info);
	if (result < 0)
		return result;
	memset(out, 0, sizeof(*out));
	snprintf(out->driver, sizeof(out->driver), "%s", info.driver_name);
	if (rte_eth_macaddr_get(port, &mac) == 0)
		memcpy(out->mac, mac.addr_bytes, RTE_ETHER_ADDR_LEN);
	/* Where a driver leaves the one open, the other tells. */
	out->mtu_max = info.max_mtu == UINT16_MAX && info.max_rx_pktlen > FRAMING_BYTES
			       ? RTE_MIN(info.max_rx_pktlen - FRAMING_BYTES, (uint32_t)UINT16_MAX)
			       : info.max_mtu;
	out->mtu_min = info.min_mtu;
	out->receive_queues_max = info.max_rx_queues;
	out->transmit_queues_max = info.max_tx_queues;
	out->receive_offloads = info.rx_offload_capa;
	out->transmit_offloads = info.tx_offload_capa;
	out->flow_types = info.flow_type_rss_offloads;
	if (rte_eth_link_get_nowait(port, &link) == 0) {
		out->link_mbps = link.link_speed == RTE_ETH_SPEED_NUM_UNKNOWN ? 0 : link.link_speed;
		out->link_up = link.link_status;
	}
	return 0;
}

struct change {
	int (*run)(void *);
	void *argument;
	int result;
	sem_t is_done;
};

static void run_change(void *argument)
{
	struct change *change = argument;
	change->result = change->run(change->argument);
	sem_post(&change->is_done);
}

static bool is_memif(uint16_t port)
{
	struct rte_eth_dev_info info;
	return rte_eth_dev_info_get(port, &info) == 0 && strcmp(info.driver_name, "net_memif") == 0;
}

/*
 * Runs what starts, stops or closes a device. The memif driver stops it as well, when the other end goes, on DPDK's own
 * thread: both at once would free the shared memory twice. So that thread, which also runs alarms, does it for us.
 */
static int change(uint16_t port, int (*run)(void *), void *argument)
{
	struct change change = {.run = run, .argument = argument};
	if (!is_memif(port))
		return run(argument);
	sem_init(&change.is_done, 0, 0);
	int result = rte_eal_alarm_set(1, run_change, &change);
	if (result == 0) {
		while (sem_wait(&change.is_done) != 0)
			;
		result = change.result;
	}
	sem_destroy(&change.is_done);
	return result;
}

static int close_device(void *argument)
{
	return rte_eth_dev_close(*(const uint16_t *)argument);
}

/* Closes a device, and unplugs a virtual one. */
API int weir_device_detach(int device_port)
{
	uint16_t port = (uint16_t)device_port;
	struct rte_eth_dev_info info;
	if (rte_eth_dev_info_get(port, &info) < 0)
		return -ENODEV;
	struct rte_device *device = info.device;
	change(port, close_device, &port);
	return rte_dev_remove(device);
}

/* ---- links: a device that is set up, with what its ports share */

static int configure(struct weir_link *link, uint16_t mtu, bool wants_stamps)
{
	struct rte_eth_dev_info info;
	struct rte_eth_conf conf = {0};
	int result = rte_eth_dev_info_get(link->port, &info);
	if (result < 0)
		return result;
	if (link->queue_count > 1) {
		conf.rxmode.mq_mode = RTE_ETH_MQ_RX_RSS;
		conf.rx_adv_conf.rss_conf.rss_hf = info.flow_type_rss_offloads & (RTE_ETH_RSS_IP | RTE_ETH_RSS_UDP);
	}
	conf.rxmode.mtu = mtu;
	conf.txmode.offloads = info.tx_offload_capa & (RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE | RTE_ETH_TX_OFFLOAD_UDP_CKSUM);
	conf.rxmode.offloads = info.rx_offload_capa & RTE_ETH_RX_OFFLOAD_UDP_CKSUM;
	/* Some drivers stamp frames without offering it. */
	if (wants_stamps && rte_mbuf_dyn_rx_timestamp_register(&link->stamp_offset, &link->stamp_flag) == 0)
		conf.rxmode.offloads |= info.rx_offload_capa & RTE_ETH_RX_OFFLOAD_TIMESTAMP;
	link->makes_checksums = (conf.txmode.offloads & RTE_ETH_TX_OFFLOAD_UDP_CKSUM) != 0;
	link->checks_checksums = (conf.rxmode.offloads & RTE_ETH_RX_OFFLOAD_UDP_CKSUM) != 0;
	/* Some drivers want as many of one kind as of the other. */
	result = rte_eth_dev_configure(link->port, link->queue_count, link->queue_count, &conf);
	link->receive_slots = RING_SLOTS;
	link->transmit_slots = RING_SLOTS;
	if (result == 0)
		result = rte_eth_dev_adjust_nb_rx_tx_desc(link->port, &link->receive_slots, &link->transmit_slots);
	return result;
}

/*
 * Sets a device up with so many queues each way; an mtu of 0 leaves the device's. With wants_stamps, the driver stamps
 * received frames where it can. NULL for an error.
 */
API struct weir_link *weir_link_open(int device, int queue_count, int mtu, int wants_stamps)
{
	weir_log_clear();
	struct weir_link *link = rte_zmalloc("weir_link", sizeof(*link), RTE_CACHE_LINE_SIZE);
	if (link == NULL) {
		rte_errno = ENOMEM;
		return NULL;
	}
	link->port = (uint16_t)device;
	link->queue_count = (uint16_t)queue_count;
	link->is_mapped_late = is_memif(link->port);
	int result = configure(link, (uint16_t)mtu, wants_stamps != 0);
	if (result < 0) {
		rte_free(link);
		rte_errno = -result;
		return NULL;
	}
	return link;
}

static int start(void *argument)
{
	struct weir_link *link = argument;
	if (link->is_started)
		rte_eth_dev_stop(link->port);
	int result = rte_eth_dev_start(link->port);
	link->is_started = result == 0;
	return result;
}

static int stop(void *argument)
{
	struct weir_link *link = argument;
	link->is_started = false;
	return rte_eth_dev_stop(link->port);
}

/*
 * Starts the device, or stops and starts it: a link in memory looks for its other end only then. Each of its queues has a
 * port by then, and no other thread moves frames.
 */
API int weir_link_start(struct weir_link *link)
{
	weir_log_clear();
	return change(link->port, start, link);
}

/* Takes every frame on the wire, or those to this device alone. */
API int weir_link_set_promiscuous(struct weir_link *link, int is_on)
{
	link->is_promiscuous = is_on != 0;
	return is_on ? rte_eth_promiscuous_enable(link->port) : rte_eth_promiscuous_disable(link->port);
}

/* Takes frames to groups, among which are questions for IPv6 neighbours; where the device cannot filter them, it takes all. */
API int weir_link_take_groups(struct weir_link *link)
{
	return rte_eth_allmulticast_enable(link->port);
}

/* What the device counted: received, sent, missed for want of slots, erroneous, without mbuf, failed to send. */
API int weir_link_statistics(struct weir_link *link, uint64_t *out)
{
	struct rte_eth_stats stats;
	int result = rte_eth_stats_get(link->port, &stats);
	if (result < 0)
		return result;
	out[0] = stats.ipackets;
	out[1] = stats.opackets;
	out[2] = stats.imissed;
	out[3] = stats.ierrors;
	out[4] = stats.rx_nombuf;
	out[5] = stats.oerrors;
	return 0;
}

#define CLOCK_TRIES 8

static uint64_t machine_nanos(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/*
 * Reads the clock by which the device stamps frames: out has its ticks, the machine's monotonic clock shortly before, and
 * how long the reading took, both in nanoseconds; the shortest of some readings.
 */
API int weir_link_read_clock(struct weir_link *link, uint64_t *out)
{
	int result = 0;
	for (int i = 0; result == 0 && i < CLOCK_TRIES; i++) {
		uint64_t ticks, before = machine_nanos();
		result = rte_eth_read_clock(link->port, &ticks);
		uint64_t took = machine_nanos() - before;
		if (result == 0 && (i == 0 || took < out[2])) {
			out[0] = ticks;
			out[1] = before;
			out[2] = took;
		}
	}
	return result;
}

/* Whether the link is up. */
API int weir_link_is_up(struct weir_link *link)
{
	struct rte_eth_link state;
	if (!link->is_started)
		return 0;
	int result = rte_eth_link_get_nowait(link->port, &state);
	return result < 0 ? result : state.link_status;
}

/* Frees what came by a queue and nobody received: a ring in memory outlives its device. */
static void drain(struct weir_link *link, uint16_t queue)
{
	struct rte_mbuf *frames[BURST_FRAMES];
	uint16_t found = BURST_FRAMES;
	for (int i = 0; found > 0 && i < RING_SLOTS && can_move(link); i++) {
		found = rte_eth_rx_burst(link->port, queue, frames, BURST_FRAMES);
		for (uint16_t j = 0; j < found; j++)
			rte_pktmbuf_free(frames[j]);
	}
}

/* Once no port moves frames any more; the pools are there until the device is detached. */
API void weir_link_close(struct weir_link *link)
{
	for (uint16_t queue = 0; link->is_started && queue < link->queue_count; queue++)
		drain(link, queue);
	if (link->is_promiscuous)
		rte_eth_promiscuous_disable(link->port);
	if (link->is_started)
		change(link->port, stop, link);
	rte_free(link);
}
