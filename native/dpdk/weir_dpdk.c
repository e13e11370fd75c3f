/*
 * DPDK for io.weir.nic.dpdk. DPDK's burst functions are static inline, so that a program in another language needs this shim.
 *
 * A pool is one stretch of DPDK memory with equal slots, each an mbuf and its data: slot i begins at base + i * stride. Its
 * mbufs lie either on the pool's stack, from which drivers allocate and to which they free, or in a driver's ring, or with
 * Java, which knows them by the index of the slot. A burst is one call, and nothing is copied.
 *
 * Functions return a value that is not negative, or minus an error number; what DPDK said about it is in weir_dpdk_log.
 */
#define _GNU_SOURCE
/* For rte_eth_read_clock, which DPDK 22.11 calls experimental. */
#define ALLOW_EXPERIMENTAL_API
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <rte_alarm.h>
#include <rte_bus.h>
#include <rte_dev.h>
#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_ethdev.h>
#include <rte_ip.h>
#include <rte_log.h>
#include <rte_malloc.h>
#include <rte_mbuf.h>
#include <rte_mbuf_dyn.h>
#include <rte_mempool.h>
#include <rte_memzone.h>
#include <rte_spinlock.h>
#include <rte_udp.h>
#include <rte_version.h>

#define API __attribute__((visibility("default")))

/* ---- what DPDK logs: the last of it, for error messages */

#define LOG_BYTES 4096
static char log_text[LOG_BYTES];
static size_t log_length;
static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;

static ssize_t log_write(void *cookie, const char *text, size_t length)
{
	(void)cookie;
	const char *from = length < LOG_BYTES ? text : text + (length - LOG_BYTES + 1);
	size_t count = length < LOG_BYTES ? length : LOG_BYTES - 1;
	pthread_mutex_lock(&log_lock);
	if (log_length + count >= LOG_BYTES) {
		size_t drop = log_length + count - LOG_BYTES + 1;
		memmove(log_text, log_text + drop, log_length - drop);
		log_length -= drop;
	}
	memcpy(log_text + log_length, from, count);
	log_length += count;
	log_text[log_length] = 0;
	pthread_mutex_unlock(&log_lock);
	return (ssize_t)length;
}

static void log_clear(void)
{
	pthread_mutex_lock(&log_lock);
	log_length = 0;
	log_text[0] = 0;
	pthread_mutex_unlock(&log_lock);
}

/* Copies what was logged since the last attempt began, with a zero at its end. */
API int weir_dpdk_log(char *out, int out_bytes)
{
	pthread_mutex_lock(&log_lock);
	size_t count = log_length < (size_t)out_bytes ? log_length : (size_t)out_bytes - 1;
	memcpy(out, log_text + (log_length - count), count);
	out[count] = 0;
	pthread_mutex_unlock(&log_lock);
	return (int)count;
}

/* ---- the environment, once a process */

struct start {
	int argc;
	char **argv;
	int result;
};

static void *start_eal(void *argument)
{
	struct start *start = argument;
	/* It prints how it is used where an argument is wrong; what the program prints is not to have that in it. */
	fflush(stdout);
	int kept = dup(STDOUT_FILENO), nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (kept >= 0 && nothing >= 0)
		dup2(nothing, STDOUT_FILENO);
	int result = rte_eal_init(start->argc, start->argv);
	fflush(stdout);
	if (kept >= 0 && nothing >= 0)
		dup2(kept, STDOUT_FILENO);
	close(kept);
	close(nothing);
	start->result = result < 0 ? -(rte_errno != 0 ? rte_errno : EINVAL) : 0;
	return NULL;
}

/* On a thread that ends with it: the environment pins the thread by which it is initialized. */
API int weir_dpdk_init(int argc, char **argv)
{
	static FILE *stream;
	if (stream == NULL) {
		cookie_io_functions_t functions = {.write = log_write};
		stream = fopencookie(NULL, "w", functions);
		if (stream == NULL)
			return -errno;
		setvbuf(stream, NULL, _IOLBF, BUFSIZ);
		rte_openlog_stream(stream);
	}
	log_clear();
	struct start start = {.argc = argc, .argv = argv};
	pthread_t thread;
	int failed = pthread_create(&thread, NULL, start_eal, &start);
	if (failed)
		return -failed;
	pthread_join(thread, NULL);
	fflush(stream);
	return start.result;
}

API const char *weir_dpdk_version(void)
{
	return rte_version();
}

/* ---- the stack of free mbufs; drivers free on any thread */

struct stack {
	rte_spinlock_t lock;
	uint32_t count;
	void *objects[];
};

