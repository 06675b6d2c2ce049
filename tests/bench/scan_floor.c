/* The floor that sweeping is measured against (P1): the shortest C program over blocking hiredis that lists the
 * same locks. SCAN COUNT 1000; for names that begin with "lock:" TYPE, PTTL and the value, pipelined.
 * Usage: scan_floor SOCKET|HOST:PORT. Prints: locks found, seconds. */
#include <hiredis.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static redisReply* next_reply(redisContext* server)
{
    void* reply = NULL;
    if (redisGetReply(server, &reply) != REDIS_OK) {
        fprintf(stderr, "scan_floor: %s\n", server->errstr);
        exit(1);
    }
    return reply;
}

/* Reads the candidates of one page; returns how many of them exist. */
static long read_candidates(redisContext* server, const redisReply* keys)
{
    long found = 0;
    size_t candidates = 0;
    size_t hash_count = 0;
    const redisReply** asked = malloc(keys->elements * sizeof(*asked));
    for (size_t i = 0; i < keys->elements; ++i) {
        const redisReply* key = keys->element[i];
        if (key->len < 5 || memcmp(key->str, "lock:", 5) != 0) {
            continue;
        }
        asked[candidates++] = key;
        redisAppendCommand(server, "TYPE %b", key->str, (size_t)key->len);
        redisAppendCommand(server, "PTTL %b", key->str, (size_t)key->len);
        redisAppendCommand(server, "GET %b", key->str, (size_t)key->len);
    }
    const redisReply** hashes = malloc((candidates + 1) * sizeof(*hashes));
    for (size_t i = 0; i < candidates; ++i) {
        redisReply* type = next_reply(server);
        redisReply* ttl = next_reply(server);
        redisReply* value = next_reply(server);
        found += strcmp(type->str, "none") != 0;
        if (strcmp(type->str, "hash") == 0) {
            hashes[hash_count++] = asked[i];
        }
        freeReplyObject(type);
        freeReplyObject(ttl);
        freeReplyObject(value);
    }
    for (size_t i = 0; i < hash_count; ++i) {
        redisAppendCommand(server, "HGETALL %b", hashes[i]->str, (size_t)hashes[i]->len);
    }
    for (size_t i = 0; i < hash_count; ++i) {
        freeReplyObject(next_reply(server));
    }
    free(hashes);
    free(asked);
    return found;
}

int main(int argc, char** argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: scan_floor SOCKET|HOST:PORT\n");
        return 2;
    }
    redisContext* server = NULL;
    char* colon = strrchr(argv[1], ':');
    if (argv[1][0] != '/' && colon != NULL) {
        *colon = '\0';
        server = redisConnect(argv[1], atoi(colon + 1));
    } else {
        server = redisConnectUnix(argv[1]);
    }
    if (server == NULL || server->err) {
        fprintf(stderr, "scan_floor: cannot connect to %s\n", argv[1]);
        return 1;
    }
    const double begin = seconds();
    long found = 0;
    char cursor[32] = "0";
    do {
        redisReply* page = redisCommand(server, "SCAN %s COUNT 1000", cursor);
        if (page == NULL || page->elements != 2) {
            fprintf(stderr, "scan_floor: SCAN failed\n");
            return 1;
        }
        snprintf(cursor, sizeof(cursor), "%s", page->element[0]->str);
        found += read_candidates(server, page->element[1]);
        freeReplyObject(page);
    } while (strcmp(cursor, "0") != 0);
    printf("%ld %.6f\n", found, seconds() - begin);
    redisFree(server);
    return 0;
}
