#!/bin/sh
# An adapter for `lockscope-cli prove`, of a lock made with redis-cli. Put your own commands in place of the three calls.
# Run it:  lockscope-cli prove --adapter 'sh shell.sh'
# Try it:  LOCKSCOPE_PORT=6379 sh shell.sh     then type: acquire t0 demo
lease=${LOCKSCOPE_LEASE_MS:-1000}
redis() { redis-cli -h "${LOCKSCOPE_HOST:-127.0.0.1}" -p "${LOCKSCOPE_PORT:-6379}" "$@"; }
if_mine() { redis EVAL "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call(unpack(ARGV, 2)) end return 0" "$@"; }

redis PING >&2 && echo "ready acquire release extend reset"
while read -r word thread key rest; do
    owner="$LOCKSCOPE_PROCESS-$$-$thread" # a token of each thread
    case $word in
    acquire)
        tries=$((1 + ${LOCKSCOPE_WAIT_MS:-1000} / 100))
        until said=$(redis SET "$key" "$owner" NX PX "$lease" 2>&1) && [ -n "$said" ] || [ $((tries -= 1)) -le 0 ]; do sleep 0.1; done ;;
    release) said=$(if_mine 1 "$key" "$owner" DEL "$key" 2>&1) ;;
    extend) said=$(if_mine 1 "$key" "$owner" PEXPIRE "$key" "$lease" 2>&1) ;;
    reset) said=OK ;;
    esac
    case $said in
    OK | 1) echo "$thread yes" ;;
    "" | 0) echo "$thread no" ;;
    *) echo "$thread error $said" ;;
    esac
done
