/* Viewers by the thousand, for measuring: opens streams, reads them, and says what came and how late.
 *
 *     cc -O2 -Wall -Wextra -o load tests/bench/load.c
 *     load HOST PORT [SOURCE ADDRESS]
 *
 * It obeys lines on standard input and answers each with one line of JSON:
 *
 *     open COUNT PATH        connect so many viewers, a few hundred at a time, until all are answered with 200
 *     storm COUNT PATH SEEN  connect so many at once, until each of them has seen so many events
 *     mute COUNT PATH        connect so many who ask and then read nothing at all
 *     rest MILLISECONDS      sleep so long between readings: viewers elsewhere would not have to be woken here
 *     clear                  forget what was counted; viewers stay
 *     wait SEEN SECONDS      until every viewer has seen so many events since the last clear
 *     report                 what was counted since the last clear
 *     close                  end all streams
 *     quit
 *
 * An event is known by a mark somewhere in it: a tilde, eight digits that count events, a full stop, seventeen
 * digits of CLOCK_MONOTONIC in nanoseconds when it was sent, a tilde. Gaps and repeats in the count are counted.
 * Source addresses other than 127.0.0.1 give more than the 28,000 connections that one address has ports for.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { COUNT_DIGITS = 8, TIME_DIGITS = 17, MARK = 1 + COUNT_DIGITS + 1 + TIME_DIGITS + 1 };
enum { IN_FLIGHT = 400, AT_A_TIME = 4096, PIECE = 1 << 17, SLOT_US = 20, SLOTS = 1 << 18 };

enum stage { CONNECTING, ASKED, STREAMING, MUTE, ENDED };

struct viewer {
    int socket;
    enum stage stage;
    int kept;              /* bytes of a mark that has not come whole */
    uint32_t seen;         /* events since the last clear */
    int64_t last;          /* the last event's count, -1 before the first */
    char begun_mark[MARK]; /* those bytes */
};

static struct viewer *viewers;
static int opened, streaming, muted, ended, refused;
static int is_muting; /* whether who connects now reads nothing */
static int poller;
static struct sockaddr_in server, source;
static char request[2048];
static uint32_t lateness[SLOTS]; /* events by how late they came, in slots of SLOT_US */
static int64_t events, gaps, repeats, latest_ns, bytes, reads;
static uint32_t wanted;   /* events every viewer shall see */
static int satisfied;     /* viewers who have */

static struct timespec rest; /* between readings */

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

static void fail(const char *what)
{
    perror(what);
    exit(2);
}

static int64_t number(const char *digits, int count)
{
    int64_t value = 0;
    for (int place = 0; place < count; place++) {
        if (digits[place] < '0' || digits[place] > '9')
            return -1;
        value = 10 * value + (digits[place] - '0');
    }
    return value;
}

static void count_event(struct viewer *viewer, int64_t count, int64_t sent, int64_t now)
{
    int64_t late = now - sent;
    int64_t slot = late / (1000 * SLOT_US);
    if (viewer->last >= 0 && count > viewer->last + 1)
        gaps += count - viewer->last - 1;
    if (count <= viewer->last) {
        repeats++;
        return;
    }
    viewer->last = count;
    events++;
    if (++viewer->seen == wanted)
        satisfied++;
    lateness[slot < 0 ? 0 : slot < SLOTS ? slot : SLOTS - 1]++;
    if (late > latest_ns)
        latest_ns = late;
}

/* Count the marks in what was read, and keep the beginning of one that is not whole. */
static void scan(struct viewer *viewer, const char *text, const char *end)
{
    int64_t now = now_ns();
    const char *mark;
    viewer->kept = 0;
    while (text < end && (mark = memchr(text, '~', end - text)) != NULL) {
        if (end - mark < MARK) {
            viewer->kept = (int)(end - mark);
            memcpy(viewer->begun_mark, mark, viewer->kept);
            return;
        }
        int64_t count = number(mark + 1, COUNT_DIGITS);
        int64_t sent = number(mark + 2 + COUNT_DIGITS, TIME_DIGITS);
        if (count < 0 || sent < 0 || mark[1 + COUNT_DIGITS] != '.' || mark[MARK - 1] != '~') {
            text = mark + 1;
            continue;
        }
        count_event(viewer, count, sent, now);
        text = mark + MARK;
    }
}

static void end(struct viewer *viewer)
{
    if (viewer->stage == STREAMING) {
        streaming--;
        ended++;
    } else if (viewer->stage == MUTE) {
        muted--;
        ended++;
    } else {
        refused++;
    }
    viewer->stage = ENDED;
    close(viewer->socket);
}