static int stack_alloc(struct rte_mempool *mempool)
{
	struct stack *stack = rte_zmalloc_socket("weir_stack", sizeof(*stack) + mempool->size * sizeof(void *),
						 RTE_CACHE_LINE_SIZE, mempool->socket_id);
	if (stack == NULL)
		return -ENOMEM;
	rte_spinlock_init(&stack->lock);
	mempool->pool_data = stack;
	return 0;
}

static void stack_free(struct rte_mempool *mempool)
{
	rte_free(mempool->pool_data);
}

static int stack_push(struct rte_mempool *mempool, void *const *objects, unsigned int count)
{
	struct stack *stack = mempool->pool_data;
	rte_spinlock_lock(&stack->lock);
	memcpy(stack->objects + stack->count, objects, count * sizeof(void *));
	stack->count += count;
	rte_spinlock_unlock(&stack->lock);
	return 0;
}

static int stack_pop(struct rte_mempool *mempool, void **objects, unsigned int count)
{
	struct stack *stack = mempool->pool_data;
	rte_spinlock_lock(&stack->lock);
	if (unlikely(stack->count < count)) {
		rte_spinlock_unlock(&stack->lock);
		return -ENOBUFS;
	}
	for (uint32_t i = 0; i < count; i++)
		objects[i] = stack->objects[--stack->count];
	rte_spinlock_unlock(&stack->lock);
	return 0;
}

static unsigned int stack_count(const struct rte_mempool *mempool)
{
	return ((struct stack *)mempool->pool_data)->count;
}

/* Slot by slot: the default leaves gaps where pages end, which do not matter in memory that is one piece for the device. */
static int stack_populate(struct rte_mempool *mempool, unsigned int count_max, void *memory, rte_iova_t iova, size_t length,
			  rte_mempool_populate_obj_cb_t *callback, void *argument)
{
	size_t slot = mempool->header_size + mempool->elt_size + mempool->trailer_size;
	unsigned int count = 0;
	for (size_t at = 0; count < count_max && at + slot <= length; at += slot, count++) {
		void *object = (char *)memory + at + mempool->header_size;
		callback(mempool, argument, object, iova == RTE_BAD_IOVA ? iova : iova + at + mempool->header_size);
		stack_push(mempool, &object, 1);
	}
	return (int)count;
}

static struct rte_mempool_ops stack_ops = {
	.name = "weir_stack",
	.alloc = stack_alloc,
	.free = stack_free,
	.enqueue = stack_push,
	.dequeue = stack_pop,
	.get_count = stack_count,
	.populate = stack_populate,
};
RTE_MEMPOOL_REGISTER_OPS(stack_ops);

/* ---- pools */

struct weir_pool {
	char *base;
	uint64_t memory_bytes;
	uint32_t count;
	uint32_t stride;
	uint32_t data_offset;
	uint32_t data_bytes;
	uint64_t reciprocal;
	const struct rte_memzone *zone;
	struct rte_mempool *mempool;
};

#define HEADER_BYTES 64
#define RECIPROCAL_SHIFT 40

static inline struct rte_mbuf *mbuf_at(const struct weir_pool *pool, uint32_t index)
{
	return (struct rte_mbuf *)(pool->base + (uint64_t)index * pool->stride + HEADER_BYTES);
}

/* Exact: the slots' number is below 2^31 / 256, and a slot's lines are below 2^9. */
static inline uint32_t index_of(const struct weir_pool *pool, const struct rte_mbuf *mbuf)
{
	uint64_t lines = (uint64_t)((const char *)mbuf - pool->base) / RTE_CACHE_LINE_SIZE;
	return (uint32_t)((lines * pool->reciprocal) >> RECIPROCAL_SHIFT);
}

static void pool_release(struct weir_pool *pool)
{
	rte_mempool_free(pool->mempool);
	rte_memzone_free(pool->zone);
	rte_free(pool);
}

