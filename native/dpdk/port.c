/* Ports: some queues of a link, with a pool; each is one thread's. */
#include <rte_ip.h>
#include <rte_mbuf_dyn.h>
#include <rte_udp.h>

#include "weir_dpdk.h"

#define FILL_FRAMES 256
/* Free mbufs that a driver finds on the stack. */
#define STACK_FRAMES 512

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
	weir_log_clear();
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

#define IP_AT RTE_ETHER_HDR_LEN
#define IPV4_UDP_AT (IP_AT + sizeof(struct rte_ipv4_hdr))
#define IPV6_UDP_AT (IP_AT + sizeof(struct rte_ipv6_hdr))

static rte_be16_t ether_type_of(const struct rte_mbuf *frame)
{
	return rte_pktmbuf_mtod(frame, const struct rte_ether_hdr *)->ether_type;
}

static struct rte_udp_hdr *udp_at(struct rte_mbuf *frame, size_t at)
{
	return rte_pktmbuf_mtod_offset(frame, struct rte_udp_hdr *, at);
}

/* The IPv4 header, without options, of a frame with a whole UDP datagram, or NULL. */
static const struct rte_ipv4_hdr *ipv4_of(const struct rte_mbuf *frame)
{
	if (frame->data_len < IPV4_UDP_AT + sizeof(struct rte_udp_hdr) ||
	    ether_type_of(frame) != RTE_BE16(RTE_ETHER_TYPE_IPV4))
		return NULL;
	const struct rte_ipv4_hdr *ip = rte_pktmbuf_mtod_offset(frame, const struct rte_ipv4_hdr *, IP_AT);
	uint32_t length = rte_be_to_cpu_16(ip->total_length);
	bool is_whole = (ip->fragment_offset & RTE_BE16(RTE_IPV4_HDR_MF_FLAG | RTE_IPV4_HDR_OFFSET_MASK)) == 0;
	bool fits = IP_AT + length <= frame->data_len && IP_AT + length >= IPV4_UDP_AT + sizeof(struct rte_udp_hdr);
	return ip->version_ihl == RTE_IPV4_VHL_DEF && ip->next_proto_id == IPPROTO_UDP && is_whole && fits ? ip : NULL;
}

/* The IPv6 header of a frame with a UDP datagram right behind it, or NULL. */
static const struct rte_ipv6_hdr *ipv6_of(const struct rte_mbuf *frame)
{
	if (frame->data_len < IPV6_UDP_AT + sizeof(struct rte_udp_hdr) ||
	    ether_type_of(frame) != RTE_BE16(RTE_ETHER_TYPE_IPV6))
		return NULL;
	const struct rte_ipv6_hdr *ip = rte_pktmbuf_mtod_offset(frame, const struct rte_ipv6_hdr *, IP_AT);
	uint32_t length = rte_be_to_cpu_16(ip->payload_len);
	bool fits = IPV6_UDP_AT + length <= frame->data_len && length >= sizeof(struct rte_udp_hdr);
	return ip->proto == IPPROTO_UDP && fits ? ip : NULL;
}

/*
 * Makes the checksum that the sender left to its device, where a frame came by memory that two machines share, so that
 * no device made it. It is needed where the frame goes on.
 */
static void complete_checksum(struct rte_mbuf *frame)
{
	const struct rte_ipv4_hdr *ipv4 = ipv4_of(frame);
	const struct rte_ipv6_hdr *ipv6 = ipv4 == NULL ? ipv6_of(frame) : NULL;
	if (ipv4 != NULL && udp_at(frame, IPV4_UDP_AT)->dgram_cksum != 0) {
		struct rte_udp_hdr *udp = udp_at(frame, IPV4_UDP_AT);
		udp->dgram_cksum = 0;
		udp->dgram_cksum = rte_ipv4_udptcp_cksum(ipv4, udp);
	} else if (ipv6 != NULL) {
		struct rte_udp_hdr *udp = udp_at(frame, IPV6_UDP_AT);
		udp->dgram_cksum = 0;
		udp->dgram_cksum = rte_ipv6_udptcp_cksum(ipv6, udp);
	}
}

/* Leaves the UDP checksum to the device, where a whole datagram over IPv4 has none. */
static void leave_checksum(struct rte_mbuf *frame)
{
	const struct rte_ipv4_hdr *ip = ipv4_of(frame);
	if (ip == NULL || udp_at(frame, IPV4_UDP_AT)->dgram_cksum != 0)
		return;
	frame->l2_len = RTE_ETHER_HDR_LEN;
	frame->l3_len = sizeof(*ip);
	frame->ol_flags = RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_UDP_CKSUM;
	udp_at(frame, IPV4_UDP_AT)->dgram_cksum = rte_ipv4_phdr_cksum(ip, frame->ol_flags);
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
		uint64_t checksum = link->checks_checksums ? frame->ol_flags & RTE_MBUF_F_RX_L4_CKSUM_MASK : 0;
		uint64_t ticks = (frame->ol_flags & link->stamp_flag) != 0
					 ? *RTE_MBUF_DYNFIELD(frame, link->stamp_offset, rte_mbuf_timestamp_t *)
					 : 0;
		if (unlikely(frame->pool != port->pool->mempool || frame->nb_segs != 1)) {
			frame = copy_of(port, frame);
			if (frame == NULL)
				continue;
		}
		if (unlikely(checksum == RTE_MBUF_F_RX_L4_CKSUM_NONE))
			complete_checksum(frame);
		struct descriptor *to = &port->received[count++];
		to->index = index_of(port->pool, frame);
		to->offset = frame->data_off;
		to->length = frame->data_len;
		to->is_checked = checksum == RTE_MBUF_F_RX_L4_CKSUM_GOOD || checksum == RTE_MBUF_F_RX_L4_CKSUM_NONE;
		to->stamp_ticks = ticks;
	}
	balance(port);
	return count;
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
			udp_at(frames[i], IPV4_UDP_AT)->dgram_cksum = 0;
	return taken;
}

/* The port moves no frames any more; its queues stay the link's. */
API void weir_port_close(struct weir_port *port)
{
	rte_free(port);
}
