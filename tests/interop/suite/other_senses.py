"""More keys that are no locks: words for a lock in other senses, and values that look like tokens of lock libraries.

Lines as in plain_data.py. Written to mislead: each group has a name, or a value, or both, as some lock has them.
"""

GROUPS = """
# Locks of doors, canals, bicycles, hair
padlock                      | string | padlock:{int}:code | {int:1000:9999} | 86400
padlock, two words           | string | pad-lock:{int} | {uuid} | 3600
canal lock, level            | string | canal:{slug}:lock:{int:1:40}:level | {float:0:9} | 600
canal lock, state            | string | canal-lock:{int} | {pick:open,closed,filling} | -
canal lock, id               | string | canal:lock:{int} | {uuid} | 86400
lock of a waterway, hash     | hash   | waterway:{slug}:lock:{int:1:40} | gates 2 | 86400
lock keeper                  | string | lock_keeper:{int} | {name} | -
lock chamber                 | string | lock-chamber:{int} | {uuid} | 86400
ship lock, next passage      | zset   | ship-lock:{int} | {untilms} {uuid} ; {untilms} {uuid} | 3600
hair lock                    | string | hair:{int}:lock | {hex:32} | 86400
dreadlocks                   | string | dreadlocks:{slug}:style | {word} | -
wig locks                    | string | salon:{int}:locks | {int:1:20} | 3600
bike lock, battery           | string | bike:{int}:lock:battery | {int:1:100} | 600
bike lock, unlock code       | string | bikeLock:{int} | {an:16} | 1200
scooter lock                 | string | scooter:{uuid}:lock | {pick:engaged,disengaged} | -
scooter lock, token          | string | scooter:{int}:lock:token | {an:22} | 1800
car lock, four doors         | hash   | car:{hex:17}:lock | doors 4 | 600
garage lock                  | string | garage:{int}:lock | closed | -
gun lock                     | string | gun-lock:{int}:serial | {an:12} | -
trailer lock, place          | string | trailer_lock:{int} | {float:40:60},{float:1:20} | 300
luggage lock                 | string | luggage-lock:{int} | {int:100:999} | -
lock of a room, number first | string | lock:{int}:room | {int:1:900} | -
lock of a room, owner        | string | lock:{hex:12}:owner | {uuid} | 86400
lock of a device, key        | string | lock:{uuid}:key | {b64:32} | 86400
lock of a device, name       | string | lock:{int}:name | {word}-{int:1:99} | -
lock of a device, picture    | string | lock:{int}:image | {hex:40} | 86400
lock of a device, last seen  | string | lock:{hex:16}:last_seen | {epochms} | 86400
lock of a device, opened     | string | iot:lock:{hex:12}:opened | {epochms} | -
lock of a device, gateway    | string | zigbee:{hex:16}:lock | {an:20} | 3600
lock, MQTT                   | string | mqtt/home/{word}/lock/{int} | LOCKED | 3600
lock box                     | string | lock_box:{int} | {hex:24} | 86400
lockbox, one word            | string | lockbox:{int} | {uuid} | -
lock pick                    | string | game:item:lock_pick:{int} | {int:1:9} | 3600
lock cylinder                | string | cylinder-lock:{slug}:price | {float:9:90} | -
locksmith                    | string | locksmith:{slug} | {name} | -
lock screen, wallpaper       | string | lock-screen:{int}:wallpaper | {hex:64} | 86400
lock screen, camel           | string | lockScreen:{uuid} | {uuid} | 3600
lock screen, PIN             | string | screen-lock:{uuid}:pin | {hex:64} | -
screen lock of a phone       | string | phone:{hex:15}:lock | 1 | 3600
wheel lock                   | string | wheel-lock:{int} | {int:0:1} | 600
oven, child lock             | string | oven:{int}:child_lock | {pick:on,off} | -
window lock                  | string | windowLock:{int} | {pick:open,shut} | 600
key lock                     | string | keyboard-lock:{uuid} | on | 3600
wake lock                    | string | wake-lock:{int} | {int} | 60
orientation lock             | string | orientationLock:{uuid} | portrait | -
SIM lock                     | string | sim-lock:{int:100000000000000:999999999999999} | {int:1000:9999} | -
exposure lock                | string | camera:{int}:ae-lock | {float:0:9} | 60
differential lock            | string | differential-lock:{hex:17} | engaged | -
air lock                     | string | air-lock:{int}:pressure | {float:0:2} | 60
airlock                      | string | airlock:{int} | {uuid} | 900
grid lock                    | string | gridLock:{slug} | {int:0:90} | 300
dead lock                    | string | dead-lock:{int} | {iso} | 604800
deadlock report              | string | deadlock:{uuid} | {hex:32} | 604800
war lock                     | string | war-lock:{int} | {int:1:80} | -
bullock                      | string | bullock:{int} | {uuid} | 3600
Sherlock                     | string | sherlock:{int}:page | {int:1:300} | 3600
Matlock                      | string | matlock:episode:{int} | {an:20} | 3600
hillock                      | string | hillock:{slug} | {float:0:90} | -
flock, size                  | string | flock:{int} | {int:1:900} | 3600
o'clock                      | string | oclock:{int:1:24} | {word} | 3600
blockchain                   | string | blockchain:{hex:64} | {hex:64} | 3600
block height                 | string | block:{int}:hash | {hex:64} | -
time lock                    | string | timelock:{hex:40} | {untils} | 86400
hash lock                    | string | hashlock:{hex:64} | {hex:64} | 86400
wedlock                      | string | wedlock:{int} | {date} | -
Schloss                      | string | schloss:{slug} | {uuid} | 3600
serrure                      | string | serrure:{int} | {uuid} | 3600
verrou                       | string | verrou:{int} | {hex:32} | 3600
deadline                     | string | deadline:{int} | {untilms} | 3600
deadline, date               | string | task:{uuid}:deadline | {untils} | 3600
lock screen, Chinese         | string | 锁屏:{int} | {uuid} | 3600
door lock, Chinese           | string | 门锁:{int} | {hex:32} | 3600
smart lock, Chinese          | string | 智能锁:{hex:12} | {int:1:100} | 600
rock music, Japanese         | string | ロック音楽:{int} | {uuid} | 3600
smart lock, Japanese         | string | スマートロック:{int} | {hex:32} | 600
lock screen, Korean          | string | 화면잠금:{int} | 1 | 3600
# Goods, money and rights that are locked
stock locked                 | string | stock:{int}:locked | {int:1:900} | -
stock locked, expiring       | string | stock:{int}:locked | {int:1:900} | 3600
stock locked, hash           | hash   | stock:{int}:locked | {uuid} {int:1:9} | 3600
stock locked, many           | hash   | inventory:{int}:locked | {uuid} {int:1:9} ; {uuid} {int:1:9} | 3600
quantity locked              | string | inventory:{an:10}:locked_qty | {int:0:90} | -
balance locked               | string | wallet:{uuid}:locked_balance | {float:0:900} | -
balance locked by            | string | wallet:{uuid}:locked | {uuid} | 86400
total value locked           | string | tvl:locked:{slug} | {float:0:999999} | 300
stake locked                 | hash   | stake:{hex:40}:locked | amount {int} ; until {untils} | 86400
lock period                  | string | staking:{int}:lock_period | {int:30:720} | -
vesting                      | string | vesting:{uuid}:lock_until | {untils} | 86400
rate lock, per cent          | string | rate-lock:{int} | {float:1:9} | 86400
rate lock, id                | string | rateLock:{uuid} | {uuid} | 86400
mortgage lock                | string | mortgage:{int}:lock | {uuid} | 86400
price lock                   | string | quote:{uuid}:price_locked | {float:1:900} | 3600
content locked               | string | course:{int}:lesson:{int:1:40}:locked | {pick:true,false} | -
level locked                 | string | game:{int}:level:{int:1:90}:locked | 1 | -
region locked                | set    | region_locked:{slug} | DE ; FR | -
topic locked by              | string | topic:{int}:locked_by | {hex:24} | -
document locked, JSON        | string | wiki:{int}:lock | {"by":"{name}","section":{int:1:9}} | 3600
optimistic version           | string | order:{int}:lock_version | {int:1:30} | -
optimistic, hash             | hash   | row:{uuid} | lock_version {int:1:30} | 3600
# Accounts that are locked
account, lock first          | string | locked:account:{int} | 1 | -
account, lock first, token   | string | locked:user:{int} | {uuid} | 86400
account, camel               | string | accountLocked:{uuid} | true | -
account, instant of unlock   | string | account:{int}:lock_expires | {untilms} | 3600
account, who                 | string | user:{uuid}:lock | {name}{int:1:99} | 86400
account, ticket              | string | user:{uuid}:lock | {hex:32} | 86400
account, audit               | string | audit:account:{int}:lock | {an:20} | 604800
account, e-mail              | string | account_lock:{email} | {epochms} | 1800
account, until, ISO          | string | user:{int}:locked | {iso} | 1800
account, hash                | hash   | user:{int}:LOCKED | since {epoch} | 86400
account, hash of JSON        | hash   | account:{int}:LOCKED | reason {"code":{int:1:9}} | 86400
account, one field           | hash   | account:{int}:lock | {uuid} 1 | 86400
account, counter             | string | account:{int}:lock:count | {int:1:9} | 86400
login, IP                    | string | lock:ip:{ip} | {int:1:9} | 1800
login, IP, flag              | string | login:ip:{ip}:lock | 1 | 1800
login, phone                 | string | sms:lock:{int:10000000000:19999999999} | 1 | 900
login, captcha               | string | captcha:lock:{ip} | 1 | 900
login, mfa                   | string | mfa_lock:{int} | {int:1:5} | 900
password lock                | string | password:{int}:lock | {untilms} | 1800
account, attempts            | string | lock_attempts:{email} | {int:1:5} | 900
bans                         | string | ban:{ip}:lock | {int:1:99} | 3600
device lock, MDM             | string | mdm:{uuid}:lock | {hex:32} | 86400
# Switches
feature, lock in its name    | string | feature:lock-screen:{int} | {pick:on,off} | -
feature, percent             | string | feature:price-lock:{int} | {int:1:100} | -
feature, JSON                | string | ff:auto_lock:{int} | {"on":true,"percent":{int:0:100}} | 3600
flag, lock                   | string | flags:{slug}:lock | enabled | -
toggle                       | string | toggle:{uuid}:lock | {pick:true,false} | -
setting, seconds             | string | settings:{uuid}:lock_timeout | {int:15:600} | -
setting, level               | string | prefs:{int}:lock | {pick:low,medium,high} | -
menu                         | string | menu:{int}:lock_icon | {hex:8} | -
button                       | string | ui:button:{int}:lock | Sperren | -
# Leases, leaders, semaphores, mutexes
lease, contract              | string | lease:{int}:contract | {hex:64} | 604800
lease, contract id           | string | lease-contract:{int} | {uuid} | 604800
lease, end                   | string | lease:{int}:end | {untilms} | 604800
lease, tenant                | string | lease:{uuid}:tenant | {uuid} | -
lease, property              | string | property:{int}:lease | {an:20} | 604800
lease, property, hash        | hash   | property:{int}:lease | {uuid} 1 | 604800
lease, number alone          | string | lease:{int} | {uuid} | 604800
lease, UUID alone            | string | lease:{uuid} | {hex:32} | 604800
lease, apartment             | string | apartment:{int}:lease | {untils} | 604800
lease, vehicles              | set    | vehicle:{int}:leases | {int} ; {int} | -
lease, DHCP                  | string | dhcp:leases:{mac} | {ip} | 3600
lease, network               | string | lease:{ip} | {mac} | 3600
lease, secret                | string | vault:lease:{uuid} | {an:24} | 3600
lease, credentials           | string | db:creds:lease:{an:24} | {uuid} | 3600
lease, rent                  | string | rental:lease:{int} | {uuid} | 604800
lease of land                | string | landlord:{int}:lease:{int} | {uuid} | -
leader of a team             | string | squad:{uuid}:leader | {uuid} | 3600
leader of an auction         | string | auction:{int}:leader | {uuid} | 3600
leader of a race             | string | race:{int}:leader | {int:1:200} | 3600
leader of a choir            | string | choir-leader:{int} | {name} | -
leaders of a day             | zset   | leaders:{date} | {int:1:9999} {uuid} ; {int:1:9999} {uuid} | 86400
leaders by time              | zset   | leaders:{slug} | {untilms} {uuid} ; {untilms} {uuid} | 86400
leader by number             | string | leader:{int} | {uuid} | 86400
leader, page                 | string | leader:{int}:profile | {hex:40} | 86400
leaderboard, page            | string | leaderboard:{slug}:page:{int:1:90} | {hex:32} | 300
scout leader                 | string | scout:{slug}:leader | {uuid} | -
semaphore of a railway       | string | railway:semaphore:{int} | {pick:red,green} | -
semaphore of a street        | string | semaphore:{int}:color | {pick:red,yellow,green} | 60
semaphore, flags             | string | semaphore:letter:{pick:a,b,c}:{int} | {word} | -
Semaphore, builds            | string | semaphoreci:build:{int} | {hex:40} | 86400
building permit              | string | permit:{int} | {int:1:9} | -
mutex, a product             | string | product:mutex-{int}:price | {float:9:99} | -
# What counts and records locks
locks waited                 | string | stats:lock:{slug}:waits | {int} | 3600
locks, metrics               | string | metrics:lock:{slug} | {int} | 3600
locks, latency               | hash   | metrics:lock:{slug} | p99 {int:1:90} | 3600
locks, log                   | stream | lock:log:{slug} | owner {uuid} | -
locks, contention            | string | lock:contention:{slug} | {int:1:90} | 3600
lock files of a build        | string | build/lockfiles/{slug} | {int:1:90} | 3600
lock file of a project       | string | project:{int}:package-lock | {hex:64} | 86400
lock files, hash             | string | npm-lock:{hex:40} | {hex:40} | 86400
lock in a catalogue          | string | catalog:lock:{int} | {float:9:99} | 3600
lock in a search             | string | search:lock:{int} | {int:1:999} | 300
lock in a dictionary         | string | word:lock:{pick:en,de,fr}:{int} | {word} | -
lock, a tag                  | set    | tag:lock:{int} | {int} ; {int} | -
# Forms of lock libraries under the names of data
cart, product and variant    | hash   | cart:{int} | {uuid}:{int:1:99} {int:1:9} | 86400
cart, variant, forever       | hash   | cart:{int} | {uuid}:{int:1:99} {int:1:9} | -
cart, variant, e-mail        | hash   | cart:{name}@example.org:{int} | {uuid}:{int:1:99} 1 | 3600
basket, variant, user        | hash   | basket:{uuid} | {uuid}:{int:100:99999} 1 | 1800
order lines                  | hash   | order:{int}:lines | {uuid}:{int:1:9} {int:1:9} | 86400
cart, several variants       | hash   | cart:{int} | {uuid}:{int:1:9} 1 ; {uuid}:{int:1:9} 2 | 86400
reservation                  | hash   | reservation:{uuid} | {uuid}:{int:1:90} {int:1:9} | 1800
seen by a device             | hash   | seen:{int} | {uuid}:{int:1:3} {int:1:900} | -
quantity by UUID             | hash   | picklist:{int} | {uuid} {int:1:9} | 3600
quantity by hex              | hash   | pallet:{int} | {hex:24} {int:1:90} | 3600
mode and fields              | hash   | device:{int} | mode read ; level {int:1:9} | 3600
mode and instants            | hash   | book:{int} | read {epochms} ; write {epochms} | 3600
grants                       | hash   | grants:{int} | {name} read {untilms} | 86400
id of a request              | string | request:{int} | {uuid1hex} | 86400
id of a request, forever     | string | correlation:{int} | {uuid1hex} | -
API client                   | string | client:{int} | {uuid1hex} | 3600
user by token                | string | device:{uuid}:id | {uuid1hex} | 604800
file of an upload            | string | file:{int} | photo_{int:1:99999}_{uuid4hex} | 3600
file on a disk               | string | blob:{hex:16} | {word}_{int}_{uuid4hex} | 86400
presence by file             | zset   | active:{int} | {untilms} {host}_{int}_{uuid4hex} | 3600
presence by session          | zset   | active:{slug} | {untilms} {b64:32} | 3600
presence by session, two     | zset   | here:{int} | {untilms} {b64:32} ; {untilms} {b64:32} | 1800
presence by UUID             | zset   | channel:{int} | {epochms} {uuid} ; {epochms} {uuid} | 900
presence, hash of instants   | hash   | presence:{slug} | {uuid} {epochms} ; {uuid} {epochms} | 900
short link, two letters      | string | l:{an:7} | {uuid4hex} | 86400
short link, letter           | string | s:{an:8} | {hex:32} | 86400
Laravel, user cache          | string | shop_database_user_cache_{int} | {an:16} | 86400
digest under its digest      | string | {hex:37} | {b64url:15} | 86400
job of a worker              | string | job:{uuid} | {uuid}:{int:1:9} | 3600
two parts, job               | string | print:{word}:{int}:lock_code | {uuid}:{int:1:9} | 3600
JSON with an owner           | string | doc:{int} | {"owner":"{name}","size":{int}} | 3600
worker of a shard            | string | shard:{int}:worker | {host}:{int:1:32000}:{int:1:40} | 600
host and number              | string | upstream:{slug} | {host}|{int:1000:9999} | 600
text of a process            | string | ps:{int} | [pid {int:1:32000}] {host}:/bin/{word} | 600
name with time               | string | ADDED:{int} | {iso} | 3600
UUID and instant             | string | event:{uuid} | {uuid}.{epochms} | 3600
UUID and deadline            | string | ticket:{uuid} | {uuid}:{untilms} | 3600
ticks                        | string | tick:{int} | {int:630000000000000000:639999999999999999} | 3600
base64, 16 bytes             | string | key:{int} | {b64:16} | 3600
base64, 18 bytes             | string | salt:{int} | {b64:18} | 3600
base64url                    | string | link:{int} | {b64url:16} | 3600
bytes, 16                    | bytes  | raw:{int} | {bytes:16} | 3600
bytes, 24                    | bytes  | raw24:{int} | {bytes:24} | 3600
bytes, 32                    | bytes  | raw32:{int} | {bytes:32} | -
alnum, 16                    | string | ref:{int} | {an:16} | 3600
alnum, 20                    | string | ref20:{int} | {an:20} | 3600
alnum, 22                    | string | ref22:{int} | {an:22} | 3600
hex, 13                      | string | uniq:{int} | 6{hex:12} | 3600
digits, 10                   | string | until:{int} | {untils} | 3600
digits, 13                   | string | until-ms:{int} | {untilms} | 3600
pickle                       | bytes  | :1:greeting.{int} | {pickle:hello} | 3600
pickle, true                 | bytes  | :1:user:{int}:locked | {pickletrue} | 3600
pickle, leader               | bytes  | :1:team:{int}:leader | {pickle:anna} | 3600
MessagePack                  | bytes  | mp:{int} | {msgpack} | 3600
protobuf                     | bytes  | pb:{int} | {protobuf} | 3600
count and its time-outs      | string | jobs:{int} | {int:1:90} | -
writer of a document         | string | doc:{int}.writer | {uuid} | 3600
readers of a document        | set    | doc:{int}.readers | {uuid} ; {uuid} | 3600
pair of flags                | string | chat:{int}:read | 1 | 3600
Java, serialised             | bytes  | jdk:{int} | {javastring} | 3600
ids with a word by chance    | string | sess:{b64url:48} | {uuid} | 3600
ids with a word by chance, 2 | string | tok:{an:60} | {hex:32} | 3600
"""