/* A pool of count slots; all of them are Java's. NULL for an error, by weir_dpdk_error. */
API struct weir_pool *weir_pool_create(const char *name, uint32_t count, uint32_t stride)
{
	log_clear();
	struct weir_pool *pool = rte_zmalloc("weir_pool", sizeof(*pool), 0);
	if (pool == NULL) {
		rte_errno = ENOMEM;
		return NULL;
	}
	pool->count = count;
	pool->stride = stride;
	pool->memory_bytes = (uint64_t)count * stride;
	pool->reciprocal = ((1ULL << RECIPROCAL_SHIFT) + stride / RTE_CACHE_LINE_SIZE - 1) / (stride / RTE_CACHE_LINE_SIZE);
	pool->data_offset = HEADER_BYTES + sizeof(struct rte_mbuf);
	pool->data_bytes = stride - pool->data_offset;
	pool->zone = rte_memzone_reserve_aligned(name, pool->memory_bytes, SOCKET_ID_ANY, RTE_MEMZONE_IOVA_CONTIG, 4096);
	pool->mempool = pool->zone == NULL ? NULL
					   : rte_mempool_create_empty(name, count, stride - HEADER_BYTES, 0,
								      sizeof(struct rte_pktmbuf_pool_private),
								      SOCKET_ID_ANY, RTE_MEMPOOL_F_NO_SPREAD);
	struct rte_mempool *mempool = pool->mempool;
	if (mempool == NULL || rte_mempool_set_ops_byname(mempool, "weir_stack", NULL) < 0 ||
	    mempool->header_size != HEADER_BYTES || mempool->trailer_size != 0) {
		pool_release(pool);
		rte_errno = rte_errno != 0 ? rte_errno : ENOMEM;
		return NULL;
	}
	struct rte_pktmbuf_pool_private private = {.mbuf_data_room_size = (uint16_t)pool->data_bytes};
	rte_pktmbuf_pool_init(mempool, &private);
	pool->base = pool->zone->addr;
	int populated = rte_mempool_populate_iova(mempool, pool->base, pool->zone->iova, pool->memory_bytes, NULL, NULL);
	if (populated != (int)count) {
		pool_release(pool);
		rte_errno = populated < 0 ? -populated : ENOMEM;
		return NULL;
	}
	rte_mempool_obj_iter(mempool, rte_pktmbuf_init, NULL);
	/* Nothing else has them yet. */
	((struct stack *)mempool->pool_data)->count = 0;
	return pool;
}

API int weir_dpdk_error(void)
{
	return rte_errno;
}

/* Only once no port and no Java frame uses it. */
API void weir_pool_free(struct weir_pool *pool)
{
	/* What a mempool frees must be on it. */
	struct stack *stack = pool->mempool->pool_data;
	stack->count = 0;
	pool_release(pool);
}

/* ---- devices */

