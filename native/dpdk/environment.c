/* DPDK's environment, which is started once a process, and what it logs. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <unistd.h>

#include <rte_eal.h>
#include <rte_log.h>
#include <rte_version.h>

#include "weir_dpdk.h"

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

void weir_log_clear(void)
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
	weir_log_clear();
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