static void read_all(struct viewer *viewer)
{
    static char piece[MARK + PIECE];
    for (;;) {
        int kept = viewer->kept;
        memcpy(piece, viewer->begun_mark, kept);
        ssize_t got = recv(viewer->socket, piece + kept, PIECE, 0);
        if (got < 0 && (errno == EAGAIN || errno == EINTR))
            return;
        if (got <= 0) {
            end(viewer);
            return;
        }
        reads++;
        bytes += got;
        if (viewer->stage == ASKED) {
            if (got < 12 || memcmp(piece + 9, "200", 3) != 0) {
                end(viewer);
                return;
            }
            viewer->stage = STREAMING;
            streaming++;
        }
        scan(viewer, piece, piece + kept + got);
        if (got < PIECE)
            return;
    }
}

static void connect_one(void)
{
    struct viewer *viewer = &viewers[opened++];
    int yes = 1;
    *viewer = (struct viewer){.last = -1};
    viewer->socket = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    if (viewer->socket < 0)
        fail("socket: raise ulimit -n");
    setsockopt(viewer->socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    int little = 4096;
    if (is_muting)
        setsockopt(viewer->socket, SOL_SOCKET, SO_RCVBUF, &little, sizeof little);
    setsockopt(viewer->socket, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &yes, sizeof yes);
    if (source.sin_addr.s_addr && bind(viewer->socket, (struct sockaddr *)&source, sizeof source))
        fail("bind");
    if (connect(viewer->socket, (struct sockaddr *)&server, sizeof server) && errno != EINPROGRESS)
        fail("connect");
    struct epoll_event event = {.events = EPOLLOUT | EPOLLIN, .data.u32 = (uint32_t)(viewer - viewers) + 1};
    if (epoll_ctl(poller, EPOLL_CTL_ADD, viewer->socket, &event))
        fail("epoll_ctl");
}

static void ask(struct viewer *viewer)
{
    int error = 0;
    socklen_t size = sizeof error;
    ssize_t length = (ssize_t)strlen(request);
    getsockopt(viewer->socket, SOL_SOCKET, SO_ERROR, &error, &size);
    if (error || send(viewer->socket, request, length, MSG_NOSIGNAL) != length) {
        end(viewer);
        return;
    }
    viewer->stage = is_muting ? MUTE : ASKED;
    muted += is_muting;
    struct epoll_event event = {.events = is_muting ? EPOLLRDHUP : EPOLLIN, .data.u32 = (uint32_t)(viewer - viewers) + 1};
    epoll_ctl(poller, EPOLL_CTL_MOD, viewer->socket, &event);
}

/* Wait for events of the streams, or for a line of standard input, which is told by the answer. */
static int turn(int milliseconds)
{
    static struct epoll_event happened[AT_A_TIME];
    int has_line = 0;
    if (rest.tv_nsec)
        nanosleep(&rest, NULL);
    int count = epoll_wait(poller, happened, AT_A_TIME, milliseconds);
    for (int place = 0; place < count; place++) {
        uint32_t index = happened[place].data.u32; /* viewers move when there are more; 0 is standard input */
        struct viewer *viewer = index ? &viewers[index - 1] : NULL;
        if (viewer == NULL)
            has_line = 1;
        else if (viewer->stage == CONNECTING)
            ask(viewer);
        else if (viewer->stage == MUTE)
            end(viewer);
        else if (viewer->stage != ENDED)
            read_all(viewer);
    }
    return has_line;
}

static void clear(void)
{
    memset(lateness, 0, sizeof lateness);
    events = gaps = repeats = latest_ns = bytes = reads = 0;
    wanted = 0;
    satisfied = 0;
    for (int place = 0; place < opened; place++)
        viewers[place].seen = 0;
}

static void want(uint32_t seen)
{
    wanted = seen;
    satisfied = 0;
    for (int place = 0; place < opened; place++)
        satisfied += viewers[place].seen >= seen;
}

/* Connect so many more; at most `most` of them unanswered at a time. */
static void open_viewers(int count, const char *path, int most, uint32_t seen, double limit)
{
    int64_t begun = now_ns(), stop = begun + (int64_t)(limit * 1e9);
    int last = opened + count;
    snprintf(request, sizeof request,
             "GET %s HTTP/1.1\r\nHost: bench\r\nAccept: text/event-stream\r\nConnection: keep-alive\r\n\r\n", path);
    viewers = realloc(viewers, last * sizeof *viewers);
    if (opened && viewers == NULL)
        fail("memory");
    if (seen)
        want(seen);
    while (now_ns() < stop) {
        int answered = streaming + muted + ended + refused;
        while (opened < last && opened - answered < most)
            connect_one();
        if (opened == last && answered >= last && (!seen || satisfied + ended + refused >= last))
            break;
        turn(10);
    }
    printf("{\"streaming\":%d,\"refused\":%d,\"ended\":%d,\"satisfied\":%d,\"seconds\":%.4f}\n", streaming, refused,
           ended, satisfied, (now_ns() - begun) / 1e9);
}

static void wait_for(uint32_t seen, double limit)
{
    int64_t begun = now_ns(), stop = begun + (int64_t)(limit * 1e9);
    want(seen);
    while (satisfied < streaming && now_ns() < stop)
        turn(10);
    printf("{\"streaming\":%d,\"satisfied\":%d,\"seconds\":%.4f}\n", streaming, satisfied, (now_ns() - begun) / 1e9);
}

/* How late, in milliseconds, the given share of all events came at most. */
static double late(double share)
{
    int64_t rest = (int64_t)(share * events);
    int slot = 0;
    while (slot < SLOTS - 1 && (rest -= lateness[slot]) > 0)
        slot++;
    return (slot + 1) * SLOT_US / 1000.0;
}

static void report(void)
{
    printf("{\"streaming\":%d,\"mute\":%d,\"ended\":%d,\"refused\":%d,\"events\":%lld,\"gaps\":%lld,\"repeats\":%lld,"
           "\"p50_ms\":%.2f,\"p99_ms\":%.2f,\"most_ms\":%.2f,\"megabytes\":%.2f,\"reads\":%lld}\n",
           streaming, muted, ended, refused, (long long)events, (long long)gaps, (long long)repeats, late(0.5), late(0.99),
           latest_ns / 1e6, bytes / 1e6, (long long)reads);
}

static void close_all(void)
{
    struct linger at_once = {.l_onoff = 1};
    for (int place = 0; place < opened; place++)
        if (viewers[place].stage != ENDED) {
            /* A reset leaves no port behind in TIME-WAIT: the next thousands need them. */
            setsockopt(viewers[place].socket, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
            close(viewers[place].socket);
        }
    opened = streaming = muted = ended = refused = 0;
    clear();
    printf("{}\n");
}

static int obey(void)
{
    char line[1600], path[1500];
    int count;
    unsigned seen;
    double seconds;
    if (fgets(line, sizeof line, stdin) == NULL || strncmp(line, "quit", 4) == 0)
        return 0;
    if (sscanf(line, "open %d %1499s", &count, path) == 2)
        open_viewers(count, path, IN_FLIGHT, 0, 120);
    else if (sscanf(line, "mute %d %1499s", &count, path) == 2) {
        is_muting = 1;
        open_viewers(count, path, IN_FLIGHT, 0, 120);
        is_muting = 0;
    } else if (sscanf(line, "storm %d %1499s %u", &count, path, &seen) == 3)
        open_viewers(count, path, count, seen, 180);
    else if (sscanf(line, "wait %u %lf", &seen, &seconds) == 2)
        wait_for(seen, seconds);
    else if (strncmp(line, "report", 6) == 0)
        report();
    else if (sscanf(line, "rest %d", &count) == 1 && count >= 0 && count < 1000) {
        rest.tv_nsec = count * 1000000L;
        printf("{}\n");
    } else if (strncmp(line, "close", 5) == 0)
        close_all();
    else if (strncmp(line, "clear", 5) == 0) {
        clear();
        printf("{}\n");
    } else
        printf("{\"error\":\"unknown command\"}\n");
    return 1;
}

int main(int count, char **words)
{
    struct rlimit files;
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = 0};
    if (count < 3) {
        fprintf(stderr, "load HOST PORT [SOURCE ADDRESS]\n");
        return 2;
    }
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
    server.sin_family = source.sin_family = AF_INET;
    server.sin_port = htons((uint16_t)atoi(words[2]));
    if (!inet_aton(words[1], &server.sin_addr) || (count > 3 && !inet_aton(words[3], &source.sin_addr))) {
        fprintf(stderr, "addresses are numbers, like 127.0.0.1\n");
        return 2;
    }
    setvbuf(stdin, NULL, _IONBF, 0);
    setvbuf(stdout, NULL, _IOLBF, 0);
    poller = epoll_create1(0);
    if (poller < 0 || epoll_ctl(poller, EPOLL_CTL_ADD, STDIN_FILENO, &event))
        fail("epoll");
    do {
        while (!turn(1000))
            ;
    } while (obey());
    return 0;
}