/* Makes or probes a device: a PCI address, or the name and arguments of a virtual device. Returns the port's number. */
API int weir_device_attach(const char *arguments, const char *name)
{
	log_clear();
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

#define BURST_FRAMES 64
#define FILL_FRAMES 256
/* Free mbufs that a driver finds on the stack. */
#define STACK_FRAMES 512
#define RING_SLOTS 1024

struct weir_link {
	uint16_t port;
	uint16_t queue_count;
	uint16_t receive_slots;
	uint16_t transmit_slots;
	bool is_promiscuous;
	/* Whether the driver maps memory when the other end comes, and unmaps it when that goes, on DPDK's own thread. */
	bool is_mapped_late;
	/* Changes only while no port moves frames. */
	bool is_started;
	/* Whether the device completes UDP checksums. */
	bool makes_checksums;
	/* The flag of received frames that bear a stamp, and where in the mbuf; 0 where nobody wants stamps. */
	uint64_t stamp_flag;
	int stamp_offset;
};

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
	log_clear();
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
	log_clear();
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

/*
 * Whether frames can move. The memif driver of DPDK 22.11 takes a ring's address before it asks whether the other end is
 * there: from a burst at the moment at which that comes it would use an address in memory that is not mapped yet.
 */
static bool can_move(const struct weir_link *link)
{
	struct rte_eth_link state;
	if (!link->is_started || !link->is_mapped_late)
		return link->is_started;
	return rte_eth_link_get_nowait(link->port, &state) == 0 && state.link_status != 0;
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

/* ---- ports: some queues of a link, with a pool; each is one thread's */

struct descriptor {
	uint32_t index;
	uint32_t offset;
	uint32_t length;
	/* Of a received frame: whether the device found its UDP checksum right. */
	uint32_t is_checked;
	/* Of a received frame: when it came, by the clock of the device, or 0. */
	uint64_t stamp_ticks;
};

/* Java reads and writes what comes before the first private field; see DpdkPort. */
struct weir_port {
	struct descriptor received[BURST_FRAMES];
	struct descriptor to_transmit[BURST_FRAMES];
	uint32_t fill[FILL_FRAMES];
	uint32_t back[FILL_FRAMES];
	uint32_t back_count;
	uint32_t want_count;
	uint64_t copied_count;
	uint64_t dropped_count;
	/* private */
	struct weir_link *link;
	struct weir_pool *pool;
	/* Its queues are first_queue, and each that is a multiple of queue_step further on; it transmits by the first. */
	uint16_t first_queue;
	uint16_t queue_step;
	uint16_t queue_count;
	uint16_t next_queue;
};

/* Gives slots of Java's to the driver. */
static void give(struct weir_port *port, const uint32_t *indices, uint32_t count)
{
	struct weir_pool *pool = port->pool;
	struct stack *stack = pool->mempool->pool_data;
	rte_spinlock_lock(&stack->lock);
	for (uint32_t i = 0; i < count; i++)
		stack->objects[stack->count + i] = mbuf_at(pool, indices[i]);
	stack->count += count;
	rte_spinlock_unlock(&stack->lock);
}

static int set_up_queues(struct weir_port *port)
{
	const struct weir_link *link = port->link;
	int result = 0;
	for (uint32_t queue = port->first_queue; result == 0 && queue < link->queue_count; queue += port->queue_step) {
		result = rte_eth_rx_queue_setup(link->port, queue, link->receive_slots, SOCKET_ID_ANY, NULL,
						port->pool->mempool);
		if (result == 0)
			result = rte_eth_tx_queue_setup(link->port, queue, link->transmit_slots, SOCKET_ID_ANY, NULL);
		port->queue_count++;
	}
	return result;
}

/*
 * Opens a port of a link that is not started: queue first_queue and those queue_step further on, with mbufs of a pool,
 * whose first fill_count slots are the driver's from now on. NULL for an error.
 */
API struct weir_port *weir_port_open(struct weir_link *link, struct weir_pool *pool, int first_queue, int queue_step,
				     int fill_count)
{
	log_clear();
	struct weir_port *port = rte_zmalloc("weir_port", sizeof(*port), RTE_CACHE_LINE_SIZE);
	if (port == NULL) {
		rte_errno = ENOMEM;
		return NULL;
	}
	port->link = link;
	port->pool = pool;
	port->first_queue = (uint16_t)first_queue;
	port->queue_step = (uint16_t)queue_step;
	port->next_queue = port->first_queue;
	for (int i = 0; i < fill_count; i++) {
		uint32_t index = (uint32_t)i;
		give(port, &index, 1);
	}
	int result = set_up_queues(port);
	if (result < 0) {
		rte_free(port);
		rte_errno = -result;
		return NULL;
	}
	return port;
}

/* A frame of another pool, or in several pieces: as one piece in a slot of this pool, or NULL. */
static struct rte_mbuf *copy_of(struct weir_port *port, struct rte_mbuf *from)
{
	void *object = NULL;
	struct rte_mbuf *to = NULL;
	uint32_t length = from->pkt_len;
	if (length <= port->pool->data_bytes - RTE_PKTMBUF_HEADROOM && stack_pop(port->pool->mempool, &object, 1) == 0) {
		to = object;
		uint32_t at = 0;
		to->data_off = RTE_PKTMBUF_HEADROOM;
		for (const struct rte_mbuf *piece = from; piece != NULL; piece = piece->next) {
			memcpy(rte_pktmbuf_mtod_offset(to, char *, at), rte_pktmbuf_mtod(piece, const char *),
			       piece->data_len);
			at += piece->data_len;
		}
		to->data_len = (uint16_t)length;
		port->copied_count++;
	} else {
		port->dropped_count++;
	}
	rte_pktmbuf_free(from);
	return to;
}

/* Keeps the stack near STACK_FRAMES: what is more goes back to Java, what is less Java gives next time. */
static void balance(struct weir_port *port)
{
	struct stack *stack = port->pool->mempool->pool_data;
	uint32_t count = stack->count;
	port->back_count = 0;
	port->want_count = count < STACK_FRAMES ? RTE_MIN(STACK_FRAMES - count, (uint32_t)FILL_FRAMES) : 0;
	if (count <= STACK_FRAMES + BURST_FRAMES)
		return;
	void *objects[FILL_FRAMES];
	uint32_t surplus = RTE_MIN(count - STACK_FRAMES, (uint32_t)FILL_FRAMES);
	if (stack_pop(port->pool->mempool, objects, surplus) == 0) {
		for (uint32_t i = 0; i < surplus; i++)
			port->back[i] = index_of(port->pool, objects[i]);
		port->back_count = surplus;
	}
}

/* Gives fill_count slots of fill to the driver, then receives at most limit frames. Returns how many. */
API int weir_port_receive(struct weir_port *port, int fill_count, int limit)
{
	if (fill_count > 0)
		give(port, port->fill, (uint32_t)fill_count);
	struct rte_mbuf *frames[BURST_FRAMES];
	uint16_t found = 0;
	const struct weir_link *link = port->link;
	for (uint16_t i = 0; can_move(link) && i < port->queue_count && found < limit; i++) {
		uint16_t queue = port->next_queue;
		uint32_t next = queue + port->queue_step;
		port->next_queue = next < link->queue_count ? (uint16_t)next : port->first_queue;
		found += rte_eth_rx_burst(link->port, queue, frames + found, (uint16_t)(limit - found));
	}
	int count = 0;
	for (uint16_t i = 0; i < found; i++) {
		struct rte_mbuf *frame = frames[i];
		bool is_checked = (frame->ol_flags & RTE_MBUF_F_RX_L4_CKSUM_MASK) == RTE_MBUF_F_RX_L4_CKSUM_GOOD;
		uint64_t ticks = (frame->ol_flags & link->stamp_flag) != 0
					 ? *RTE_MBUF_DYNFIELD(frame, link->stamp_offset, rte_mbuf_timestamp_t *)
					 : 0;
		if (unlikely(frame->pool != port->pool->mempool || frame->nb_segs != 1)) {
			frame = copy_of(port, frame);
			if (frame == NULL)
				continue;
		}
		struct descriptor *to = &port->received[count++];
		to->index = index_of(port->pool, frame);
		to->offset = frame->data_off;
		to->length = frame->data_len;
		to->is_checked = is_checked;
		to->stamp_ticks = ticks;
	}
	balance(port);
	return count;
}

static struct rte_udp_hdr *udp_of(struct rte_mbuf *frame)
{
	return rte_pktmbuf_mtod_offset(frame, struct rte_udp_hdr *, RTE_ETHER_HDR_LEN + sizeof(struct rte_ipv4_hdr));
}

/* Leaves the UDP checksum to the device, where a whole datagram over IPv4 has none. */
static void leave_checksum(struct rte_mbuf *frame)
{
	if (frame->data_len < RTE_ETHER_HDR_LEN + sizeof(struct rte_ipv4_hdr) + sizeof(struct rte_udp_hdr))
		return;
	const struct rte_ether_hdr *ethernet = rte_pktmbuf_mtod(frame, const struct rte_ether_hdr *);
	const struct rte_ipv4_hdr *ip = (const struct rte_ipv4_hdr *)(ethernet + 1);
	struct rte_udp_hdr *udp = udp_of(frame);
	if (ethernet->ether_type != RTE_BE16(RTE_ETHER_TYPE_IPV4) || ip->version_ihl != RTE_IPV4_VHL_DEF ||
	    ip->next_proto_id != IPPROTO_UDP || udp->dgram_cksum != 0 ||
	    (ip->fragment_offset & RTE_BE16(RTE_IPV4_HDR_MF_FLAG | RTE_IPV4_HDR_OFFSET_MASK)) != 0 ||
	    rte_be_to_cpu_16(ip->total_length) > frame->data_len - RTE_ETHER_HDR_LEN)
		return;
	frame->l2_len = RTE_ETHER_HDR_LEN;
	frame->l3_len = sizeof(*ip);
	frame->ol_flags = RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_UDP_CKSUM;
	udp->dgram_cksum = rte_ipv4_phdr_cksum(ip, frame->ol_flags);
}

/* Transmits from the descriptor first on. Returns how many of count frames the driver took. */
API int weir_port_transmit(struct weir_port *port, int first, int count)
{
	struct rte_mbuf *frames[BURST_FRAMES];
	if (!can_move(port->link))
		return 0;
	for (int i = 0; i < count; i++) {
		const struct descriptor *from = &port->to_transmit[first + i];
		struct rte_mbuf *frame = mbuf_at(port->pool, from->index);
		frame->data_off = (uint16_t)from->offset;
		frame->data_len = (uint16_t)from->length;
		frame->pkt_len = from->length;
		frame->ol_flags = 0;
		frame->nb_segs = 1;
		frame->next = NULL;
		if (port->link->makes_checksums)
			leave_checksum(frame);
		frames[i] = frame;
	}
	uint16_t taken = rte_eth_tx_burst(port->link->port, port->first_queue, frames, (uint16_t)count);
	/* The others are given once more, and without a checksum again. */
	for (int i = taken; i < count; i++)
		if (frames[i]->ol_flags & RTE_MBUF_F_TX_UDP_CKSUM)
			udp_of(frames[i])->dgram_cksum = 0;
	return taken;
}

/* The port moves no frames any more; its queues stay the link's. */
API void weir_port_close(struct weir_port *port)
{
	rte_free(port);
}
