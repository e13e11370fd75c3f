/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a C program makes of AF_XDP: the yardstick for io.weir.bench.raw, and its traffic generator. Uses libxdp for the
 * sockets and rings; the XDP program is the same two instructions' worth as Weir's xdp/switch.
 *
 *   xdp_reference receive  --interface IF                 count what comes
 *   xdp_reference transmit --interface IF [--sink IF2]    send as fast as possible; take in what comes back by IF2
 *   xdp_reference forward  --interface IF --output IF2    send by IF2 what comes by IF, not copied in user space
 *   xdp_reference ping     --interface IF                 one frame to and fro, spinning; percentiles
 *   xdp_reference echo     --interface IF                 the other side of it
 *   xdp_reference udp-ping --address A [--spin]           the same by the kernel's UDP, blocking or spinning
 *   xdp_reference udp-echo --address A [--spin]
 *
 * Common: --seconds S --warm-up S --size BYTES --generic --core N. Prints READY, then one line of result. Every run ends
 * after its seconds. Needs root; build with: gcc -O2 xdp_reference.c -lxdp -lbpf
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <bpf/bpf.h>
#include <errno.h>
#include <getopt.h>
#include <linux/bpf.h>
#include <linux/if_link.h>
#include <net/if.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#include <xdp/xsk.h>

enum {
	FRAMES = 8192,
	FRAME_BYTES = 2048,
	RING = 2048,
	BATCH = 64,
	HEADROOM = 256,
	PORTS = 2,
	UDP_PORT = 9999,
	SAMPLES_MAX = 1 << 22,
	TRANSMIT_BUDGET = 256,
	SEND_BUFFER = 192 * 768 / 2,
	SOCKET_OPTION_TRANSMIT_BUDGET = 9,
	BIND_ATTEMPTS = 300,
};

struct port {
	struct xsk_socket *socket;
	struct xsk_ring_cons receive;
	struct xsk_ring_prod transmit;
	struct xsk_ring_prod fill;
	struct xsk_ring_cons completion;
	int fd;
	uint32_t in_flight;
	uint32_t unfilled;
};

static struct {
	const char *interface;
	const char *output;
	const char *sink;
	const char *address;
	double seconds;
	double warm_up;
	int size;
	int core;
	bool generic;
	bool spin;
} options = {.seconds = 2, .warm_up = 0.5, .size = 64, .core = -1};

static struct port ports[PORTS];
static struct xsk_umem *umem;
static uint8_t *memory;
static uint64_t free_frames[FRAMES];
static int free_count;
static uint64_t calls;
static uint32_t samples[SAMPLES_MAX];
static volatile sig_atomic_t stopped;

static void fail(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	fputs("xdp_reference: ", stderr);
	vfprintf(stderr, format, arguments);
	fprintf(stderr, ": %s\n", strerror(errno));
	va_end(arguments);
	exit(1);
}

static void stop(int signal)
{
	(void) signal;
	stopped = 1;
}

static uint64_t read_clock(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (uint64_t) time.tv_sec * 1000000000ull + (uint64_t) time.tv_nsec;
}

