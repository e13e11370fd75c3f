/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
/*
 * The XDP programs of Weir. Each is attached to one interface and hands frames to the AF_XDP socket of the receive
 * queue by which they came.
 *
 *   xdp/host        takes UDP datagrams whose destination, address and port, user space has chosen; the kernel keeps
 *                   everything else, so that ARP, ping, TCP and other UDP work next to Weir on the same interface.
 *   xdp/host_times  as xdp/host; before each frame stand sixteen bytes: a mark, and the kernel's monotonic time in
 *                   nanoseconds. User space may find the frame much later; this is when it came.
 *   xdp/switch      takes every frame: the interface is a port of a software switch.
 *
 * Self-contained on purpose: no kernel or libbpf header is needed, so the object depends on this file and the compiler
 * alone. The structures and numbers below are kernel ABI. Maps are described by struct weir_map in the section "maps"
 * and created by the loader (io.weir.nic.bpf), which knows them by their symbols' names.
 *
 * weir_xdp_stamps.bpf.c includes this file and adds a program that asks the device for time stamps.
 */

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

#define SECTION(name) __attribute__((section(name), used))
#define ALWAYS_INLINE inline __attribute__((always_inline))
/* Headers begin at even addresses, so that two bytes are loaded at once. */
#define PACKED __attribute__((packed, aligned(2)))
#define BIG_ENDIAN_16(value) ((u16) __builtin_bswap16(value))
#define BIG_ENDIAN_32(value) ((u32) __builtin_bswap32(value))

/* The program context, enum xdp_action, enum bpf_map_type and helper numbers: linux/bpf.h. */
struct xdp_md {
	u32 data;
	u32 data_end;
	u32 data_meta;
	u32 ingress_ifindex;
	u32 rx_queue_index;
	u32 egress_ifindex;
};

enum { XDP_DROP = 1, XDP_PASS = 2 };
enum { BPF_MAP_TYPE_HASH = 1, BPF_MAP_TYPE_ARRAY = 2, BPF_MAP_TYPE_XSKMAP = 17 };

static void *(*const bpf_map_lookup_elem)(const void *map, const void *key) = (void *) 1;
static u64 (*const bpf_ktime_get_ns)(void) = (void *) 5;
static long (*const bpf_xdp_adjust_head)(struct xdp_md *context, int delta) = (void *) 44;
static long (*const bpf_redirect_map)(const void *map, u64 key, u64 flags) = (void *) 51;
static long (*const bpf_xdp_adjust_meta)(struct xdp_md *context, int delta) = (void *) 54;

/* Known to io.weir.nic.xdp.DeviceStamps. */
struct weir_stamp {
	u64 mark;
	u64 nanos;
};

#define STAMP_MARK 0x5745495253544D50ULL

struct weir_map {
	u32 type;
	u32 key_bytes;
	u32 value_bytes;
	u32 entry_count;
	u32 flags;
};

/* The AF_XDP socket of each receive queue. */
SECTION("maps") struct weir_map weir_sockets = {
	.type = BPF_MAP_TYPE_XSKMAP,
	.key_bytes = sizeof(u32),
	.value_bytes = sizeof(u32),
	.entry_count = 1024,
};

/* Known to io.weir.nic.xdp.TakenPorts. */
enum { ADDRESSES_MAX = 64, PORT_WORDS = 65536 / 64 };

/* An IPv6 address, or an IPv4 address as IPv6 maps it (RFC 4291, section 2.5.5.2), in network byte order. */
struct weir_address {
	u32 words[4];
};

/* The addresses of which user space takes ports, each with the number of its row of words in weir_ports. */
SECTION("maps") struct weir_map weir_addresses = {
	.type = BPF_MAP_TYPE_HASH,
	.key_bytes = sizeof(struct weir_address),
	.value_bytes = sizeof(u32),
	.entry_count = ADDRESSES_MAX,
};

