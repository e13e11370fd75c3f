/*
 * Requests and responses over kernel TCP by epoll, one thread at each end: the yardstick of the workload rpc.
 *
 * Arguments are words of the form name=value, as io.weir.bench.compare.end.EndSpec has them; what it says are lines as
 * io.weir.bench.compare.end.EndOutput describes them. The end of the standard input ends the server.
 *
 * Built by: cc -O2 -o epoll_calls epoll_calls.c
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define BUFFER_BYTES (128 * 1024)
#define EVENTS_MAX 64
#define BACKLOG 4096

/* One connection. */
struct line {
    int fd;
    /* Bytes of messages that are still to be written. */
    int64_t unwritten;
    /* Bytes of the message that is arriving. */
    int64_t part;
    /* When the calls that have no response were made: a ring of as many as may be outstanding. */
    int64_t *asked;
    int first;
    int wants_room;
};

static char buffer[BUFFER_BYTES];
static const char zeros[BUFFER_BYTES];
static char **words;
static int word_count;
static int epoll_fd;
static int64_t size_bytes;
static int outstanding;
static int64_t from_nanos;
static int64_t until_nanos;
static int64_t *took;
static size_t took_count;
static size_t took_room;

static int64_t now_nanos(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void fail(const char *what)
{
    printf("failed %s: %s\n", what, strerror(errno));
    fflush(stdout);
    exit(1);
}

static const char *text(const char *name, const char *usual)
{
    size_t length = strlen(name);
    for (int i = 0; i < word_count; i++) {
        if (strncmp(words[i], name, length) == 0 && words[i][length] == '=') {
            return words[i] + length + 1;
        }
    }
    return usual;
}

static void say_open(void)
{
    printf("open %lld\n", (long long)now_nanos());
    fflush(stdout);
}

static void watch(struct line *line, int operation, int wants_room)
{
    struct epoll_event event = {.events = EPOLLIN | (wants_room ? EPOLLOUT : 0), .data.ptr = line};
    if (epoll_ctl(epoll_fd, operation, line->fd, &event) != 0) {
        fail("epoll_ctl");
    }
    line->wants_room = wants_room;
}

static void take(struct line *line)
{
    int yes = 1;
    setsockopt(line->fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    fcntl(line->fd, F_SETFL, fcntl(line->fd, F_GETFL) | O_NONBLOCK);
    watch(line, EPOLL_CTL_ADD, 0);
}

/* Writes what there is room for. */
static void pump(struct line *line)
{
    while (line->unwritten > 0) {
        size_t length = line->unwritten < BUFFER_BYTES ? (size_t)line->unwritten : BUFFER_BYTES;
        ssize_t written = write(line->fd, zeros, length);
        if (written < 0) {
            if (errno != EAGAIN) {
                fail("write");
            }
            break;
        }
        line->unwritten -= written;
    }
    int wants_room = line->unwritten > 0;
    if (wants_room != line->wants_room) {
        watch(line, EPOLL_CTL_MOD, wants_room);
    }
}

/* Reads once; the number of messages that are complete by it, or -1 at the end of the connection. */
static int arrive(struct line *line)
{
    ssize_t length = read(line->fd, buffer, sizeof buffer);
    if (length <= 0) {
        return length < 0 && errno == EAGAIN ? 0 : -1;
    }
    line->part += length;
    int complete = (int)(line->part / size_bytes);
    line->part %= size_bytes;
    return complete;
}

static int listen_at(int port)
{
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    int yes = 1;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(fd, (struct sockaddr *)&address, sizeof address) != 0 || listen(fd, BACKLOG) != 0) {
        fail("listen");
    }
    return fd;
}

static void serve(int port)
{
    struct line listener = {.fd = listen_at(port)};
    struct line input = {.fd = STDIN_FILENO};
    watch(&listener, EPOLL_CTL_ADD, 0);
    watch(&input, EPOLL_CTL_ADD, 0);
    say_open();
    for (;;) {
        struct epoll_event events[EVENTS_MAX];
        int count = epoll_wait(epoll_fd, events, EVENTS_MAX, -1);
        for (int i = 0; i < count; i++) {
            struct line *line = events[i].data.ptr;
            if (line == &input) {
                if (read(STDIN_FILENO, buffer, sizeof buffer) <= 0) {
                    return;
                }
            } else if (line == &listener) {
                struct line *accepted = calloc(1, sizeof *accepted);
                accepted->fd = accept(listener.fd, NULL, NULL);
                if (accepted->fd < 0) {
                    fail("accept");
                }
                take(accepted);
            } else {
                int complete = (events[i].events & ~EPOLLOUT) ? arrive(line) : 0;
                if (complete < 0) {
                    close(line->fd);
                    free(line);
                    continue;
                }
                line->unwritten += complete * size_bytes;
                pump(line);
            }
        }
    }
}

static void ask(struct line *line, int slot, int64_t now)
{
    line->asked[slot] = now;
    line->unwritten += size_bytes;
}

static void note(int64_t nanos)
{
    if (took_count == took_room) {
        took_room = took_room == 0 ? 1 << 16 : 2 * took_room;
        took = realloc(took, took_room * sizeof *took);
        if (took == NULL) {
            fail("realloc");
        }
    }
    took[took_count++] = nanos;
}

static int compare(const void *first, const void *second)
{
    int64_t difference = *(const int64_t *)first - *(const int64_t *)second;
    return difference < 0 ? -1 : difference > 0;
}

static int64_t percentile(double share)
{
    if (took_count == 0) {
        return 0;
    }
    size_t index = (size_t)(share * (double)took_count);
    return took[index < took_count ? index : took_count - 1];
}

/* Frames that an interface of this namespace has received and sent. */
static int64_t frames(const char *interface)
{
    FILE *file = fopen("/proc/thread-self/net/dev", "r");
    char row[512];
    int64_t sum = 0;
    while (file != NULL && fgets(row, sizeof row, file) != NULL) {
        char name[64];
        long long in;
        long long out;
        if (sscanf(row, " %63[^:]: %*d %lld %*d %*d %*d %*d %*d %*d %*d %lld", name, &in, &out) == 3
            && strcmp(name, interface) == 0) {
            sum = in + out;
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    return sum;
}

static struct line *open_lines(int count)
{
    struct line *lines = calloc((size_t)count, sizeof *lines);
    struct sockaddr_in server = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(text("port", "0")))};
    inet_pton(AF_INET, text("remote", ""), &server.sin_addr);
    for (int i = 0; i < count; i++) {
        lines[i].fd = socket(AF_INET, SOCK_STREAM, 0);
        lines[i].asked = calloc((size_t)outstanding, sizeof *lines[i].asked);
        if (lines[i].fd < 0 || connect(lines[i].fd, (struct sockaddr *)&server, sizeof server) != 0) {
            fail("connect");
        }
        take(&lines[i]);
    }
    return lines;
}

/* Calls until the window is over; the frames of the window, and how long it was in fact. */
static int64_t call(struct line *lines, int count)
{
    const char *interface = text("interface", "");
    int64_t before = -1;
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < outstanding; j++) {
            ask(&lines[i], j, now_nanos());
        }
        pump(&lines[i]);
    }
    for (;;) {
        struct epoll_event events[EVENTS_MAX];
        int ready = epoll_wait(epoll_fd, events, EVENTS_MAX, -1);
        for (int i = 0; i < ready; i++) {
            struct line *line = events[i].data.ptr;
            int complete = (events[i].events & ~EPOLLOUT) ? arrive(line) : 0;
            if (complete < 0) {
                fail("the server ended a connection");
            }
            for (int j = 0; j < complete; j++) {
                int64_t now = now_nanos();
                if (now >= until_nanos) {
                    return frames(interface) - before;
                }
                if (now >= from_nanos) {
                    before = before < 0 ? frames(interface) : before;
                    note(now - line->asked[line->first]);
                }
                ask(line, line->first, now);
                line->first = (line->first + 1) % outstanding;
            }
            pump(line);
        }
    }
}