static uint64_t now(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

/* Says when to begin to count and when to end; looks at the clock once for each turn of a loop. */
struct span {
	uint64_t begin;
	uint64_t end;
	uint64_t frames;
	uint64_t calls;
	uint64_t on_core;
	bool counting;
};

static struct span span_start(void)
{
	uint64_t start = now();
	uint64_t begin = start + (uint64_t) (options.warm_up * 1e9);

	printf("READY\n");
	fflush(stdout);
	return (struct span) {.begin = begin, .end = begin + (uint64_t) (options.seconds * 1e9)};
}

static bool span_goes_on(struct span *span, uint64_t frames)
{
	uint64_t time = now();

	if (!span->counting && time >= span->begin) {
		span->counting = true;
		span->begin = time;
		span->frames = frames;
		span->calls = calls;
		span->on_core = read_clock(CLOCK_THREAD_CPUTIME_ID);
	}
	if (time < span->end && !stopped)
		return true;
	printf("RESULT frames=%llu nanos=%llu calls=%llu oncore=%llu\n", (unsigned long long) (frames - span->frames),
		(unsigned long long) (time - span->begin), (unsigned long long) (calls - span->calls),
		(unsigned long long) (read_clock(CLOCK_THREAD_CPUTIME_ID) - span->on_core));
	fflush(stdout);
	return false;
}

/* r2 = context->rx_queue_index; r1 = map; r3 = XDP_DROP; return bpf_redirect_map(r1, r2, r3) */
static void attach(int interface_index, struct port *port)
{
	int map = bpf_map_create(BPF_MAP_TYPE_XSKMAP, "sockets", 4, 4, 64, NULL);
	struct bpf_insn program[] = {
		{.code = BPF_LDX | BPF_MEM | BPF_W, .dst_reg = 2, .src_reg = 1, .off = 16},
		{.code = BPF_LD | BPF_DW | BPF_IMM, .dst_reg = 1, .src_reg = BPF_PSEUDO_MAP_FD, .imm = map},
		{0},
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 3, .imm = XDP_DROP},
		{.code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_redirect_map},
		{.code = BPF_JMP | BPF_EXIT},
	};
	int program_fd;
	uint32_t queue = 0;
	LIBBPF_OPTS(bpf_link_create_opts, link, .flags = options.generic ? XDP_FLAGS_SKB_MODE : XDP_FLAGS_DRV_MODE);

	if (map < 0)
		fail("create the socket map");
	program_fd = bpf_prog_load(BPF_PROG_TYPE_XDP, "reference", "Apache-2.0", program,
		sizeof(program) / sizeof(program[0]), NULL);
	if (program_fd < 0)
		fail("load the XDP program");
	if (bpf_map_update_elem(map, &queue, &port->fd, 0))
		fail("put the socket into the map");
	if (bpf_link_create(program_fd, interface_index, BPF_XDP, &link) < 0)
		fail("attach the XDP program");
}

