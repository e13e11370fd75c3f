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

#ifndef WEIR_LICENSE
#define WEIR_LICENSE "Apache-2.0"
#endif

SECTION("license") char weir_license[] = WEIR_LICENSE;

enum {
	ETHERTYPE_IPV4 = 0x0800,
	ETHERTYPE_IPV6 = 0x86DD,
	PROTOCOL_UDP = 17,
	IPV4_NO_OPTIONS = 0x45,
	IPV4_MORE_FRAGMENTS_OR_OFFSET = 0x3FFF,
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

struct udp {
	u16 source_port;
	u16 destination_port;
	u16 length;
	u16 checksum;
} PACKED;

/*
 * The UDP header of a plain datagram, whose destination address goes to address; or null. A VLAN tag, IPv4 options, an
 * extension header of IPv6 and every fragment, the first one too, are the kernel's: a fragment has no ports, or not all
 * of its datagram.
 */
static ALWAYS_INLINE const struct udp *udp_of(const void *data, const void *data_end, struct weir_address *address)
{
	const struct ethernet *ethernet = data;
	const struct ipv4 *ipv4 = (const void *) (ethernet + 1);
	const struct ipv6 *ipv6 = (const void *) (ethernet + 1);

	if ((const void *) (ethernet + 1) > data_end)
		return 0;
	if (ethernet->type == BIG_ENDIAN_16(ETHERTYPE_IPV4)) {
		if ((const void *) (ipv4 + 1) > data_end)
			return 0;
		if (ipv4->version_and_length != IPV4_NO_OPTIONS || ipv4->protocol != PROTOCOL_UDP)
			return 0;
		if (ipv4->flags_and_offset & BIG_ENDIAN_16(IPV4_MORE_FRAGMENTS_OR_OFFSET))
			return 0;
		address->words[0] = 0;
		address->words[1] = 0;
		address->words[2] = BIG_ENDIAN_32(0xFFFF);
		address->words[3] = ipv4->destination;
		return (const void *) (ipv4 + 1);
	}
	if (ethernet->type == BIG_ENDIAN_16(ETHERTYPE_IPV6)) {
		if ((const void *) (ipv6 + 1) > data_end || ipv6->next_header != PROTOCOL_UDP)
			return 0;
		address->words[0] = ipv6->destination[0];
		address->words[1] = ipv6->destination[1];
		address->words[2] = ipv6->destination[2];
		address->words[3] = ipv6->destination[3];
		return (const void *) (ipv6 + 1);
	}
	return 0;
}

/*
 * The destination decides, address and port. The source port never does: it is another host's choice, and answers to a
 * program of this host may well come from a port whose number is one of ours. Answers to a client of ours come to its
 * local port, which user space takes like a server's.
 */
static ALWAYS_INLINE int is_for_us(const struct xdp_md *context)
{
	const void *data_end = (const void *) (long) context->data_end;
	struct weir_address address;
	const struct udp *udp = udp_of((const void *) (long) context->data, data_end, &address);
	const u32 *row;
	const u64 *word;
	u32 word_index;
	u16 port;

	if (!udp || (const void *) (udp + 1) > data_end)
		return 0;
	row = bpf_map_lookup_elem(&weir_addresses, &address);
	if (!row)
		return 0;
	port = BIG_ENDIAN_16(udp->destination_port);
	word_index = *row * PORT_WORDS + (port >> 6);
	word = bpf_map_lookup_elem(&weir_ports, &word_index);
	return word && (*word >> (port & 63)) & 1;
}

/* A queue without a socket leaves its frames to the kernel. */
SECTION("xdp/host") int weir_host(struct xdp_md *context)
{
	if (!is_for_us(context))
		return XDP_PASS;
	return bpf_redirect_map(&weir_sockets, context->rx_queue_index, XDP_PASS);
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
	return bpf_redirect_map(&weir_sockets, context->rx_queue_index, XDP_PASS);
}

/*
 * A queue without a socket drops: the wire belongs to the switch alone. Passed on, its frames would reach a kernel that
 * answers for its own addresses or forwards past the queues, meters and marks; a loss shows at once and is counted.
 */
SECTION("xdp/switch") int weir_switch(struct xdp_md *context)
{
	return bpf_redirect_map(&weir_sockets, context->rx_queue_index, XDP_DROP);
}
