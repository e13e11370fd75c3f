/*
 * DPDK for io.weir.nic.dpdk. DPDK's burst functions are static inline, so that a program in another language needs this shim.
 *
 * A pool is one stretch of DPDK memory with equal slots, each an mbuf and its data: slot i begins at base + i * stride. Its
 * mbufs lie either on the pool's stack, from which drivers allocate and to which they free, or in a driver's ring, or with
 * Java, which knows them by the index of the slot. A burst is one call, and nothing is copied.
 *
 * Functions return a value that is not negative, or minus an error number; what DPDK said about it is in weir_dpdk_log.
 */
#ifndef WEIR_DPDK_H
#define WEIR_DPDK_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <rte_errno.h>
#include <rte_ethdev.h>
#include <rte_malloc.h>
#include <rte_mbuf.h>
#include <rte_mempool.h>
#include <rte_memzone.h>
#include <rte_spinlock.h>

#define API __attribute__((visibility("default")))

/* Forgets what was logged: an attempt begins. */
void weir_log_clear(void);

/* ---- the stack of free mbufs; drivers free on any thread */

struct stack {
	rte_spinlock_t lock;
	uint32_t count;
	void *objects[];
};

static inline int stack_push(struct rte_mempool *mempool, void *const *objects, unsigned int count)
{
	struct stack *stack = mempool->pool_data;
	rte_spinlock_lock(&stack->lock);
	memcpy(stack->objects + stack->count, objects, count * sizeof(void *));
	stack->count += count;
	rte_spinlock_unlock(&stack->lock);
	return 0;
}

static inline int stack_pop(struct rte_mempool *mempool, void **objects, unsigned int count)
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

/* ---- links: a device that is set up, with what its ports share */

/* Frames of a burst. */
#define BURST_FRAMES 64
/* Slots of a queue, where the driver has no other wish. */
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
	/* Whether the device completes UDP checksums, and whether it tells of those that it found right. */
	bool makes_checksums;
	bool checks_checksums;
	/* The flag of received frames that bear a stamp, and where in the mbuf; 0 where nobody wants stamps. */
	uint64_t stamp_flag;
	int stamp_offset;
};

/*
 * Whether frames can move. The memif driver of DPDK 22.11 takes a ring's address before it asks whether the other end is
 * there: from a burst at the moment at which that comes it would use an address in memory that is not mapped yet.
 */
static inline bool can_move(const struct weir_link *link)
{
	struct rte_eth_link state;
	if (!link->is_started || !link->is_mapped_late)
		return link->is_started;
	return rte_eth_link_get_nowait(link->port, &state) == 0 && state.link_status != 0;
}

#endif
