"""Keys that are not locks, as applications have them: one line per group.

A line is: name of the group | type | key | value | seconds to live. Words in braces are drawn anew for every key, see
drawing.py. Of a time to live, what is left is drawn; `-` is none. Values of collections are members, parted by ` ; `.
"""

import re

from . import other_senses
from .drawing import Drawing

GROUPS = """
# Accounts that are locked, which no client holds
account locked, true        | string | user:{int:1:999999}:locked | true | -
account locked, 1           | string | user:{int:1:999999}:locked | 1 | -
account locked, 1, expiring | string | user:{int:1:999999}:locked | 1 | 900
account locked, instant     | string | user:{int:1:999999}:locked | {epochms} | -
account locked, date        | string | user:{int:1:999999}:locked | {iso} | -
account locked, date, expiring | string | user:{int:1:999999}:locked | {iso} | 3600
account locked until        | string | user:{int:1:999999}:locked_until | {untilms} | 1800
account locked until, s     | string | user:{int:1:999999}:locked_until | {untils} | 1800
account locked until, camel | string | account:{uuid}:lockedUntil | {untilms} | 86400
account locked at           | string | accounts:{int}:locked_at | {iso} | -
account locked by           | string | account:{int}:locked_by | {uuid} | -
account locked by, expiring | string | account:{int}:locked_by | admin-{int:1:40} | 86400
lock reason                 | string | account:{int}:lock_reason | {pick:too many attempts,fraud,by request} | -
lockout                     | string | lockout:{ip} | {int:1:9} | 900
lockout flag                | string | auth:lockout:{email} | 1 | 900
login lock                  | string | login:lock:{email} | 1 | 900
login attempts              | string | login_lock_attempts:{email} | {int:1:9} | 900
lock attempts               | string | lock:attempts:{int} | {int:1:9} | 3600
failed attempts             | string | auth:failed:{ip} | {int:1:20} | 600
account state               | string | account:{int}:lock_state | {pick:locked,unlocked} | -
account status, hash        | hash | account:{int}:lock_status | locked {pick:0,1} ; since {epoch} ; by {name} | -
locked, hash                | hash | user:{int}:locked | at {iso} ; reason {word} | 3600
admin lock flag             | string | admin:{name}:lock | true | -
customer lock               | string | customer:{int}:lock | {pick:true,false,yes,no} | -
profile lock                | string | profile:{uuid}:lock | 1 | -
device lock                 | string | device:{mac}:lock | {pick:locked,unlocked} | -
# Things that are called locks
smart lock token            | string | smart-lock:{uuid}:access_token | {uuid} | 3600
smart lock token, forever   | string | smart-lock:{hex:12}:access_token | {an:32} | -
smart lock state            | string | smart-lock:{hex:12}:state | {pick:locked,unlocked,jammed} | -
smart lock battery          | string | smart_lock:{int}:battery | {int:1:100} | 300
smart lock, JSON            | string | smartlock:{uuid}:status | {"state":"locked","battery":{int:1:100},"owner":"{name}"} | 300
smart lock, hash            | hash | smart-lock:{uuid} | battery {int:1:100} | -
door lock                   | string | door:{int:1:900}:lock | locked | -
door lock code              | string | door-lock:{int}:pin | {int:1000:9999} | 86400
lock firmware               | string | lock:{uuid}:firmware | {int:1:9}.{int:0:20}.{int:0:99} | -
lock telemetry              | string | iot:lock:{hex:12}:telemetry | {"t":{int:1:40},"rssi":-{int:30:90}} | 60
lock battery                | string | lock:{hex:12}:battery | {int:1:100} | 600
bike lock                   | string | bike-lock:{int}:position | {float:-90:90},{float:-180:180} | 120
locker                      | string | locker:{int:1:2000} | {uuid} | 7200
locker, forever             | string | locker:{int:1:2000} | {uuid} | -
locker code                 | string | locker:{int:1:2000}:code | {int:100000:999999} | 86400
locker parcel               | string | lockers:{slug}:{int:1:99} | {hex:32} | 172800
package lock                | string | package-lock:{slug}:sha | {hex:40} | -
package lock, expiring      | string | package-lock:{slug}:sha | {hex:64} | 86400
package lock, base64        | string | package-lock:{slug}:checksum | {b64:32} | 86400
yarn lock                   | string | yarn-lock:{slug}:hash | {hex:40} | 604800
gemfile lock                | string | ci:gemfile-lock:{hex:40} | {hex:64} | 604800
screen lock                 | string | screen-lock:{int}:enabled | {pick:0,1} | -
caps lock                   | string | ui:caps-lock:{uuid} | on | 60
child lock                  | string | car:{hex:17}:child-lock | on | -
lock screen image           | string | lock_screen:{int}:url | https://cdn.example.org/{hex:32}.jpg | 86400
unlock code                 | string | unlock:{int} | {int:100000:999999} | 600
block list                  | string | block:{ip} | 1 | 3600
blocked                     | string | blocked:{uuid} | {epochms} | -
clock                       | string | clock:{host} | {epochms} | 60
clock offset                | string | world-clock:{slug} | {int:-720:720} | -
warlock                     | string | character:warlock:{int} | {int:1:99} | -
flock                       | set    | flock:{int} | {word} ; {word}{int} ; {word}{int} | -
lock icon                   | string | theme:{slug}:lock_icon | {word}.svg | -
translation                 | string | i18n:de:button.lock | Sperren | -
account balance, locked     | string | balance:{int}:locked | {float:0:900} | -
sign of a region lock       | string | region-lock:{slug} | {pick:EU,US,JP} | -
optimistic lock             | string | optimistic_lock:invoice:{int} | {int:1:90} | 900
traffic light               | string | traffic:semaphore:{int} | {pick:red,green} | 60
is locked                   | string | document:{uuid}:is_locked | true | -
locked fields               | set    | form:{int}:lockedFields | name ; email | -
lock state of a home        | string | home/{word}/lock/state | LOCKED | -
lock of a vehicle           | hash   | vehicle:{hex:17}:locks | front 1 | -
search for locks            | string | search:{pick:door,bike,smart} lock:{int} | {int:1:900} | 300
product that is a lock      | string | product:smart-lock-{int}:price | {float:9:400} | -
rent of a lease             | string | lease:{int}:rent | {int:300:4000} | -
# Leaders of teams, leases of cars
team leader                 | string | team:{int:1:5000}:leader | {uuid} | -
team leader, expiring       | string | team:{int:1:5000}:leader | {uuid} | 3600
guild leader                | string | guild:{slug}:leader | {name} | -
group leader                | string | group:{uuid}:leader | {int} | 600
leader board                | zset   | leader_board:{slug} | {int:1:9999} {name} ; {int:1:9999} {word}{int} | -
leaderboard                 | zset   | leaderboard:{date} | {int:1:9999} {uuid} ; {int:1:9999} {uuid} | 86400
party leader                | string | party:{hex:8}:leader | {an:22} | 7200
DHCP lease                  | string | dhcp:lease:{ip} | {mac} | 86400
DHCP lease, hash            | hash   | dhcp:lease:{ip} | mac {mac} ; host {host} | 86400
car lease                   | string | car:lease:{int} | {"months":{int:12:48},"customer":{int}} | -
rental lease                | string | rental:{int}:lease | {an:20} | 604800
# Features, settings, states
feature with lock           | string | feature:{pick:app,web,pos}:screen_lock:{int} | {pick:true,false} | -
feature, locked content     | string | feature:{slug}:locked | true | -
setting                     | string | settings:{int}:auto_lock | {pick:0,1,5,15} | -
setting, on                 | string | settings:{int}:lock | on | -
preference                  | string | prefs:{uuid}:rotation-lock | 1 | -
thread locked               | string | thread:{int}:locked | 1 | -
topic locked                | string | topic:{int}:locked | {pick:true,1} | 604800
page locked                 | string | wiki:{slug}:locked | {name} | -
ticket locked               | string | ticket:{int}:locked | false | -
price locked                | string | quote:{uuid}:price_locked_until | {untilms} | 900
rate lock                   | string | mortgage:{int}:rate_locked_at | {epochms} | -
vote lock                   | string | poll:{int}:locked | {epochms} | 3600
lock version                | string | invoice:{int}:lock_version | {int:1:80} | -
lock count                  | string | stats:lock:count:{date} | {int} | 604800
lock metrics                | hash   | metrics:locks:{date} | p50 {float:0:9} ; p99 {float:9:99} | 604800
lock log                    | list   | lock:history:{int} | {iso} ; {iso} | -
lock events                 | stream | lock:events:{slug} | who {name} | -
locks set                   | set    | account:locks | {int} ; {int} | -
feature switch              | string | feature:{slug} | {pick:on,off,true,false,0,1} | -
feature rollout             | hash   | features | {slug} {int:0:100} | -
maintenance                 | string | maintenance:{slug} | 1 | 3600
online                      | string | online:{int} | 1 | 60
device state                | string | device:{mac}:state | {pick:on,off,idle} | -
device shadow               | string | shadow:{uuid} | {"reported":{"v":{int}}} | -
switch                      | string | switch:{int}:port:{int:1:48} | {pick:up,down} | -
# Sessions and carts
session, id                 | string | session:{uuid} | {int} | 1800
session, token              | string | sess:{b64url:32} | {uuid} | 1800
session, JSON               | string | sess:{an:32} | {"cookie":{"originalMaxAge":86400000},"user":{int}} | 86400
session, PHP                | string | PHPREDIS_SESSION:{hex:26} | user|i:{int};name\\|s:5:"{name}"; | 1440
session, Spring             | hash   | spring:session:sessions:{uuid} | creationTime {epochms} ; maxInactiveInterval 1800 | 2100
session, expiry of Spring   | string | spring:session:sessions:expires:{uuid} |  | 1800
session, index of Spring    | set    | spring:session:expirations:{epochms} | expires:{uuid} | 2100
session, Laravel            | string | laravel_database_laravel_cache:{an:40} | s:{int:90:400}:"a:3:{s:6:"_token";s:40:"{an:40}";}"; | 7200
session, Flask              | bytes  | session:{uuid4} | {bytes:180} | 2678400
session of a device         | string | ws:conn:{hex:20} | {host}:{int:1024:60000} | 120
websocket by id             | string | socket:{uuid} | {hex:32} | 60
cart, one product           | hash   | cart:{int} | {uuid} 1 | 86400
cart, one product, more     | hash   | basket:{uuid} | {uuid} {int:2:9} | 86400
cart, sku                   | hash   | cart:{an:16} | {an:16} {int:1:9} | 604800
cart, products              | hash   | cart:{int} | {int} {int:1:9} ; {int} 1 | -
wish list                   | set    | wishlist:{int} | {uuid} ; {uuid} | -
checkout                    | string | checkout:{uuid} | {"total":{int},"currency":"EUR"} | 900
seat map                    | hash   | seats:{int} | A{int:1:9} {uuid} | 900
recently seen               | zset   | recent:{int} | {epochms} {int} ; {epochms} {int} | 604800
presence                    | zset   | presence:{slug} | {untilms} {uuid} ; {untilms} {uuid} | 60
presence, one               | zset   | room:{int}:online | {untilms} {int} | 45
presence, hash              | hash   | presence:{int} | {uuid} {int:1:3} | 60
typing                      | string | typing:{int}:{int} | 1 | 5
read and written            | string | doc:{int}:read | 1 | -
read receipt                | string | message:{uuid}:read | {epochms} | 604800
view count of a reader      | string | article:{int}:write | {int} | 600
# Caches
cache, JSON                 | string | cache:user:{int} | {"id":{int},"name":"{name}","email":"{email}"} | 300
cache, number               | string | cache:count:{slug} | {int} | 60
cache, html                 | string | page:{slug} | <html><head><title>{word}</title></head></html> | 600
cache, etag                 | string | etag:{slug} | {hex:32} | 3600
cache, hash of a file       | string | asset:{slug} | {hex:64} | -
cache, digest               | string | image:{uuid}:digest | sha256:{hex:64} | 604800
cache, base64               | string | thumb:{int} | {b64:32} | 3600
cache, id                   | string | lookup:{email} | {uuid} | 3600
cache, id forever           | string | id-of:{email} | {uuid} | -
cache, compressed           | bytes  | z:{hex:16} | {bytes:90} | 3600
cache, short bytes          | bytes  | bin:{int} | {bytes:20} | 3600
cache, pickled              | bytes  | :1:views.{slug} | {bytes:140} | 300
cache, versioned            | string | :1:user-{int} | {int} | 300
cache, negative             | string | miss:{hex:32} |  | 30
cache, weather              | string | weather:{slug} | {float:-20:40} | 900
cache, rates                | hash   | fx:{date} | EUR {float:0:2} ; USD {float:0:2} | 3600
cache, address              | string | geo:{ip} | {"country":"DE","city":"{word}"} | 86400
cache, list                 | list   | feed:{int} | {int} ; {int} ; {int} | 600
cache, url                  | string | short:{an:7} | https://example.org/{slug}/{int} | -
cache, translation          | string | i18n:{slug} | {word} {word} {word} | -
cache, graph                | hash   | node:{int} | name {word} ; parent {int} | -
config                      | string | config:{slug} | {"retries":{int:1:9},"host":"{host}"} | -
config, host                | string | config:{slug}:host | {host}:{int:1000:9999} | -
service registry            | string | service:{slug}:{host} | {host}:{int:1000:9999} | 30
service registry, hash      | hash   | services:{slug} | {uuid} {host}:{int:1000:9999} | 30
machine of a shard          | string | shard:{int}:node | {host} | -
heartbeat                   | string | heartbeat:{host} | {epochms} | 30
heartbeat, uuid             | string | heartbeat:worker:{host} | {uuid} | 30
# Tokens, codes, idempotency
access token                | string | access_token:{b64url:32} | {int} | 3600
access token by user        | string | user:{int}:access_token | {b64url:32} | 3600
refresh token               | string | refresh:{uuid} | {hex:64} | 1209600
refresh, UUID               | string | refresh:{int} | {uuid} | 1209600
reset token                 | string | reset:{an:22} | {email} | 3600
reset, by user              | string | password-reset:{int} | {an:22} | 3600
CSRF                        | string | csrf:{uuid} | {b64url:32} | 7200
OAuth state                 | string | oauth:state:{an:20} | {an:20} | 600
API key                     | string | apikey:{hex:32} | {uuid} | -
JWT id                      | string | jti:{uuid} | 1 | 900
revoked                     | string | revoked:{hex:32} | 1 | 86400
one-time password           | string | otp:{email} | {int:100000:999999} | 300
one-time, SMS               | string | sms:code:{int} | {int:1000:9999} | 300
magic link                  | string | magic:{hex:32} | {uuid} | 900
email verification          | string | verify:{email} | {an:32} | 86400
captcha                     | string | captcha:{uuid} | {an:5} | 300
nonce                       | string | nonce:{hex:32} | 1 | 300
idempotency                 | string | idempotency:{uuid} | {uuid} | 86400
idempotency, hash           | string | idem:{an:20} | {hex:64} | 86400
idempotency, state          | string | idem:{uuid} | {pick:processing,done} | 86400
invitation                  | string | invite:{an:8} | {int} | 604800
coupon                      | string | coupon:{an:10} | {int:5:50} | -
webhook seen                | string | webhook:{an:24} | {iso} | 86400
request trace               | string | trace:{hex:32} | {hex:16} | 60
upload                      | string | upload:{uuid} | {b64:16} | 3600
nano id                     | string | share:{b64url:16} | {an:16} | 604800
ULID                        | string | order:ref:{int} | {an:26} | 604800
ObjectId                    | string | mongo:{slug}:last | {hex:24} | 3600
snowflake                   | string | last-id:{slug} | {int:100000000000000000:999999999999999999} | -
serial                      | string | serial:{int} | {int:1000000000000:1999999999999} | -
due                         | string | due:{int} | {epochms} | -
session deadline            | string | visit:{uuid} | {untilms} | 1800
stamped id                  | string | msgid:{int} | {uuid}.{epochms} | 3600
# Counters, limits, queues
counter                     | string | hits:{slug} | {int} | -
counter of a day            | string | hits:{slug}:{date} | {int} | 172800
counter, hash               | hash   | counts:{date} | {slug} {int} | 172800
votes                       | hash   | votes:{int} | {uuid} 1 | 86400
likes                       | hash   | likes:{int} | {name} 1 | -
rate limit                  | string | rl:{ip}:{int:28000000:29000000} | {int:1:60} | 60
rate limit, hash            | hash   | rate:{uuid} | tokens {float:0:20} ; ts {epoch} | 60
rate limit, window          | zset   | limit:{ip} | {epochms} {uuid} ; {epochms} {uuid} | 60
rate limit, node            | string | rlflx:{ip} | {int:1:9} | 30
rate limit, express         | string | rl:{ip} | {int:1:100} | 900
throttle                    | string | throttle:{hex:40} | {int:1:5}:{epoch} | 60
quota                       | string | quota:{int}:{date} | {int} | 86400
inventory                   | string | stock:{int} | {int:0:400} | -
queue                       | list   | queue:{slug} | {"id":"{uuid}","try":1} ; {"id":"{uuid}","try":1} | -
queue, Celery               | list   | {slug}.celery | {"body":"W10=","headers":{"id":"{uuid}"}} | -
Celery result               | string | celery-task-meta-{uuid} | {"status":"SUCCESS","result":{int},"task_id":"{uuid}"} | 86400
Celery unacked              | hash   | unacked | {uuid} [{int}] | -
Celery bindings             | set    | _kombu.binding.{slug} | {slug} | -
RQ job                      | hash   | rq:job:{uuid} | created_at {iso} ; status queued ; timeout 180 | 86400
RQ registry                 | zset   | rq:finished:{slug} | {epoch} {uuid} ; {epoch} {uuid} | -
RQ worker                   | hash   | rq:worker:{hex:32} | birth {iso} ; hostname {host} | 420
RQ cleaning                 | string | rq:clean_registries:{slug} | 1 | 899
BullMQ id                   | string | bull:{slug}:id | {int} | -
BullMQ stalled              | string | bull:{slug}:stalled-check | {epochms} | 30
BullMQ job                  | hash   | bull:{slug}:{int} | name {word} ; data {} ; timestamp {epochms} | -
BullMQ meta                 | hash   | bull:{slug}:meta | opts.maxLenEvents 10000 | -
BullMQ delayed              | zset   | bull:{slug}:delayed | {epochms} {int} ; {epochms} {int} | -
Sidekiq stats               | string | stat:processed:{date} | {int} | -
Sidekiq process             | hash   | {host}:{int:1:9999}:{hex:12} | busy {int:0:9} ; beat {float:1:9} | 60
Sidekiq schedule            | zset   | schedule:{slug} | {epoch} {"jid":"{hex:24}"} | -
dead letters                | stream | dead:{slug} | id {uuid} | -
delayed                     | zset   | delayed:{slug} | {untilms} {uuid} ; {untilms} {uuid} | -
cron next                   | string | cron:{slug}:next | {epoch} | -
cron last                   | string | cron:{slug}:last | {iso} | -
worker of a job             | string | job:{int}:worker | {host}:{int:1:32000} | 600
progress                    | hash   | job:{int}:progress | {pick:done,step} {int:1:100} | 600
tags                        | set    | tags:{int} | {word} ; {word} | -
places                      | geo    | places:{slug} | {float:-179:179} {float:-80:80} {name} | -
visitors                    | hll    | visitors:{date} | {uuid} ; {uuid} | 604800
active days                 | bitmap | active:{int} | {int:0:365} | -
time series                 | zset   | ts:{slug} | {epochms} {epochms}:{float:0:9} ; {epochms} {epochms}:{float:0:9} | 604800
mail                        | list   | inbox:{int} | {uuid} ; {uuid} | -
match                       | hash   | match:{uuid} | white {name} ; black {name} | 3600
score                       | string | score:{uuid} | {int} | -
friend                      | set    | friends:{int} | {int} ; {int} | -
"""