static void use(int count)
{
    say_open();
    struct line *lines = open_lines(count);
    from_nanos = now_nanos() + (int64_t)(atof(text("warmSeconds", "0")) * 1e9);
    until_nanos = from_nanos + (int64_t)(atof(text("seconds", "1")) * 1e9);
    printf("window %lld %lld\n", (long long)from_nanos, (long long)until_nanos);
    fflush(stdout);
    int64_t sent = call(lines, count);
    qsort(took, took_count, sizeof *took, compare);
    printf("value roundTrips %zu\n", took_count);
    printf("value p50Nanos %lld\n", (long long)percentile(0.5));
    printf("value p99Nanos %lld\n", (long long)percentile(0.99));
    printf("value p999Nanos %lld\n", (long long)percentile(0.999));
    printf("value p9999Nanos %lld\n", (long long)percentile(0.9999));
    if (took_count > 0) {
        printf("value framesPerMessage %.4f\n", (double)sent / (2.0 * (double)took_count));
    }
}

int main(int argc, char **argv)
{
    words = argv + 1;
    word_count = argc - 1;
    signal(SIGPIPE, SIG_IGN);
    struct rlimit files;
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
    size_bytes = atoll(text("sizeBytes", "64"));
    outstanding = atoi(text("outstanding", "1"));
    epoll_fd = epoll_create1(0);
    if (epoll_fd < 0) {
        fail("epoll_create1");
    }
    if (strcmp(text("role", ""), "server") == 0) {
        serve(atoi(text("port", "0")));
    } else {
        use(atoi(text("count", "1")));
    }
    printf("done\n");
    fflush(stdout);
    /* What the kernel has counted of this process is read after its last word. */
    char ignored[64];
    while (read(STDIN_FILENO, ignored, sizeof ignored) > 0) {
    }
    return 0;
}
