#pragma once

#include "core/kernel/store/reply.h"

namespace lockscope::sim {

struct Call;

/// What each command does, named after it; one file per family. The words are as many as the
/// command's arity asks for.
namespace handlers {

// string_commands.cpp
store::Reply set(Call& call);
store::Reply get(Call& call);
store::Reply getset(Call& call);
store::Reply getdel(Call& call);
store::Reply getex(Call& call);
store::Reply setnx(Call& call);
store::Reply setex(Call& call);
store::Reply psetex(Call& call);
store::Reply mget(Call& call);
store::Reply mset(Call& call);
store::Reply msetnx(Call& call);
store::Reply append(Call& call);
store::Reply strlen(Call& call);
store::Reply incr(Call& call);
store::Reply incrby(Call& call);
store::Reply incrbyfloat(Call& call);
store::Reply decr(Call& call);
store::Reply decrby(Call& call);
store::Reply getrange(Call& call);
store::Reply setrange(Call& call);
store::Reply getbit(Call& call);
store::Reply setbit(Call& call);

// key_commands.cpp
store::Reply del(Call& call);
store::Reply exists(Call& call);
store::Reply type(Call& call);
store::Reply keys(Call& call);
store::Reply scan(Call& call);
store::Reply dbsize(Call& call);
store::Reply flush(Call& call);
store::Reply rename(Call& call);
store::Reply renamenx(Call& call);
store::Reply copy(Call& call);

// expiry_commands.cpp
store::Reply expire(Call& call);
store::Reply pexpire(Call& call);
store::Reply expireat(Call& call);
store::Reply pexpireat(Call& call);
store::Reply ttl(Call& call);
store::Reply pttl(Call& call);
store::Reply expiretime(Call& call);
store::Reply pexpiretime(Call& call);
store::Reply persist(Call& call);

// hash_commands.cpp
store::Reply hset(Call& call);
store::Reply hmset(Call& call);
store::Reply hsetnx(Call& call);
store::Reply hget(Call& call);
store::Reply hmget(Call& call);
store::Reply hgetall(Call& call);
store::Reply hkeys(Call& call);
store::Reply hvals(Call& call);
store::Reply hdel(Call& call);
store::Reply hexists(Call& call);
store::Reply hlen(Call& call);
store::Reply hstrlen(Call& call);
store::Reply hincrby(Call& call);
store::Reply hincrbyfloat(Call& call);

// list_commands.cpp
store::Reply lpush(Call& call);
store::Reply rpush(Call& call);
store::Reply lpushx(Call& call);
store::Reply rpushx(Call& call);
store::Reply lpop(Call& call);
store::Reply rpop(Call& call);
store::Reply blpop(Call& call);
store::Reply brpop(Call& call);
store::Reply llen(Call& call);
store::Reply lrange(Call& call);
store::Reply lindex(Call& call);
store::Reply lpos(Call& call);
store::Reply lset(Call& call);
store::Reply linsert(Call& call);
store::Reply lrem(Call& call);
store::Reply ltrim(Call& call);
store::Reply lmove(Call& call);
store::Reply rpoplpush(Call& call);
store::Reply blmove(Call& call);
store::Reply brpoplpush(Call& call);

// set_commands.cpp
store::Reply sadd(Call& call);
store::Reply srem(Call& call);
store::Reply sismember(Call& call);
store::Reply smismember(Call& call);
store::Reply smembers(Call& call);
store::Reply scard(Call& call);

// sorted_set_commands.cpp
store::Reply zadd(Call& call);
store::Reply zincrby(Call& call);
store::Reply zrem(Call& call);
store::Reply zscore(Call& call);
store::Reply zmscore(Call& call);
store::Reply zcard(Call& call);
store::Reply zrank(Call& call);
store::Reply zrevrank(Call& call);
store::Reply zpopmin(Call& call);
store::Reply zpopmax(Call& call);
store::Reply bzpopmin(Call& call);
store::Reply bzpopmax(Call& call);

// sorted_set_combination.cpp
store::Reply zinterstore(Call& call);
store::Reply zunionstore(Call& call);

// score_range_commands.cpp
store::Reply zrange(Call& call);
store::Reply zrangebyscore(Call& call);
store::Reply zrevrange(Call& call);
store::Reply zrevrangebyscore(Call& call);
store::Reply zremrangebyscore(Call& call);
store::Reply zremrangebyrank(Call& call);
store::Reply zcount(Call& call);

// stream_commands.cpp
store::Reply xadd(Call& call);
store::Reply xtrim(Call& call);
store::Reply xlen(Call& call);
store::Reply xrange(Call& call);

// server_commands.cpp
store::Reply ping(Call& call);
store::Reply echo(Call& call);
store::Reply select(Call& call);
store::Reply time(Call& call);
store::Reply configGet(Call& call);
store::Reply clusterDisabled(Call& call);

// command_info.cpp
store::Reply command(Call& call);
store::Reply commandCount(Call& call);
store::Reply commandDocs(Call& call);
store::Reply commandInfo(Call& call);

// pubsub_commands.cpp
store::Reply publish(Call& call);
store::Reply spublish(Call& call);
store::Reply pubsubChannels(Call& call);
store::Reply pubsubNumpat(Call& call);
store::Reply pubsubNumsub(Call& call);
store::Reply pubsubShardchannels(Call& call);
store::Reply pubsubShardnumsub(Call& call);

// script_commands.cpp
store::Reply eval(Call& call);
store::Reply evalsha(Call& call);
store::Reply evalRo(Call& call);
store::Reply evalshaRo(Call& call);
store::Reply scriptLoad(Call& call);
store::Reply scriptExists(Call& call);
store::Reply scriptFlush(Call& call);

} // namespace handlers

} // namespace lockscope::sim