static void create_umem(void)
{
	struct xsk_umem_config config = {
		.fill_size = RING, .comp_size = RING, .frame_size = FRAME_BYTES, .frame_headroom = 0};

	memory = mmap(NULL, (size_t) FRAMES * FRAME_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		fail("allocate frames");
	for (int i = 0; i < FRAMES; i++)
		free_frames[free_count++] = (uint64_t) (FRAMES - 1 - i) * FRAME_BYTES;
	if (xsk_umem__create(&umem, memory, (uint64_t) FRAMES * FRAME_BYTES, &ports[0].fill, &ports[0].completion, &config))
		fail("register the frames");
}

static bool fill_up(struct port *port, uint32_t count)
{
	uint32_t index;

	if (xsk_ring_prod__reserve(&port->fill, count, &index) != count)
		return false;
	for (uint32_t i = 0; i < count; i++)
		*xsk_ring_prod__fill_addr(&port->fill, index + i) = free_frames[--free_count];
	xsk_ring_prod__submit(&port->fill, count);
	return true;
}

static struct port *open_port(int number, const char *interface)
{
	struct port *port = &ports[number];
	struct xsk_socket_config config = {
		.rx_size = RING,
		.tx_size = RING,
		.libxdp_flags = XSK_LIBXDP_FLAGS__INHIBIT_PROG_LOAD,
		.bind_flags = XDP_USE_NEED_WAKEUP | XDP_COPY,
	};
	int budget = TRANSMIT_BUDGET;
	int send_buffer = SEND_BUFFER;
	int error = -EBUSY;

	if (number == 0)
		create_umem();
	for (int i = 0; i < BIND_ATTEMPTS && error == -EBUSY; i++) {
		error = xsk_socket__create_shared(&port->socket, interface, 0, umem, &port->receive, &port->transmit,
			&port->fill, &port->completion, &config);
		if (error == -EBUSY)
			usleep(10000);
	}
	errno = -error;
	if (error)
		fail("open %s", interface);
	port->fd = xsk_socket__fd(port->socket);
	setsockopt(port->fd, SOL_XDP, SOCKET_OPTION_TRANSMIT_BUDGET, &budget, sizeof(budget));
	/* A veth holds 256 frames between its ends and drops more: let the kernel refuse before that. */
	setsockopt(port->fd, SOL_SOCKET, SO_SNDBUF, &send_buffer, sizeof(send_buffer));
	fill_up(port, RING);
	attach((int) if_nametoindex(interface), port);
	return port;
}

static void wake(struct port *port)
{
	if (!xsk_ring_prod__needs_wakeup(&port->transmit))
		return;
	calls++;
	if (sendto(xsk_socket__fd(port->socket), NULL, 0, MSG_DONTWAIT, NULL, 0) < 0 && errno != EAGAIN && errno != EBUSY
		&& errno != ENOBUFS && errno != ENETDOWN)
		fail("wake the kernel up");
}

static void complete(struct port *port)
{
	uint32_t index;
	uint32_t count = xsk_ring_cons__peek(&port->completion, RING, &index);

	for (uint32_t i = 0; i < count; i++)
		free_frames[free_count++] = *xsk_ring_cons__comp_addr(&port->completion, index + i) & ~(uint64_t) (FRAME_BYTES - 1);
	if (count) {
		xsk_ring_cons__release(&port->completion, count);
		port->in_flight -= count;
	}
}

/* Takes in a batch; the frames go back into the fill ring. */
static uint32_t take_in(struct port *port)
{
	uint32_t index;
	uint32_t fill_index;
	uint32_t count = xsk_ring_cons__peek(&port->receive, BATCH, &index);

	if (!count)
		return 0;
	/* The kernel gives entries of the fill ring back a moment after the frames that it took them for. */
	while (xsk_ring_prod__reserve(&port->fill, count, &fill_index) != count)
		;
	for (uint32_t i = 0; i < count; i++)
		*xsk_ring_prod__fill_addr(&port->fill, fill_index + i) =
			xsk_ring_cons__rx_desc(&port->receive, index + i)->addr & ~(uint64_t) (FRAME_BYTES - 1);
	xsk_ring_prod__submit(&port->fill, count);
	xsk_ring_cons__release(&port->receive, count);
	return count;
}

static void run_receive(void)
{
	struct port *port = open_port(0, options.interface);
	struct span span = span_start();
	uint64_t frames = 0;

	while (span_goes_on(&span, frames))
		frames += take_in(port);
}

static void write_frame(uint8_t *frame, int size)
{
	static const uint8_t head[42] = {
		2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1, 8, 0, 0x45, 0, 0, 0, 0, 0, 0x40, 0, 64, 17, 0, 0,
		10, 0, 0, 1, 10, 0, 0, 2, 0x1e, 0x61, 0x23, 0x28, 0, 0, 0, 0};

	memset(frame, 0x5A, (size_t) size);
	memcpy(frame, head, sizeof(head));
	frame[16] = (uint8_t) ((size - 14) >> 8);
	frame[17] = (uint8_t) (size - 14);
	frame[38] = (uint8_t) ((size - 34) >> 8);
	frame[39] = (uint8_t) (size - 34);
}

static uint32_t put_batch(struct port *port)
{
	uint32_t index;

	if (free_count < BATCH || xsk_ring_prod__reserve(&port->transmit, BATCH, &index) != BATCH)
		return 0;
	for (uint32_t i = 0; i < BATCH; i++) {
		struct xdp_desc *descriptor = xsk_ring_prod__tx_desc(&port->transmit, index + i);

		descriptor->addr = free_frames[--free_count] + HEADROOM;
		descriptor->len = (uint32_t) options.size;
		descriptor->options = 0;
	}
	xsk_ring_prod__submit(&port->transmit, BATCH);
	port->in_flight += BATCH;
	return BATCH;
}

static void run_transmit(void)
{
	struct port *port = open_port(0, options.interface);
	struct port *sink = options.sink ? open_port(1, options.sink) : NULL;
	struct span span;
	uint64_t frames = 0;

	for (int i = 0; i < free_count; i++)
		write_frame(memory + free_frames[i] + HEADROOM, options.size);
	span = span_start();
	while (span_goes_on(&span, frames)) {
		frames += put_batch(port);
		if (port->in_flight)
			wake(port);
		complete(port);
		if (sink)
			take_in(sink);
	}
}

static uint32_t pass_on(struct port *in, struct port *out)
{
	uint32_t index;
	uint32_t out_index;
	uint32_t count = xsk_ring_cons__peek(&in->receive, BATCH, &index);

	if (!count)
		return 0;
	if (xsk_ring_prod__reserve(&out->transmit, count, &out_index) != count) {
		xsk_ring_cons__cancel(&in->receive, count);
		return 0;
	}
	for (uint32_t i = 0; i < count; i++) {
		const struct xdp_desc *received = xsk_ring_cons__rx_desc(&in->receive, index + i);
		struct xdp_desc *descriptor = xsk_ring_prod__tx_desc(&out->transmit, out_index + i);

		descriptor->addr = received->addr;
		descriptor->len = received->len;
		descriptor->options = 0;
	}
	xsk_ring_prod__submit(&out->transmit, count);
	xsk_ring_cons__release(&in->receive, count);
	out->in_flight += count;
	in->unfilled += count;
	if (free_count >= (int) in->unfilled && fill_up(in, in->unfilled))
		in->unfilled = 0;
	return count;
}

static void run_forward(void)
{
	struct port *in = open_port(0, options.interface);
	struct port *out = open_port(1, options.output);
	struct span span = span_start();
	uint64_t frames = 0;

	while (span_goes_on(&span, frames)) {
		frames += pass_on(in, out);
		if (out->in_flight) {
			wake(out);
			complete(out);
		}
	}
}

static int by_value(const void *left, const void *right)
{
	uint32_t a = *(const uint32_t *) left;
	uint32_t b = *(const uint32_t *) right;

	return a < b ? -1 : a > b;
}

static void print_percentiles(uint32_t count)
{
	/* A run without an answer on a busy machine is a result too: its samples are 0. */
	qsort(samples, count, sizeof(samples[0]), by_value);
	printf("RESULT count=%u p50=%u p99=%u p999=%u\n", count, samples[count / 2], samples[count * 99ull / 100],
		samples[count * 999ull / 1000]);
	fflush(stdout);
}

static void send_one(struct port *port, uint64_t address, uint32_t size)
{
	uint32_t index;
	struct xdp_desc *descriptor;

	while (xsk_ring_prod__reserve(&port->transmit, 1, &index) != 1)
		complete(port);
	descriptor = xsk_ring_prod__tx_desc(&port->transmit, index);
	descriptor->addr = address;
	descriptor->len = size;
	descriptor->options = 0;
	xsk_ring_prod__submit(&port->transmit, 1);
	port->in_flight++;
	wake(port);
	complete(port);
}

static void run_ping(void)
{
	struct port *port = open_port(0, options.interface);
	uint32_t count = 0;
	uint64_t begin;
	uint64_t end;

	for (int i = 0; i < free_count; i++)
		write_frame(memory + free_frames[i] + HEADROOM, options.size);
	printf("READY\n");
	fflush(stdout);
	begin = now() + (uint64_t) (options.warm_up * 1e9);
	end = begin + (uint64_t) (options.seconds * 1e9);
	for (uint64_t sent = now(); sent < end && !stopped; sent = now()) {
		bool answered = false;

		send_one(port, free_frames[--free_count] + HEADROOM, (uint32_t) options.size);
		/* A lost frame is retransmitted after a while. */
		while (!answered && now() - sent < 100000000ull)
			answered = take_in(port) > 0;
		if (answered && sent >= begin && count < SAMPLES_MAX)
			samples[count++] = (uint32_t) (now() - sent);
	}
	print_percentiles(count);
}

static void run_echo(void)
{
	struct port *port = open_port(0, options.interface);
	struct span span = span_start();
	uint64_t frames = 0;

	while (span_goes_on(&span, frames)) {
		uint32_t index;

		if (!xsk_ring_cons__peek(&port->receive, 1, &index))
			continue;
		send_one(port, xsk_ring_cons__rx_desc(&port->receive, index)->addr,
			xsk_ring_cons__rx_desc(&port->receive, index)->len);
		xsk_ring_cons__release(&port->receive, 1);
		port->unfilled++;
		if (free_count >= (int) port->unfilled && fill_up(port, port->unfilled))
			port->unfilled = 0;
		frames++;
	}
}

static int udp_socket(struct sockaddr_in *address)
{
	int fd = socket(AF_INET, SOCK_DGRAM, 0);
	struct timeval timeout = {.tv_usec = 100000};

	if (fd < 0)
		fail("open a UDP socket");
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof(timeout));
	*address = (struct sockaddr_in) {.sin_family = AF_INET, .sin_port = htons(UDP_PORT)};
	if (!options.address || inet_pton(AF_INET, options.address, &address->sin_addr) != 1)
		fail("--address");
	return fd;
}

