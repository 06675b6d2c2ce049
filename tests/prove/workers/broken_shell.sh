#!/bin/sh
# A worker as it is often written: broken on purpose. Takes the lock with SET NX and gives it a lease with a second command; releases
# with DEL, whoever owns it. An adapter of docs/adapters.md; `lockscope-cli prove --adapter 'sh broken_shell.sh'` shows both.
lease=$((${LOCKSCOPE_LEASE_MS:-5000} / 1000))
redis() { redis-cli -h "$LOCKSCOPE_HOST" -p "$LOCKSCOPE_PORT" "$@" 2>&1; }

redis PING >&2
echo "ready acquire release reset"
while read -r word thread key rest; do
    case $word in
    acquire)
        if [ "$(redis SETNX "$key" "$$")" = 1 ]; then
            redis EXPIRE "$key" "$lease" >&2
            said=1
        else
            said=0
        fi ;;
    release) said=$(redis DEL "$key") ;;
    reset) said=1 ;;
    esac
    case $said in
    1) echo "$thread yes" ;;
    0) echo "$thread no" ;;
    *) echo "$thread error $said" ;;
    esac
done