/* One bit for each UDP port of each address, 64 to a word, so that user space changes a port with one atomic store. */
SECTION("maps") struct weir_map weir_ports = {
	.type = BPF_MAP_TYPE_ARRAY,
	.key_bytes = sizeof(u32),
	.value_bytes = sizeof(u64),
	.entry_count = ADDRESSES_MAX * PORT_WORDS,
};

/* Known to io.weir.nic.xdp.SkipReason: why the kernel keeps a datagram for an address and port of ours. */
enum { SKIPPED_NOT, SKIPPED_VLAN, SKIPPED_OPTIONS, SKIPPED_FRAGMENT, SKIPPED_EXTENSION, SKIPPED_QUEUE, SKIPPED_COUNT };

/* How many frames each reason has kept. */
SECTION("maps") struct weir_map weir_skipped = {
	.type = BPF_MAP_TYPE_ARRAY,
	.key_bytes = sizeof(u32),
	.value_bytes = sizeof(u64),
	.entry_count = SKIPPED_COUNT,
};

#ifndef WEIR_LICENSE
#define WEIR_LICENSE "Apache-2.0"
#endif

SECTION("license") char weir_license[] = WEIR_LICENSE;

enum {
	ETHERTYPE_IPV4 = 0x0800,
	ETHERTYPE_IPV6 = 0x86DD,
	ETHERTYPE_VLAN = 0x8100,
	ETHERTYPE_SERVICE_VLAN = 0x88A8,
	VLAN_ID = 0x0FFF,
	PROTOCOL_UDP = 17,
	IPV4_NO_OPTIONS = 0x45,
	IPV4_MORE_FRAGMENTS_OR_OFFSET = 0x3FFF,
	IPV4_OFFSET = 0x1FFF,
	IPV6_HOP_BY_HOP = 0,
	IPV6_ROUTING = 43,
	IPV6_FRAGMENT = 44,
	IPV6_DESTINATION = 60,
	IPV6_FRAGMENT_OFFSET = 0xFFF8,
};

struct ethernet {
	u8 destination[6];
	u8 source[6];
	u16 type;
} PACKED;

struct ipv4 {
	u8 version_and_length;
	u8 tos;
	u16 total_length;
	u16 identification;
	u16 flags_and_offset;
	u8 ttl;
	u8 protocol;
	u16 checksum;
	u32 source;
	u32 destination;
} PACKED;

struct ipv6 {
	u32 version_class_flow;
	u16 payload_length;
	u8 next_header;
	u8 hop_limit;
	u32 source[4];
	u32 destination[4];
} PACKED;

/* Two bytes that name what follows and how long this is, and four more. */
struct ipv6_extension {
	u8 next_header;
	u8 length;
	u16 fragment_offset;
	u32 rest;
} PACKED;

struct vlan_tag {
	u16 control;
	u16 type;
} PACKED;

struct udp {
	u16 source_port;
	u16 destination_port;
	u16 length;
	u16 checksum;
} PACKED;

/* A datagram: where it goes, and what about its headers is not as user space takes it. */
struct datagram {
	const struct udp *udp;
	struct weir_address destination;
	u32 skipped;
	u32 is_tagged;
};

static ALWAYS_INLINE int is_extension(u8 header)
{
	return header == IPV6_HOP_BY_HOP || header == IPV6_ROUTING || header == IPV6_DESTINATION;
}