static ssize_t udp_receive(int fd, void *buffer, size_t length, struct sockaddr_in *from)
{
	socklen_t from_length = sizeof(*from);

	return recvfrom(fd, buffer, length, options.spin ? MSG_DONTWAIT : 0, (struct sockaddr *) from, &from_length);
}

static void run_udp_ping(void)
{
	struct sockaddr_in address;
	struct sockaddr_in from;
	uint8_t buffer[FRAME_BYTES] = {0};
	int fd = udp_socket(&address);
	size_t length = (size_t) (options.size - 42);
	uint32_t count = 0;
	uint64_t begin = now() + (uint64_t) (options.warm_up * 1e9);
	uint64_t end = begin + (uint64_t) (options.seconds * 1e9);

	printf("READY\n");
	fflush(stdout);
	for (uint64_t sent = now(); sent < end && !stopped; sent = now()) {
		bool answered = false;

		sendto(fd, buffer, length, 0, (struct sockaddr *) &address, sizeof(address));
		while (!answered && now() - sent < 100000000ull)
			answered = udp_receive(fd, buffer, sizeof(buffer), &from) > 0;
		if (answered && sent >= begin && count < SAMPLES_MAX)
			samples[count++] = (uint32_t) (now() - sent);
	}
	print_percentiles(count);
}

