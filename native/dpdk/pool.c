/* Pools of frames: equal slots of one piece of DPDK's memory, and the stack of those that drivers have. */
#include "weir_dpdk.h"

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

static void pool_release(struct weir_pool *pool)
{
	rte_mempool_free(pool->mempool);
	rte_memzone_free(pool->zone);
	rte_free(pool);
}

/* A pool of count slots; all of them are Java's. NULL for an error, by weir_dpdk_error. */
API struct weir_pool *weir_pool_create(const char *name, uint32_t count, uint32_t stride)
{
	weir_log_clear();
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