/* IPv4 options and every fragment, the first one too, are the kernel's: a fragment has not all of its datagram. */
static ALWAYS_INLINE void read_ipv4(const struct ipv4 *ipv4, const void *data_end, struct datagram *datagram)
{
	if ((const void *) (ipv4 + 1) > data_end || ipv4->protocol != PROTOCOL_UDP)
		return;
	if (ipv4->flags_and_offset & BIG_ENDIAN_16(IPV4_OFFSET))
		return;
	datagram->destination.words[0] = 0;
	datagram->destination.words[1] = 0;
	datagram->destination.words[2] = BIG_ENDIAN_32(0xFFFF);
	datagram->destination.words[3] = ipv4->destination;
	datagram->udp = (const void *) (ipv4 + 1);
	if (ipv4->flags_and_offset & BIG_ENDIAN_16(IPV4_MORE_FRAGMENTS_OR_OFFSET))
		datagram->skipped = SKIPPED_FRAGMENT;
	if (ipv4->version_and_length != IPV4_NO_OPTIONS) {
		datagram->skipped = SKIPPED_OPTIONS;
		datagram->udp = (const void *) ipv4 + (ipv4->version_and_length & 15) * 4;
	}
}

/* An extension header of IPv6 is the kernel's. Behind the first one nobody looks for ports. */
static ALWAYS_INLINE void read_ipv6(const struct ipv6 *ipv6, const void *data_end, struct datagram *datagram)
{
	const struct ipv6_extension *extension = (const void *) (ipv6 + 1);

	if ((const void *) (ipv6 + 1) > data_end)
		return;
	datagram->destination.words[0] = ipv6->destination[0];
	datagram->destination.words[1] = ipv6->destination[1];
	datagram->destination.words[2] = ipv6->destination[2];
	datagram->destination.words[3] = ipv6->destination[3];
	if (ipv6->next_header == PROTOCOL_UDP) {
		datagram->udp = (const void *) (ipv6 + 1);
		return;
	}
	if ((const void *) (extension + 1) > data_end || extension->next_header != PROTOCOL_UDP)
		return;
	if (ipv6->next_header == IPV6_FRAGMENT) {
		if (extension->fragment_offset & BIG_ENDIAN_16(IPV6_FRAGMENT_OFFSET))
			return;
		datagram->skipped = SKIPPED_FRAGMENT;
		datagram->udp = (const void *) (extension + 1);
	} else if (is_extension(ipv6->next_header)) {
		datagram->skipped = SKIPPED_EXTENSION;
		datagram->udp = (const void *) extension + (extension->length + 1) * 8;
	}
}

/*
 * A VLAN tag with the number 0 means no VLAN, only a priority (IEEE 802.1Q): the datagram is as one without. Any other
 * is the kernel's, which has an interface for that VLAN or drops it.
 */
static ALWAYS_INLINE void read_datagram(const void *data, const void *data_end, struct datagram *datagram)
{
	const struct ethernet *ethernet = data;
	const void *network = ethernet + 1;
	u16 type;

	datagram->udp = 0;
	datagram->skipped = SKIPPED_NOT;
	datagram->is_tagged = 0;
	if (network > data_end)
		return;
	type = ethernet->type;
	if (type == BIG_ENDIAN_16(ETHERTYPE_VLAN) || type == BIG_ENDIAN_16(ETHERTYPE_SERVICE_VLAN)) {
		const struct vlan_tag *tag = network;

		if ((const void *) (tag + 1) > data_end)
			return;
		type = tag->type;
		network = tag + 1;
		datagram->is_tagged = 1;
		if (type == BIG_ENDIAN_16(ETHERTYPE_IPV4))
			read_ipv4(network, data_end, datagram);
		else if (type == BIG_ENDIAN_16(ETHERTYPE_IPV6))
			read_ipv6(network, data_end, datagram);
		if (tag->control & BIG_ENDIAN_16(VLAN_ID))
			datagram->skipped = SKIPPED_VLAN;
		return;
	}
	if (type == BIG_ENDIAN_16(ETHERTYPE_IPV4))
		read_ipv4(network, data_end, datagram);
	else if (type == BIG_ENDIAN_16(ETHERTYPE_IPV6))
		read_ipv6(network, data_end, datagram);
}

static ALWAYS_INLINE void count_skipped(u32 reason)
{
	u64 *count = bpf_map_lookup_elem(&weir_skipped, &reason);

	if (count)
		__sync_fetch_and_add(count, 1);
}