static void run_udp_echo(void)
{
	struct sockaddr_in address;
	struct sockaddr_in from;
	uint8_t buffer[FRAME_BYTES];
	int fd = udp_socket(&address);
	struct span span;
	uint64_t frames = 0;

	if (bind(fd, (struct sockaddr *) &address, sizeof(address)))
		fail("bind %s", options.address);
	span = span_start();
	while (span_goes_on(&span, frames)) {
		ssize_t length = udp_receive(fd, buffer, sizeof(buffer), &from);

		if (length > 0) {
			sendto(fd, buffer, (size_t) length, 0, (struct sockaddr *) &from, sizeof(from));
			frames++;
		}
	}
}

static void pin(int core)
{
	cpu_set_t set;

	if (core < 0)
		return;
	CPU_ZERO(&set);
	CPU_SET((size_t) core, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		fail("pin to core %d", core);
}

static void parse(int count, char **arguments)
{
	static const struct option known[] = {
		{"interface", required_argument, NULL, 'i'}, {"output", required_argument, NULL, 'o'},
		{"sink", required_argument, NULL, 'k'}, {"address", required_argument, NULL, 'a'},
		{"seconds", required_argument, NULL, 's'}, {"warm-up", required_argument, NULL, 'w'},
		{"size", required_argument, NULL, 'b'}, {"core", required_argument, NULL, 'c'},
		{"generic", no_argument, NULL, 'g'}, {"spin", no_argument, NULL, 'p'}, {NULL, 0, NULL, 0}};
	int option;

	while ((option = getopt_long(count, arguments, "", known, NULL)) >= 0) {
		switch (option) {
		case 'i': options.interface = optarg; break;
		case 'o': options.output = optarg; break;
		case 'k': options.sink = optarg; break;
		case 'a': options.address = optarg; break;
		case 's': options.seconds = atof(optarg); break;
		case 'w': options.warm_up = atof(optarg); break;
		case 'b': options.size = atoi(optarg); break;
		case 'c': options.core = atoi(optarg); break;
		case 'g': options.generic = true; break;
		case 'p': options.spin = true; break;
		default: exit(2);
		}
	}
}

int main(int count, char **arguments)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} modes[] = {
		{"receive", run_receive}, {"transmit", run_transmit}, {"forward", run_forward}, {"ping", run_ping},
		{"echo", run_echo}, {"udp-ping", run_udp_ping}, {"udp-echo", run_udp_echo}};

	parse(count, arguments);
	pin(options.core);
	signal(SIGTERM, stop);
	signal(SIGINT, stop);
	for (size_t i = 0; optind < count && i < sizeof(modes) / sizeof(modes[0]); i++) {
		if (!strcmp(arguments[optind], modes[i].name)) {
			modes[i].run();
			return 0;
		}
	}
	fputs("usage: xdp_reference receive|transmit|forward|ping|echo|udp-ping|udp-echo OPTIONS\n", stderr);
	return 2;
}