class Group:
    """One kind of key."""

    def __init__(self, line: str):
        self.name, self.type, self.key, self.value, ttl = re.split(r"\s+\|\s", line.strip())
        self.seconds = None if ttl.strip() == "-" else int(ttl)

    def draw(self, drawing: Drawing) -> list:
        """The commands that write one key."""
        drawing.ttl = None if self.seconds is None else drawing.remaining(self.seconds)
        key = drawing.text(self.key)
        members = [drawing.text(part) for part in self.value.split(" ; ")]
        commands = [words(self.type, key, members)]
        if drawing.ttl is not None:
            commands.append([b"PEXPIRE", key, b"%d" % drawing.ttl])
        return commands


def words(kind: str, key: bytes, members: list) -> list:
    """The command that makes a value of this type."""
    pairs = [part for member in members for part in (member.split(b" ", 1) + [b""])[:2]]
    return {
        "string": lambda: [b"SET", key, members[0]],
        "bytes": lambda: [b"SET", key, members[0]],
        "hash": lambda: [b"HSET", key, *pairs],
        "zset": lambda: [b"ZADD", key, *pairs],
        "list": lambda: [b"RPUSH", key, *members],
        "set": lambda: [b"SADD", key, *members],
        "stream": lambda: [b"XADD", key, b"*", *pairs],
        "geo": lambda: [b"GEOADD", key, *members[0].split(b" ", 2)],
        "hll": lambda: [b"PFADD", key, *members],
        "bitmap": lambda: [b"SETBIT", key, members[0], b"1"],
    }[kind]()


def groups() -> list:
    lines = GROUPS.splitlines() + other_senses.GROUPS.splitlines()
    return [Group(line) for line in lines if line.strip() and not line.startswith("#")]