/* Moves the Ethernet addresses over the tag behind them. */
static ALWAYS_INLINE int drop_tag(struct xdp_md *context)
{
	const u16 *tagged = (const void *) (long) context->data;
	u16 addresses[6];
	u16 *untagged;

	if ((const void *) (tagged + 6) > (const void *) (long) context->data_end)
		return 0;
	for (int i = 0; i < 6; i++)
		addresses[i] = tagged[i];
	if (bpf_xdp_adjust_head(context, sizeof(struct vlan_tag)))
		return 0;
	untagged = (void *) (long) context->data;
	if ((const void *) (untagged + 6) > (const void *) (long) context->data_end)
		return 0;
	for (int i = 0; i < 6; i++)
		untagged[i] = addresses[i];
	return 1;
}

/*
 * The destination decides, address and port. The source port never does: it is another host's choice, and answers to a
 * program of this host may well come from a port whose number is one of ours. Answers to a client of ours come to its
 * local port, which user space takes like a server's.
 */
static ALWAYS_INLINE int is_taken(const struct datagram *datagram, const void *data_end)
{
	const struct udp *udp = datagram->udp;
	const u32 *row;
	const u64 *word;
	u32 word_index;
	u16 port;

	if (!udp || (const void *) (udp + 1) > data_end)
		return 0;
	row = bpf_map_lookup_elem(&weir_addresses, &datagram->destination);
	if (!row)
		return 0;
	port = BIG_ENDIAN_16(udp->destination_port);
	word_index = *row * PORT_WORDS + (port >> 6);
	word = bpf_map_lookup_elem(&weir_ports, &word_index);
	return word && (*word >> (port & 63)) & 1;
}

/* Whether user space gets the frame, which has no tag any more then. */
static ALWAYS_INLINE int is_for_us(struct xdp_md *context)
{
	const void *data_end = (const void *) (long) context->data_end;
	struct datagram datagram;

	read_datagram((const void *) (long) context->data, data_end, &datagram);
	if (!is_taken(&datagram, data_end))
		return 0;
	if (datagram.skipped != SKIPPED_NOT) {
		count_skipped(datagram.skipped);
		return 0;
	}
	return !datagram.is_tagged || drop_tag(context);
}

/* A queue without a socket leaves its frames to the kernel. */
static ALWAYS_INLINE int redirect(const struct xdp_md *context)
{
	int action = bpf_redirect_map(&weir_sockets, context->rx_queue_index, XDP_PASS);

	if (action == XDP_PASS)
		count_skipped(SKIPPED_QUEUE);
	return action;
}

SECTION("xdp/host") int weir_host(struct xdp_md *context)
{
	if (!is_for_us(context))
		return XDP_PASS;
	return redirect(context);
}

/* A frame without room for the stamp, or whose driver has none for metadata, goes on without. */
static ALWAYS_INLINE void put_stamp(struct xdp_md *context, u64 nanos)
{
	struct weir_stamp *stamp;

	if (bpf_xdp_adjust_meta(context, -(int) sizeof(*stamp)))
		return;
	stamp = (void *) (long) context->data_meta;
	if ((const void *) (stamp + 1) > (const void *) (long) context->data)
		return;
	stamp->mark = STAMP_MARK;
	stamp->nanos = nanos;
}

SECTION("xdp/host_times") int weir_host_times(struct xdp_md *context)
{
	if (!is_for_us(context))
		return XDP_PASS;
	put_stamp(context, bpf_ktime_get_ns());
	return redirect(context);
}

/*
 * A queue without a socket drops: the wire belongs to the switch alone. Passed on, its frames would reach a kernel that
 * answers for its own addresses or forwards past the queues, meters and marks; a loss shows at once and is counted.
 */
SECTION("xdp/switch") int weir_switch(struct xdp_md *context)
{
	return bpf_redirect_map(&weir_sockets, context->rx_queue_index, XDP_DROP);
}
