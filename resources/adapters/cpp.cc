// An adapter for `lockscope-cli prove`, of a lock made with hiredis. Put your own lock in place of the three commands.
// Run it:  g++ -std=c++17 cpp.cc -lhiredis -o adapter
//          lockscope-cli prove --adapter ./adapter
// Try it:  LOCKSCOPE_PORT=6379 ./adapter     then type: acquire t0 demo
#include <hiredis/hiredis.h>

#include <cstdlib>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <thread>

using Reply = std::unique_ptr<redisReply, void (*)(void*)>;

std::string setting(const char* name, const char* otherwise)
{
    const char* value = std::getenv(name);
    return value ? value : otherwise;
}

const char* answerOf(const Reply& reply)
{
    if (!reply || reply->type == REDIS_REPLY_ERROR) {
        return "error the command failed";
    }
    return reply->type == REDIS_REPLY_NIL || (reply->type == REDIS_REPLY_INTEGER && reply->integer == 0) ? "no" : "yes";
}

int main()
{
    const std::string lease = setting("LOCKSCOPE_LEASE_MS", "1000");
    const int attempts = 1 + std::stoi(setting("LOCKSCOPE_WAIT_MS", "1000")) / 100;
    redisContext* server = redisConnect(setting("LOCKSCOPE_HOST", "127.0.0.1").c_str(), std::stoi(setting("LOCKSCOPE_PORT", "6379")));
    const auto call = [server](auto... words) { return Reply(static_cast<redisReply*>(redisCommand(server, words...)), freeReplyObject); };
    const char* ifMine = "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call(unpack(ARGV, 2)) end return 0";
    std::cout << "ready acquire release extend reset" << std::endl;
    for (std::string line, word, thread, key; std::getline(std::cin, line);) {
        std::istringstream(line) >> word >> thread >> key;
        const std::string owner = setting("LOCKSCOPE_PROCESS", "A") + "-" + thread; // a token of each thread
        const char* answer = "yes"; // to reset: there is nothing to forget
        if (word == "acquire") {
            for (int i = 0; i < attempts; ++i) {
                std::this_thread::sleep_for(std::chrono::milliseconds(i > 0 ? 100 : 0));
                answer = answerOf(call("SET %s %s NX PX %s", key.c_str(), owner.c_str(), lease.c_str()));
                if (std::string(answer) != "no") {
                    break;
                }
            }
        } else if (word == "release") {
            answer = answerOf(call("EVAL %s 1 %s %s DEL %s", ifMine, key.c_str(), owner.c_str(), key.c_str()));
        } else if (word == "extend") {
            answer = answerOf(call("EVAL %s 1 %s %s PEXPIRE %s %s", ifMine, key.c_str(), owner.c_str(), key.c_str(), lease.c_str()));
        }
        std::cout << thread << ' ' << answer << std::endl;
    }
}
