<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>KernelText</name>
    <message>
        <source>Predicted with the costs of a small virtual machine, server and clients on it. Nothing was run, and no promise was tested.</source>
        <translation>按一台小型虚拟机的开销预测，服务器和客户端都在其上。没有实际运行，也没有检验任何保证。</translation>
    </message>
    <message>
        <source>refused</source>
        <translation>被拒绝</translation>
    </message>
    <message>
        <source>renewed</source>
        <translation>已续期</translation>
    </message>
    <message>
        <source>renewal failed</source>
        <translation>续期失败</translation>
    </message>
    <message>
        <source>release refused</source>
        <translation>释放被拒绝</translation>
    </message>
    <message>
        <source>rejected by the resource</source>
        <translation>被资源拒绝</translation>
    </message>
    <message>
        <source>contenders</source>
        <translation>竞争者</translation>
    </message>
    <message>
        <source>servers</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>holders according to the servers</source>
        <translation>服务器所认为的持有者</translation>
    </message>
    <message>
        <source>overlapping beliefs</source>
        <translation>自认持有的重叠</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%2 上的 %1</translation>
    </message>
    <message>
        <source>requests %1</source>
        <translation>请求 %1</translation>
    </message>
    <message>
        <source>holds (as a reader) %1</source>
        <translation>作为读者持有 %1</translation>
    </message>
    <message>
        <source>holds %1</source>
        <translation>持有 %1</translation>
    </message>
    <message>
        <source>pauses</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>is down</source>
        <translation>宕机</translation>
    </message>
    <message>
        <source>stops waiting for %1 (%2)</source>
        <translation>不再等待 %1（%2）</translation>
    </message>
    <message>
        <source>no longer holds %1 (%2)</source>
        <translation>不再持有 %1（%2）</translation>
    </message>
    <message>
        <source>resumes (%1)</source>
        <translation>恢复运行（%1）</translation>
    </message>
    <message>
        <source>is back (%1)</source>
        <translation>重新上线（%1）</translation>
    </message>
    <message>
        <source>is refused %1</source>
        <translation>获取 %1 被拒绝</translation>
    </message>
    <message>
        <source>renewed %1</source>
        <translation>已为 %1 续期</translation>
    </message>
    <message>
        <source>could not renew %1</source>
        <translation>未能为 %1 续期</translation>
    </message>
    <message>
        <source>could not release %1</source>
        <translation>未能释放 %1</translation>
    </message>
    <message>
        <source>is rejected by the resource that %1 protects</source>
        <translation>被 %1 所保护的资源拒绝</translation>
    </message>
    <message>
        <source>holds %1 together with %2</source>
        <translation>与 %2 同时持有 %1</translation>
    </message>
    <message>
        <source>tells %1, which %2</source>
        <translation>通知 %1，后者 %2</translation>
    </message>
    <message>
        <source>sends %1 to %2</source>
        <translation>向 %2 发送 %1</translation>
    </message>
    <message>
        <source>carries out %1 of %2</source>
        <translation>执行 %2 的 %1</translation>
    </message>
    <message>
        <source>hears %1</source>
        <translation>收到 %1</translation>
    </message>
    <message>
        <source>No messages were recorded: every host has only its own events, and events of different hosts are unordered.</source>
        <translation>没有记录消息：每台主机只有自己的事件，不同主机的事件之间没有先后顺序。</translation>
    </message>
    <message>
        <source>%1: %2 is broken</source>
        <translation>%1：%2 被违反</translation>
    </message>
    <message>
        <source>%1: no violation</source>
        <translation>%1：没有违反</translation>
    </message>
    <message>
        <source>%1: nothing was tested</source>
        <translation>%1：未检验任何内容</translation>
    </message>
    <message>
        <source>%1 schedules were explored, up to %2 steps long: all runs within the plans.</source>
        <translation>已探索 %1 个调度，最长 %2 步：方案范围内的全部运行。</translation>
    </message>
    <message>
        <source>%1 schedules were explored, up to %2 steps long: the bound was reached before all runs were explored.</source>
        <translation>已探索 %1 个调度，最长 %2 步：未探索完全部运行就已达到上限。</translation>
    </message>
    <message>
        <source>promised</source>
        <translation>有保证</translation>
    </message>
    <message>
        <source>not promised</source>
        <translation>无保证</translation>
    </message>
    <message>
        <source>`%1`: held within the bound (%2)</source>
        <translation>`%1`：在上限内成立（%2）</translation>
    </message>
    <message>
        <source>`%1`: not exercised (%2)</source>
        <translation>`%1`：未触及（%2）</translation>
    </message>
    <message>
        <source>`%1`: **broken at %2** (%3, %4)</source>
        <translation>`%1`：**在 %2 被违反**（%3，%4）</translation>
    </message>
    <message>
        <source>`%1`: **broken** (%2, %3)</source>
        <translation>`%1`：**被违反**（%2，%3）</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>Story</source>
        <translation>过程</translation>
    </message>
    <message>
        <source>The protocol promises %1 as long as %2.</source>
        <translation>协议保证 %1，前提是%2。</translation>
    </message>
    <message>
        <source>plan &quot;%1&quot;</source>
        <translation>方案“%1”</translation>
    </message>
    <message>
        <source>Protocol %1</source>
        <translation>协议 %1</translation>
    </message>
    <message>
        <source>What goes wrong</source>
        <translation>出错之处</translation>
    </message>
    <message>
        <source>Reproduce</source>
        <translation>重现</translation>
    </message>
    <message>
        <source>Assumptions and bound</source>
        <translation>假设与上限</translation>
    </message>
    <message>
        <source>the token names the address</source>
        <translation>令牌中含有该地址</translation>
    </message>
    <message>
        <source>the token names the client</source>
        <translation>令牌中含有该客户端的名称</translation>
    </message>
    <message>
        <source>the client&apos;s name contains the token</source>
        <translation>客户端名称中含有该令牌</translation>
    </message>
    <message>
        <source>what it is</source>
        <translation>性质</translation>
    </message>
    <message>
        <source>the lease of a job in a queue, not a lock</source>
        <translation>队列中某个作业的租约，不是锁</translation>
    </message>
    <message>
        <source>the key is named as this library names its leases</source>
        <translation>键的命名符合该库的租约命名方式</translation>
    </message>
    <message>
        <source>the members of a sorted set are scored with the end of their lease</source>
        <translation>有序集合成员的分值是其租约的结束时间</translation>
    </message>
    <message>
        <source>A task without its lease could not be completed. A lease that is not renewed ends by itself, and the task is run again.</source>
        <translation>失去租约的任务无法完成。未续期的租约会自行结束，任务会重新运行。</translation>
    </message>
    <message>
        <source>%1 is a task that is running; its lease ends at its score, in epoch seconds: %2.</source>
        <translation>%1 是正在运行的任务；其分值是租约的结束时间，Unix 时间（秒）：%2。</translation>
    </message>
    <message>
        <source>The tasks of a queue of asynq (Go) that are running: a sorted set, scored with the end of each lease.</source>
        <translation>asynq（Go）某个队列中正在运行的任务：有序集合，分值是各租约的结束时间。</translation>
    </message>
    <message>
        <source>A server extends the leases of its tasks to 30 s while it works on them.</source>
        <translation>服务器处理任务期间，将其租约延长到 30 s。</translation>
    </message>
    <message>
        <source>After the end of the lease, another server runs the task again.</source>
        <translation>租约结束后，由另一个服务器重新运行该任务。</translation>
    </message>
    <message>
        <source>No client waits for it: the servers look for leases that have ended.</source>
        <translation>没有客户端等待它：服务器会查找已结束的租约。</translation>
    </message>
    <message>
        <source>the name looks like a lock</source>
        <translation>名称看起来像锁</translation>
    </message>
    <message>
        <source>you asked for this key</source>
        <translation>你指定了此键</translation>
    </message>
    <message>
        <source>the name matches one of your patterns</source>
        <translation>名称匹配你的某个模式</translation>
    </message>
    <message>
        <source>a word in the name may mean a lock, or something else</source>
        <translation>名称中有个词可能表示锁，也可能是别的意思</translation>
    </message>
    <message>
        <source>machine (a random number, not an address)</source>
        <translation>机器（随机数，不是地址）</translation>
    </message>
    <message>
        <source>network address of the machine</source>
        <translation>机器的网络地址</translation>
    </message>
    <message>
        <source>If the old holder is still running, its own unlock will delete the lock of the next holder: stop it first.</source>
        <translation>如果原持有者仍在运行，它自己的解锁会删除下一个持有者的锁：先停止它。</translation>
    </message>
    <message>
        <source>The count does not say whose hold ends. A holder that is still running counts down once more when it is done: stop it first.</source>
        <translation>从计数看不出结束的是谁的持有。仍在运行的持有者完成时会再减一次计数：先停止它。</translation>
    </message>
    <message>
        <source>All readers share one marker and cannot be distinguished: a release ends all read holds at once.</source>
        <translation>所有读者共用一个标记，无法区分：释放会一次结束所有读持有。</translation>
    </message>
    <message>
        <source>the key is named as this library names its sessions</source>
        <translation>键的命名符合该库的会话命名方式</translation>
    </message>
    <message>
        <source>its field lock is a count, and pid names a process</source>
        <translation>字段 lock 是计数，pid 是进程标识</translation>
    </message>
    <message>
        <source>The key is the session itself and stays: only its lock is set to 0. If the request is still running, its changes to the session are lost.</source>
        <translation>键就是会话本身，会保留：只把其中的锁设为 0。如果请求仍在运行，它对会话的更改会丢失。</translation>
    </message>
    <message>
        <source>request</source>
        <translation>请求</translation>
    </message>
    <message>
        <source>The session itself, a hash; the lock is a part of it.</source>
        <translation>会话本身，一个哈希；锁是其中一部分。</translation>
    </message>
    <message>
        <source>The field lock counts: 1 is held, more is held and attempts besides, 0 is free. It is %1.</source>
        <translation>字段 lock 是计数：1 表示被持有，大于 1 表示被持有且另有获取尝试，0 表示空闲。当前为 %1。</translation>
    </message>
    <message>
        <source>The field pid is host and process of the request that holds it: %1.</source>
        <translation>字段 pid 是持有它的请求所在的主机和进程：%1。</translation>
    </message>
    <message>
        <source>The field wait counts the requests that wait: %1.</source>
        <translation>字段 wait 是等待中的请求数：%1。</translation>
    </message>
    <message>
        <source>The field req is the address that the holder was asked for: %1.</source>
        <translation>字段 req 是持有者所处理的请求地址：%1。</translation>
    </message>
    <message>
        <source>The field %1 belongs to the session, not to the lock.</source>
        <translation>字段 %1 属于会话，不属于锁。</translation>
    </message>
    <message>
        <source>The lock of a session of Magento or OpenMage: fields of the hash that is the session.</source>
        <translation>Magento 或 OpenMage 会话的锁：会话哈希中的若干字段。</translation>
    </message>
    <message>
        <source>A request that has waited long enough, as configured, breaks the lock.</source>
        <translation>请求等待达到配置的时长后，会强行解除锁。</translation>
    </message>
    <message>
        <source>No message wakes the requests that wait: they look again and again.</source>
        <translation>没有消息唤醒等待的请求：它们反复检查。</translation>
    </message>
    <message>
        <source>No message wakes those who wait: they look again after 10 to 800 ms.</source>
        <translation>没有消息唤醒等待者：它们在 10 到 800 ms 后重新检查。</translation>
    </message>
    <message>
        <source>the members of a sorted set name machine and process as this library does</source>
        <translation>有序集合的成员按该库的方式写有机器和进程</translation>
    </message>
    <message>
        <source>they are scored with the end of their permit</source>
        <translation>其分值是许可的结束时间</translation>
    </message>
    <message>
        <source>%1 is a permit of process %2 on the machine %3; it ends at its score, in epoch ms: %4.</source>
        <translation>%1 是机器 %3 上进程 %2 的许可；其分值是结束时间，Unix 时间（ms）：%4。</translation>
    </message>
    <message>
        <source>The semaphore of Madelson&apos;s DistributedLock (.NET): a sorted set of permits, scored with their end.</source>
        <translation>Madelson 的 DistributedLock（.NET）的信号量：存放许可的有序集合，分值是许可的结束时间。</translation>
    </message>
    <message>
        <source>Each holder extends its permit every 9 s, to 30 s, by default.</source>
        <translation>默认情况下，每个持有者每 9 s 延长一次自己的许可，延长到 30 s。</translation>
    </message>
    <message>
        <source>the names are a pair: one key for readers, one for the writer</source>
        <translation>名称成对：一个键用于读者，一个键用于写者</translation>
    </message>
    <message>
        <source>the values name the process as this library does</source>
        <translation>值按该库的方式写有进程</translation>
    </message>
    <message>
        <source>a writer waits, and keeps new readers out</source>
        <translation>有写者在等待，不让新读者进入</translation>
    </message>
    <message>
        <source>The readers, a set that ends with the last of their leases.</source>
        <translation>读者，一个集合，随其中最后一个租约结束。</translation>
    </message>
    <message>
        <source>The place of the writer: one waits here, and no further reader is let in.</source>
        <translation>写者的位置：有写者在此等待，不再放行新的读者。</translation>
    </message>
    <message>
        <source>The writer.</source>
        <translation>写者。</translation>
    </message>
    <message>
        <source>%1 is process %2 on the machine %3, and a random number.</source>
        <translation>%1 由机器 %3 上的进程 %2 和一个随机数组成。</translation>
    </message>
    <message>
        <source>The read-write lock of Madelson&apos;s DistributedLock (.NET): a set of readers, and a string for the writer or for one that waits.</source>
        <translation>Madelson 的 DistributedLock（.NET）的读写锁：一个集合存放读者，一个字符串表示写者或等待中的写者。</translation>
    </message>
    <message>
        <source>Each holder extends its hold every 9 s, to 30 s, by default.</source>
        <translation>默认情况下，每个持有者每 9 s 延长一次自己的持有，延长到 30 s。</translation>
    </message>
    <message>
        <source>the value was pickled by Python</source>
        <translation>值由 Python 用 pickle 序列化</translation>
    </message>
    <message>
        <source>Its value is a pickled True, which names no holder.</source>
        <translation>其值是经 pickle 序列化的 True，没有写明持有者。</translation>
    </message>
    <message>
        <source>Its value is a pickled text, which may name the holder: %1.</source>
        <translation>其值是经 pickle 序列化的文本，可能写明了持有者：%1。</translation>
    </message>
    <message>
        <source>A lock by cache.add() of Django or django-redis: the value is pickled, and anyone may delete it.</source>
        <translation>通过 Django 或 django-redis 的 cache.add() 加的锁：值经 pickle 序列化，任何客户端都可删除它。</translation>
    </message>
    <message>
        <source>the value is 8 bytes that form a timestamp in milliseconds</source>
        <translation>值为 8 字节，构成毫秒时间戳</translation>
    </message>
    <message>
        <source>the value is 13 digits that form a timestamp in milliseconds</source>
        <translation>值为 13 位数字，构成毫秒时间戳</translation>
    </message>
    <message>
        <source>the timestamp matches the expiry of the key</source>
        <translation>时间戳与键的过期时间相符</translation>
    </message>
    <message>
        <source>Its value %1 is the end of the hold, in epoch ms: %2. Who holds it is not written there.</source>
        <translation>其值 %1 是持有的结束时间，Unix 时间（ms）：%2。其中没有写明持有者。</translation>
    </message>
    <message>
        <source>Expiry stamp</source>
        <translation>过期时间戳</translation>
    </message>
    <message>
        <source>The time at which the hold ends, written by SETNX and GETSET; after that time any client may take over.</source>
        <translation>由 SETNX 和 GETSET 写入的持有结束时间；此后任何客户端都可接管。</translation>
    </message>
    <message>
        <source>the value is a constant that only means &quot;taken&quot;</source>
        <translation>值是只表示“已占用”的常量</translation>
    </message>
    <message>
        <source>the value is a short constant</source>
        <translation>值是一个短常量</translation>
    </message>
    <message>
        <source>it expires, as a lock should</source>
        <translation>会过期，符合锁的特征</translation>
    </message>
    <message>
        <source>it never expires: a stuck lock, or plain data</source>
        <translation>永不过期：可能是卡死的锁，也可能是普通数据</translation>
    </message>
    <message>
        <source>Flag</source>
        <translation>标志</translation>
    </message>
    <message>
        <source>A constant written by SETNX or SET NX: it shows that the lock is taken, but not by whom.</source>
        <translation>由 SETNX 或 SET NX 写入的常量：表明锁已被占用，但看不出由谁占用。</translation>
    </message>
    <message>
        <source>the keys are named as this library names its locks</source>
        <translation>键的命名符合该库的锁命名方式</translation>
    </message>
    <message>
        <source>one counts the jobs that run, the other those of each worker pool</source>
        <translation>一个键记录正在运行的作业数，另一个键记录各工作池的作业数</translation>
    </message>
    <message>
        <source>Only for a worker pool that is dead: the jobs of one that still runs would be counted twice when they end.</source>
        <translation>仅用于已崩溃的工作池：如果工作池仍在运行，其作业结束时会被重复扣减。</translation>
    </message>
    <message>
        <source>How many jobs of this name run: it stays when none does.</source>
        <translation>正在运行的同名作业数：没有作业运行时键仍保留。</translation>
    </message>
    <message>
        <source>How many of these jobs each worker pool runs.</source>
        <translation>各工作池正在运行的此类作业数。</translation>
    </message>
    <message>
        <source>Its value %1 is that number.</source>
        <translation>其值 %1 即为该数量。</translation>
    </message>
    <message>
        <source>The field %1 is a worker pool, which runs %2 of them.</source>
        <translation>字段 %1 是一个工作池，运行其中 %2 个。</translation>
    </message>
    <message>
        <source>The jobs of gocraft/work (Go) that run: a count, and a hash of how many each worker pool runs.</source>
        <translation>gocraft/work（Go）正在运行的作业：一个计数，以及一个记录各工作池运行数的哈希。</translation>
    </message>
    <message>
        <source>What a worker pool that dies leaves in the counts keeps others from starting, until the reaper of another pool subtracts it, or a release.</source>
        <translation>崩溃的工作池留在计数中的数量会阻止其他作业启动，直到另一个工作池的 reaper 将其减去，或执行释放。</translation>
    </message>
    <message>
        <source>No message wakes other workers: they look for jobs that may run again and again.</source>
        <translation>没有消息唤醒其他工作进程：它们反复查找可以运行的作业。</translation>
    </message>
    <message>
        <source>Count of holders</source>
        <translation>持有者计数</translation>
    </message>
    <message>
        <source>the key is named as this library names its results</source>
        <translation>键的命名符合该库的结果命名方式</translation>
    </message>
    <message>
        <source>a field is named as this library names its locks</source>
        <translation>有一个字段的命名符合该库的锁命名方式</translation>
    </message>
    <message>
        <source>The field does not tell one hold from the next. The other fields of the key, the results of tasks, stay.</source>
        <translation>从该字段无法区分前后两次持有。键的其他字段（任务结果）会保留。</translation>
    </message>
    <message>
        <source>The results of tasks, a hash; locks stand among them.</source>
        <translation>任务结果，一个哈希；锁也在其中。</translation>
    </message>
    <message>
        <source>The field %1 is a lock that is held; its value says nothing.</source>
        <translation>字段 %1 是被持有的锁；其值没有含义。</translation>
    </message>
    <message>
        <source>The field %1 is the result of a task.</source>
        <translation>字段 %1 是一个任务的结果。</translation>
    </message>
    <message>
        <source>The TaskLock of Huey (Python): a field for each lock that is held, in the hash of results. It records no holder.</source>
        <translation>Huey（Python）的 TaskLock：在任务结果的哈希中，每个被持有的锁占一个字段。不记录持有者。</translation>
    </message>
    <message>
        <source>No client waits: a task that finds the lock taken fails.</source>
        <translation>没有客户端等待：任务发现锁已被占用时失败。</translation>
    </message>
    <message>
        <source>the key is named as this library names its locks</source>
        <translation>键的命名符合该库的锁命名方式</translation>
    </message>
    <message>
        <source>the value has a UUID inside</source>
        <translation>值中含有 UUID</translation>
    </message>
    <message>
        <source>After a release, a second client may load the same value at the same time.</source>
        <translation>释放后，可能有第二个客户端同时加载同一个值。</translation>
    </message>
    <message>
        <source>The lock of JetCache (Java) while one client loads a cached value anew.</source>
        <translation>JetCache（Java）的锁，在一个客户端重新加载缓存值期间持有。</translation>
    </message>
    <message>
        <source>one names the owner, the other the end of the hold</source>
        <translation>一个写明所有者，另一个写明持有的结束时间</translation>
    </message>
    <message>
        <source>Who holds the lock.</source>
        <translation>锁的持有者。</translation>
    </message>
    <message>
        <source>Until when it is held.</source>
        <translation>持有到何时。</translation>
    </message>
    <message>
        <source>Its value %1 is host and process of the holder.</source>
        <translation>其值 %1 是持有者的主机和进程。</translation>
    </message>
    <message>
        <source>Its value %1 is the end of the hold, in epoch seconds: %2.</source>
        <translation>其值 %1 是持有的结束时间，Unix 时间（秒）：%2。</translation>
    </message>
    <message>
        <source>The lock of mlanett&apos;s gem redis-lock: one key for the process that holds it, one for the end of the hold.</source>
        <translation>mlanett 的 gem redis-lock 的锁：一个键写明持有锁的进程，一个键写明持有的结束时间。</translation>
    </message>
    <message>
        <source>Both keys stay, but after the time in the second one any client takes the lock over.</source>
        <translation>两个键都会保留，但超过第二个键中的时间后，任何客户端都可接管该锁。</translation>
    </message>
    <message>
        <source>it is not a string, and not in a known format</source>
        <translation>它不是字符串，也不是已知格式</translation>
    </message>
    <message>
        <source>its value is too long to evaluate</source>
        <translation>其值过长，无法判断</translation>
    </message>
    <message>
        <source>its value means that the lock is free</source>
        <translation>其值表示锁空闲</translation>
    </message>
    <message>
        <source>its value is not in a known format</source>
        <translation>其值不是已知格式</translation>
    </message>
    <message>
        <source>it matches one of your patterns</source>
        <translation>它匹配你的某个模式</translation>
    </message>
    <message>
        <source>The meaning of this value is unknown, so Lockscope does not delete it. Release it with the program that wrote it.</source>
        <translation>该值的含义未知，因此 Lockscope 不会删除它。用写入它的程序来释放。</translation>
    </message>
    <message>
        <source>Named by you</source>
        <translation>由你指定</translation>
    </message>
    <message>
        <source>A key that matches one of your patterns and no other format.</source>
        <translation>匹配你的某个模式、但不符合其他任何格式的键。</translation>
    </message>
    <message>
        <source>the value counts who shares it</source>
        <translation>值是共享者的数量</translation>
    </message>
    <message>
        <source>the value says exclusive</source>
        <translation>值表示独占</translation>
    </message>
    <message>
        <source>Its value %1 says that one request has the file for itself.</source>
        <translation>其值 %1 表示一个请求独占该文件。</translation>
    </message>
    <message>
        <source>Its value %1 is how many requests share the file.</source>
        <translation>其值 %1 是共享该文件的请求数。</translation>
    </message>
    <message>
        <source>The lock of a file in Nextcloud: exclusive, or the number of those that share it.</source>
        <translation>Nextcloud 的文件锁：独占，或共享者的数量。</translation>
    </message>
    <message>
        <source>No message wakes those who wait: a request that finds the file locked fails, and the client tries again.</source>
        <translation>没有消息唤醒等待者：请求发现文件已加锁即失败，由客户端重试。</translation>
    </message>
    <message>
        <source>a field of a hash names the owner</source>
        <translation>哈希的一个字段标明所有者</translation>
    </message>
    <message>
        <source>Owner in a hash</source>
        <translation>哈希中的所有者</translation>
    </message>
    <message>
        <source>A hash with a field that names the owner, and perhaps others that tell how often it holds the lock, or since when.</source>
        <translation>一个哈希，其中一个字段标明所有者，可能还有字段记录重入次数或起始时间。</translation>
    </message>
    <message>
        <source>a hash with the field index, a number, as this library writes it</source>
        <translation>哈希带有数值字段 index，与该客户端库的写法一致</translation>
    </message>
    <message>
        <source>clients listen on the channel of a namespace with this name</source>
        <translation>有客户端监听同名命名空间的频道</translation>
    </message>
    <message>
        <source>redfour, ioredfour</source>
        <translation>redfour、ioredfour</translation>
    </message>
    <message>
        <source>The lock of redfour and ioredfour (Node): a hash with a number that grows with every acquisition.</source>
        <translation>redfour 和 ioredfour（Node）的锁：一个哈希，其中的数字随每次获取递增。</translation>
    </message>
    <message>
        <source>the value is a random number in hexadecimal and a fencing number</source>
        <translation>值由十六进制随机数和防护编号组成</translation>
    </message>
    <message>
        <source>fencing token</source>
        <translation>防护令牌</translation>
    </message>
    <message>
        <source>The lock of redis-fifo-lock (Python): its owner with a fencing number, and beside it the queue of those who wait.</source>
        <translation>redis-fifo-lock（Python）的锁：记录所有者和防护编号，另有一个等待者队列。</translation>
    </message>
    <message>
        <source>the value is a UUID of version 1 without dashes, as Python&apos;s uuid1().hex</source>
        <translation>值是不带连字符的版本 1 UUID，与 Python 的 uuid1().hex 一致</translation>
    </message>
    <message>
        <source>it was made within the last 30 days</source>
        <translation>它生成于最近 30 天内</translation>
    </message>
    <message>
        <source>it was made more than 30 days ago</source>
        <translation>它生成于 30 天以前</translation>
    </message>
    <message>
        <source>Its value %1 is the token of the holder, new for each hold. It is a UUID of version 1, which tells when acquire() began: %2.</source>
        <translation>其值 %1 是持有者的令牌，每次持有都会更新。它是版本 1 的 UUID，可看出 acquire() 的开始时间：%2。</translation>
    </message>
    <message>
        <source>redis-py</source>
        <translation>redis-py</translation>
    </message>
    <message>
        <source>The Lock of Python&apos;s redis package: a token that contains the time and the machine of its creation.</source>
        <translation>Python 的 redis 包中的 Lock：令牌包含其生成时间和所在机器。</translation>
    </message>
    <message>
        <source>It is prolonged only where the program calls extend() or reacquire().</source>
        <translation>仅当程序调用 extend() 或 reacquire() 时才会延长。</translation>
    </message>
    <message>
        <source>No message wakes those who wait: they try again every 0.1 s, by default.</source>
        <translation>没有消息唤醒等待者：默认每 0.1 s 重试一次。</translation>
    </message>
    <message>
        <source>the key is named as this library names its semaphores</source>
        <translation>键名符合该客户端库的信号量命名方式</translation>
    </message>
    <message>
        <source>the members of a sorted set are UUIDs, scored with their latest refresh</source>
        <translation>有序集合的成员是 UUID，分值为最近一次刷新时间</translation>
    </message>
    <message>
        <source>%1 is a permit of the holder %2; its score, in epoch ms, is when that was refreshed last: %3.</source>
        <translation>%1 是持有者 %2 的许可；其分值是该许可最近一次刷新的时刻（Unix 毫秒时间戳）：%3。</translation>
    </message>
    <message>
        <source>The Semaphore and MultiSemaphore of npm redis-semaphore: a sorted set of permits, scored with their latest refresh.</source>
        <translation>npm redis-semaphore 的 Semaphore 和 MultiSemaphore：一个由许可组成的有序集合，分值为最近一次刷新时间。</translation>
    </message>
    <message>
        <source>Each holder refreshes its permits every 8 s, for 10 s, by default.</source>
        <translation>默认情况下，每个持有者每 8 s 刷新一次其许可，每次有效期 10 s。</translation>
    </message>
    <message>
        <source>No message wakes those who wait: they look again after 10 ms, by default.</source>
        <translation>没有消息唤醒等待者：默认 10 ms 后再次检查。</translation>
    </message>
    <message>
        <source>the hash has an owner, an expiry and a count for each locked value</source>
        <translation>哈希为每个被锁定的值保存所有者、过期时间和计数</translation>
    </message>
    <message>
        <source>the owners look like uuid:threadId</source>
        <translation>所有者形如 uuid:threadId</translation>
    </message>
    <message>
        <source>kind</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>one lock for several values of a group</source>
        <translation>一个锁，锁定同组的多个值</translation>
    </message>
    <message>
        <source>locked values (hashes)</source>
        <translation>被锁定的值（哈希值）</translation>
    </message>
    <message>
        <source>The field %1 says when the hold of %2 ends, in epoch ms: %3.</source>
        <translation>字段 %1 是对 %2 的持有的结束时刻（Unix 毫秒时间戳）：%3。</translation>
    </message>
    <message>
        <source>The field %1 says how often %2 is held: %3.</source>
        <translation>字段 %1 是 %2 的持有次数：%3。</translation>
    </message>
    <message>
        <source>The field %1 is the checksum of a locked value, and names its holder: %2.</source>
        <translation>字段 %1 是某个被锁定值的校验和，字段值标明其持有者：%2。</translation>
    </message>
    <message>
        <source>Redisson multi-lock</source>
        <translation>Redisson 联锁</translation>
    </message>
    <message>
        <source>Redisson&apos;s RFasterMultiLock: a hash with an owner, an expiry and a count for each locked value of a group.</source>
        <translation>Redisson 的 RFasterMultiLock：一个哈希，为同组中每个被锁定的值保存所有者、过期时间和计数。</translation>
    </message>
    <message>
        <source>a client listens on Redisson&apos;s latch channel for this name</source>
        <translation>有客户端监听此名称的 Redisson 闭锁频道</translation>
    </message>
    <message>
        <source>its value is a count</source>
        <translation>其值是一个计数</translation>
    </message>
    <message>
        <source>count until the latch opens</source>
        <translation>距闭锁打开的剩余计数</translation>
    </message>
    <message>
        <source>This is a latch and not a lock. A release opens it: all clients that wait go on, although the count is not 0.</source>
        <translation>这是闭锁，不是锁。释放会打开它：即使计数不为 0，所有等待的客户端也会继续执行。</translation>
    </message>
    <message>
        <source>The latch, a string: it is there until the latch opens.</source>
        <translation>闭锁，一个字符串：在闭锁打开之前一直存在。</translation>
    </message>
    <message>
        <source>Its value %1 is how often clients still have to count down.</source>
        <translation>其值 %1 是客户端还需倒计数的次数。</translation>
    </message>
    <message>
        <source>Redisson latch</source>
        <translation>Redisson 闭锁</translation>
    </message>
    <message>
        <source>Redisson&apos;s RCountDownLatch: the count that is left; recognised while clients wait for it to open.</source>
        <translation>Redisson 的 RCountDownLatch：保存剩余计数；有客户端等待其打开时才能识别。</translation>
    </message>
    <message>
        <source>A client that dies before it has counted down leaves the latch closed: those who wait do so until somebody counts down in its place, or opens it.</source>
        <translation>客户端若在倒计数之前崩溃，闭锁会一直关闭：等待者将一直等待，直到有人代为倒计数或打开闭锁。</translation>
    </message>
    <message>
        <source>clients wait in Redisson&apos;s queue for a fair lock of this name</source>
        <translation>有客户端在此名称的 Redisson 公平锁队列中等待</translation>
    </message>
    <message>
        <source>hash field looks like uuid:threadId</source>
        <translation>哈希字段形如 uuid:threadId</translation>
    </message>
    <message>
        <source>fenced lock</source>
        <translation>带防护令牌的锁</translation>
    </message>
    <message>
        <source>fair lock</source>
        <translation>公平锁</translation>
    </message>
    <message>
        <source>lock, spin lock, or member of a multi-lock</source>
        <translation>普通锁、自旋锁，或联锁的成员</translation>
    </message>
    <message>
        <source>waiting, the next one first</source>
        <translation>等待中（下一个在最前）</translation>
    </message>
    <message>
        <source>of these, no client listens for</source>
        <translation>其中没有客户端监听的</translation>
    </message>
    <message>
        <source>in the queue, but gave up</source>
        <translation>在队列中但已放弃</translation>
    </message>
    <message>
        <source>The queue of a fair lock could not be read. Threads that wait in it are not woken: they sleep for the time left that they last saw, at most %1.</source>
        <translation>无法读取公平锁的队列。在其中等待的线程不会被唤醒：它们会按上次看到的剩余时间休眠，最多 %1。</translation>
    </message>
    <message>
        <source>The queue of a fair lock could not be read. Threads that wait in it are not woken, and sleep for ever.</source>
        <translation>无法读取公平锁的队列。在其中等待的线程不会被唤醒，将永远休眠。</translation>
    </message>
    <message>
        <source>The queue of a fair lock: who waits, the next one first.</source>
        <translation>公平锁的队列：等待者，下一个在最前。</translation>
    </message>
    <message>
        <source>When each of those who wait in the queue gives up.</source>
        <translation>队列中每个等待者放弃等待的时间。</translation>
    </message>
    <message>
        <source>The fencing token, which only ever grows: what the lock protects can turn away a holder that comes with an older one.</source>
        <translation>防护令牌，只增不减：受锁保护的资源可据此拒绝令牌较旧的持有者。</translation>
    </message>
    <message>
        <source>The field %1 is the holder: %2. Its value %3 is how often that thread has acquired the lock and not given it back yet.</source>
        <translation>字段 %1 是持有者：%2。其值 %3 是该线程已获取且尚未归还的次数。</translation>
    </message>
    <message>
        <source>%1 is in it, but has given up: %2.</source>
        <translation>%1 在其中，但已放弃：%2。</translation>
    </message>
    <message>
        <source>%1 waits: %2.</source>
        <translation>%1 正在等待：%2。</translation>
    </message>
    <message>
        <source>%1 gives up %2; the score is that instant in epoch ms.</source>
        <translation>%1 放弃等待的时间：%2；分值即该时刻的 Unix 毫秒时间戳。</translation>
    </message>
    <message>
        <source>Its value %1 is the token of the latest holder.</source>
        <translation>其值 %1 是最近一位持有者的令牌。</translation>
    </message>
    <message>
        <source>Redisson</source>
        <translation>Redisson</translation>
    </message>
    <message>
        <source>Redisson&apos;s RLock: a hash from &lt;client uuid&gt;:&lt;thread id&gt; to the number of holds.</source>
        <translation>Redisson 的 RLock：一个从 &lt;client uuid&gt;:&lt;thread id&gt; 到持有次数的哈希。</translation>
    </message>
    <message>
        <source>thread %1 of the Redisson client %2</source>
        <translation>Redisson 客户端 %2 的线程 %1</translation>
    </message>
    <message>
        <source>Taken without a lease, it is set to 30 s again every 10 s by the watchdog of the holder&apos;s client, by default. Taken with a lease, it is not renewed.</source>
        <translation>获取时未指定租约，则默认由持有者客户端的看门狗每 10 s 重新设为 30 s；指定了租约，则不续期。</translation>
    </message>
    <message>
        <source>the permits that are out stand in Redisson&apos;s sorted set beside it</source>
        <translation>已发出的许可记录在旁边的 Redisson 有序集合中</translation>
    </message>
    <message>
        <source>free permits</source>
        <translation>空闲许可</translation>
    </message>
    <message>
        <source>expired permits, not yet collected</source>
        <translation>已过期但尚未回收的许可</translation>
    </message>
    <message>
        <source>The semaphore, a string: it stays when all its permits are free.</source>
        <translation>信号量，一个字符串：所有许可都空闲时仍然保留。</translation>
    </message>
    <message>
        <source>The permits that are out.</source>
        <translation>已发出的许可。</translation>
    </message>
    <message>
        <source>Its value %1 is the number of free permits.</source>
        <translation>其值 %1 是空闲许可数。</translation>
    </message>
    <message>
        <source>The permit %1 has no end.</source>
        <translation>许可 %1 没有结束时间。</translation>
    </message>
    <message>
        <source>The permit %1 ends at its score, in epoch ms: %2.</source>
        <translation>许可 %1 在其分值（Unix 毫秒时间戳）所示时刻结束：%2。</translation>
    </message>
    <message>
        <source>Redisson permit semaphore</source>
        <translation>Redisson 限时许可信号量</translation>
    </message>
    <message>
        <source>Redisson&apos;s RPermitExpirableSemaphore: the number of free permits, and beside it a sorted set of those that are out.</source>
        <translation>Redisson 的 RPermitExpirableSemaphore：保存空闲许可数，旁边有一个已发出许可的有序集合。</translation>
    </message>
    <message>
        <source>Its permit comes back when its time is over, as soon as a client asks for one. A permit without an end is lost until it is released.</source>
        <translation>其许可到期后，一有客户端申请许可即被收回。没有结束时间的许可会一直丢失，直到被释放。</translation>
    </message>
    <message>
        <source>the hash field mode says read or write</source>
        <translation>哈希字段 mode 的值为 read 或 write</translation>
    </message>
    <message>
        <source>the other fields look like uuid:threadId and hold counts</source>
        <translation>其余字段形如 uuid:threadId，值为持有次数</translation>
    </message>
    <message>
        <source>The lease of one read hold, which ends with this key.</source>
        <translation>一次读持有的租约，随此键一同结束。</translation>
    </message>
    <message>
        <source>Its value says nothing.</source>
        <translation>其值没有含义。</translation>
    </message>
    <message>
        <source>The field mode says that the lock is held for %1.</source>
        <translation>字段 mode 表示持有该锁是为了%1。</translation>
    </message>
    <message>
        <source>reading</source>
        <translation>读取</translation>
    </message>
    <message>
        <source>writing</source>
        <translation>写入</translation>
    </message>
    <message>
        <source>The field %1 is the writer: %2. Its value %3 is how often that thread holds the lock.</source>
        <translation>字段 %1 是写者：%2。其值 %3 是该线程的持有次数。</translation>
    </message>
    <message>
        <source>The field %1 is a reader: %2. Its value %3 is how often that thread holds the lock.</source>
        <translation>字段 %1 是读者：%2。其值 %3 是该线程的持有次数。</translation>
    </message>
    <message>
        <source>Redisson read-write</source>
        <translation>Redisson 读写锁</translation>
    </message>
    <message>
        <source>Redisson&apos;s RReadWriteLock: a hash with the field mode and a hold count per holder, &lt;client uuid&gt;:&lt;thread id&gt; for a reader, with the suffix :write for the writer.</source>
        <translation>Redisson 的 RReadWriteLock：一个哈希，包含字段 mode 和每个持有者的持有次数；读者的字段为 &lt;client uuid&gt;:&lt;thread id&gt;，写者的字段另加后缀 :write。</translation>
    </message>
    <message>
        <source>a client listens on Redisson&apos;s semaphore channel for this name</source>
        <translation>有客户端监听此名称的 Redisson 信号量频道</translation>
    </message>
    <message>
        <source>the name and a count suggest a semaphore</source>
        <translation>名称和计数表明可能是信号量</translation>
    </message>
    <message>
        <source>The value may be a count of free permits, and no client waits for one: there is nothing to release.</source>
        <translation>该值可能是空闲许可数，且没有客户端在等待许可：没有可释放的内容。</translation>
    </message>
    <message>
        <source>Holders are not recorded. A release adds one permit to the count: if no client has lost one, more clients than intended will be let in.</source>
        <translation>未记录持有者。释放会使计数增加一个许可：如果没有客户端丢失许可，放行的客户端会多于预期。</translation>
    </message>
    <message>
        <source>Its value %1 is the number of free permits. Who has the others is written nowhere.</source>
        <translation>其值 %1 是空闲许可数。其余许可由谁持有，没有任何记录。</translation>
    </message>
    <message>
        <source>Redisson semaphore</source>
        <translation>Redisson 信号量</translation>
    </message>
    <message>
        <source>Redisson&apos;s RSemaphore: the number of free permits; recognised while clients wait for one.</source>
        <translation>Redisson 的 RSemaphore：保存空闲许可数；有客户端等待许可时才能识别。</translation>
    </message>
    <message>
        <source>The permits that it has are lost: nobody adds them to the count again, until a release does.</source>
        <translation>它持有的许可会丢失：在执行释放之前，没有人会把它们加回计数。</translation>
    </message>
    <message>
        <source>The lock is free once fewer than half of the servers have it: release it on each of them.</source>
        <translation>拥有此锁的服务器少于一半时，锁即空闲：在每台服务器上释放它。</translation>
    </message>
    <message>
        <source>Some libraries (RedLock.net, aioredlock) set the key again with their next renewal: stop the holder as well.</source>
        <translation>某些客户端库（RedLock.net、aioredlock）会在下次续期时重新写入该键：同时停止持有者。</translation>
    </message>
    <message>
        <source>Redlock</source>
        <translation>Redlock</translation>
    </message>
    <message>
        <source>The same token under the same key on several independent servers; a majority of them forms the lock.</source>
        <translation>多台独立服务器的同一个键上有相同的令牌；其中多数构成该锁。</translation>
    </message>
    <message>
        <source>a hash with one field whose value is a small count</source>
        <translation>哈希只有一个字段，值是较小的计数</translation>
    </message>
    <message>
        <source>the field looks like an owner</source>
        <translation>字段像是所有者</translation>
    </message>
    <message>
        <source>the field may be an owner</source>
        <translation>字段可能是所有者</translation>
    </message>
    <message>
        <source>Reentrant hash</source>
        <translation>可重入哈希</translation>
    </message>
    <message>
        <source>A hash with one field: the owner, and how many times it holds the lock.</source>
        <translation>只有一个字段的哈希：所有者及其持有次数。</translation>
    </message>
    <message>
        <source>the fields of a hash are tokens, with the time at which each was taken</source>
        <translation>哈希的字段是令牌，值为各令牌被获取的时间</translation>
    </message>
    <message>
        <source>The tokens of the semaphore that are out, one for each holder. The free ones are in the list beside it.</source>
        <translation>信号量已发出的令牌，每个持有者一个。空闲令牌在旁边的列表中。</translation>
    </message>
    <message>
        <source>The token %1 was taken at the instant of its value, in epoch seconds: %2.</source>
        <translation>令牌 %1 在其值（Unix 秒级时间戳）所示时刻被获取：%2。</translation>
    </message>
    <message>
        <source>redis-semaphore (Ruby, Python)</source>
        <translation>redis-semaphore（Ruby、Python）</translation>
    </message>
    <message>
        <source>The semaphore of the gem redis-semaphore, and of the Python package of that name: a hash of the tokens that are out, and a list of the free ones on which waiters block.</source>
        <translation>gem redis-semaphore 及同名 Python 包的信号量：一个已发出令牌的哈希，和一个供等待者阻塞等待的空闲令牌列表。</translation>
    </message>
    <message>
        <source>Its token stays out until it is released, or until a client with a time-out for stale clients takes it back.</source>
        <translation>其令牌不会归还，直到被释放，或被设置了失效客户端超时的客户端收回。</translation>
    </message>
    <message>
        <source>their value is a token of 24 bytes</source>
        <translation>它们的值是 24 字节的令牌</translation>
    </message>
    <message>
        <source>several keys, numbered as this library numbers those of a lock</source>
        <translation>有多个键，编号方式与该客户端库对同一锁的键编号一致</translation>
    </message>
    <message>
        <source>they have the same token of 24 bytes</source>
        <translation>它们具有相同的 24 字节令牌</translation>
    </message>
    <message>
        <source>only a minority of the keys exists: the lock is being taken or given back</source>
        <translation>只存在少数键：锁正在被获取或归还</translation>
    </message>
    <message>
        <source>This is one key of a set: the lock is free only when most of its keys are released.</source>
        <translation>这是一组键中的一个：只有释放其中多数键后，锁才空闲。</translation>
    </message>
    <message>
        <source>keys that the holder has</source>
        <translation>持有者拥有的键</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>One of several keys: who has the same token in most of them holds the lock.</source>
        <translation>多个键之一：谁在多数键中拥有相同的令牌，谁就持有该锁。</translation>
    </message>
    <message>
        <source>Its value %1 is the token of the holder.</source>
        <translation>其值 %1 是持有者的令牌。</translation>
    </message>
    <message>
        <source>Its value %1 is the token of another client, which has no majority.</source>
        <translation>其值 %1 是另一个客户端的令牌，该客户端未获得多数。</translation>
    </message>
    <message>
        <source>The lock of rueidislock (Go): several keys with the same token, three by default, of which the holder has the majority.</source>
        <translation>rueidislock（Go）的锁：多个键（默认三个）使用相同的令牌，持有者拥有其中多数。</translation>
    </message>
    <message>
        <source>The holder extends all its keys every 2.5 s, to 5 s, by default.</source>
        <translation>默认情况下，持有者每 2.5 s 将其所有键延长到 5 s。</translation>
    </message>
    <message>
        <source>The server itself wakes those who wait: it tells clients with a cache that the key is gone. Without a cache they look again and again. The holder learns of the loss in the same way.</source>
        <translation>由服务器唤醒等待者：它会通知启用了缓存的客户端该键已消失。未启用缓存的客户端则反复检查。持有者也以同样方式得知锁已丢失。</translation>
    </message>
    <message>
        <source>every field contains read, write or wait, and an expiry</source>
        <translation>每个字段都包含 read、write 或 wait，以及过期时间</translation>
    </message>
    <message>
        <source>the timestamps are close to the server&apos;s clock</source>
        <translation>时间戳接近服务器时钟</translation>
    </message>
    <message>
        <source>The field %1 is a writer that waits, until the instant in its value: %2.</source>
        <translation>字段 %1 是正在等待的写者，等待至其值所示时刻：%2。</translation>
    </message>
    <message>
        <source>The field %1 is the writer, until the instant in its value: %2.</source>
        <translation>字段 %1 是写者，有效期至其值所示时刻：%2。</translation>
    </message>
    <message>
        <source>The field %1 is a reader, until the instant in its value: %2.</source>
        <translation>字段 %1 是读者，有效期至其值所示时刻：%2。</translation>
    </message>
    <message>
        <source>Read-write by owner</source>
        <translation>按所有者记录的读写锁</translation>
    </message>
    <message>
        <source>A hash with a field per holder that contains its mode (read or write) and its expiry.</source>
        <translation>一个哈希，每个持有者一个字段，包含其模式（读或写）和过期时间。</translation>
    </message>
    <message>
        <source>a hash with only the fields read and write</source>
        <translation>哈希只有字段 read 和 write</translation>
    </message>
    <message>
        <source>the fields contain timestamps in milliseconds</source>
        <translation>字段包含毫秒时间戳</translation>
    </message>
    <message>
        <source>The field read stands for all readers; its value is when the last of them came, in epoch ms: %1.</source>
        <translation>字段 read 代表所有读者；其值是最后一位读者到来的时刻（Unix 毫秒时间戳）：%1。</translation>
    </message>
    <message>
        <source>The field write stands for the writer; its value is when it came, in epoch ms: %1.</source>
        <translation>字段 write 代表写者；其值是写者到来的时刻（Unix 毫秒时间戳）：%1。</translation>
    </message>
    <message>
        <source>Read-write hash</source>
        <translation>读写锁哈希</translation>
    </message>
    <message>
        <source>A hash with the fields read and write, each with the time at which that side was acquired.</source>
        <translation>一个包含字段 read 和 write 的哈希，值为各自被获取的时间。</translation>
    </message>
    <message>
        <source>both keys exist</source>
        <translation>两个键都存在</translation>
    </message>
    <message>
        <source>the values are flags, counts or tokens</source>
        <translation>值是标志、计数或令牌</translation>
    </message>
    <message>
        <source>The readers, all together: it is there while one of them reads.</source>
        <translation>全体读者：只要有读者在读，它就存在。</translation>
    </message>
    <message>
        <source>The writer: it is there while one writes.</source>
        <translation>写者：有写者在写时，它就存在。</translation>
    </message>
    <message>
        <source>Read-write pair</source>
        <translation>读写锁键对</translation>
    </message>
    <message>
        <source>Two keys, one for the readers and one for the writer, each a flag, a count or a token.</source>
        <translation>两个键，一个用于读者，一个用于写者，各为标志、计数或令牌。</translation>
    </message>
    <message>
        <source>its fields name a global transaction and its branch</source>
        <translation>其字段标明全局事务及其分支</translation>
    </message>
    <message>
        <source>The row belongs to a global transaction: releasing it alone would let other transactions see what may still be rolled back. End the transaction in Seata&apos;s console.</source>
        <translation>该行属于一个全局事务：单独释放它，会让其他事务看到可能还会回滚的数据。在 Seata 控制台中结束该事务。</translation>
    </message>
    <message>
        <source>resource</source>
        <translation>资源</translation>
    </message>
    <message>
        <source>table</source>
        <translation>表</translation>
    </message>
    <message>
        <source>primary key</source>
        <translation>主键</translation>
    </message>
    <message>
        <source>branch</source>
        <translation>分支</translation>
    </message>
    <message>
        <source>A row of a database that a global transaction has changed: it is there until the transaction has ended.</source>
        <translation>被全局事务修改的数据库行：在该事务结束之前一直存在。</translation>
    </message>
    <message>
        <source>The field xid is the global transaction that holds the row: %1.</source>
        <translation>字段 xid 是持有该行的全局事务：%1。</translation>
    </message>
    <message>
        <source>The field branchId is the part of it that changed the row: %1.</source>
        <translation>字段 branchId 是该事务中修改此行的分支：%1。</translation>
    </message>
    <message>
        <source>The lock of a row that a global transaction of Seata has changed.</source>
        <translation>被 Seata 全局事务修改的行的锁。</translation>
    </message>
    <message>
        <source>It stays until Seata&apos;s server has committed the transaction or rolled it back.</source>
        <translation>在 Seata 服务器提交或回滚该事务之前，它一直存在。</translation>
    </message>
    <message>
        <source>No message wakes other transactions: they try again, and then give up.</source>
        <translation>没有消息唤醒其他事务：它们会重试，之后放弃。</translation>
    </message>
    <message>
        <source>the scores of a sorted set are timestamps close to the server&apos;s clock</source>
        <translation>有序集合的分值是接近服务器时钟的时间戳</translation>
    </message>
    <message>
        <source>the key expires with the last of them</source>
        <translation>键与最后一个许可同时过期</translation>
    </message>
    <message>
        <source>the key expires some time after the last of them</source>
        <translation>键在最后一个许可过期一段时间后过期</translation>
    </message>
    <message>
        <source>Semaphore</source>
        <translation>信号量</translation>
    </message>
    <message>
        <source>A sorted set of the issued permits; each score is the expiry of a permit.</source>
        <translation>已发放许可的有序集合；每个分值是一个许可的过期时间。</translation>
    </message>
    <message>
        <source>the value was serialised by a cache</source>
        <translation>值由缓存序列化</translation>
    </message>
    <message>
        <source>Cache entry</source>
        <translation>缓存条目</translation>
    </message>
    <message>
        <source>A lock by an entry that a cache of PHP or Rails writes unless it exists: the value is serialised, and anyone may delete it.</source>
        <translation>用缓存条目实现的锁，由 PHP 或 Rails 的缓存在条目不存在时写入：值经过序列化，任何客户端都可删除它。</translation>
    </message>
    <message>
        <source>the fields of a hash are the ids of jobs, with the time of each lock</source>
        <translation>哈希的字段是作业 id，值为各自加锁的时间</translation>
    </message>
    <message>
        <source>The job itself goes on: after a release, a second job with the same arguments may start beside it.</source>
        <translation>作业本身会继续运行：释放后，参数相同的第二个作业可能同时启动。</translation>
    </message>
    <message>
        <source>The jobs that wait, the next one first. An element 1 is no job: an unlock pushes it to wake a worker.</source>
        <translation>等待的作业，下一个在最前。元素 1 不是作业：解锁时推入它以唤醒工作线程。</translation>
    </message>
    <message>
        <source>1 is such a mark.</source>
        <translation>1 是这种唤醒标记。</translation>
    </message>
    <message>
        <source>The job %1 waits.</source>
        <translation>作业 %1 正在等待。</translation>
    </message>
    <message>
        <source>The field %1 is the id of a job that holds the lock, and its value when it took it, in epoch seconds: %2.</source>
        <translation>字段 %1 是持有该锁的作业 id，其值是作业获取锁的时刻（Unix 秒级时间戳）：%2。</translation>
    </message>
    <message>
        <source>The field %1 is the id of a job that holds the lock, and its value what the gem knows of that job: %2.</source>
        <translation>字段 %1 是持有该锁的作业 id，其值是该 gem 记录的作业信息：%2。</translation>
    </message>
    <message>
        <source>Sidekiq unique job</source>
        <translation>Sidekiq 唯一作业</translation>
    </message>
    <message>
        <source>The lock of sidekiq-unique-jobs (Ruby): a hash from the id of each job that holds it to when it was taken.</source>
        <translation>sidekiq-unique-jobs（Ruby）的锁：一个哈希，从每个持有锁的作业 id 到其获取时间。</translation>
    </message>
    <message>
        <source>The reaper of the gem, where it runs, removes the lock once Sidekiq has no such job any more.</source>
        <translation>如果 gem 的 reaper 在运行，Sidekiq 中不再有该作业后，它会移除锁。</translation>
    </message>
    <message>
        <source>a client listens on the channel of a lock registry with this name</source>
        <translation>有客户端监听此名称的锁注册表频道</translation>
    </message>
    <message>
        <source>clients listen to patterns of channels, as its waiters do</source>
        <translation>有客户端按模式监听频道，与它的等待者一致</translation>
    </message>
    <message>
        <source>the value is a UUID</source>
        <translation>值是 UUID</translation>
    </message>
    <message>
        <source>Its value %1 is the id of the lock registry that holds it: the same for all locks of that registry, and for its next hold of this one.</source>
        <translation>其值 %1 是持有该锁的锁注册表的 id：该注册表的所有锁都相同，下次持有此锁时也相同。</translation>
    </message>
    <message>
        <source>Spring Integration</source>
        <translation>Spring Integration</translation>
    </message>
    <message>
        <source>The RedisLockRegistry of Spring Integration with PUB_SUB_LOCK: the UUID of the registry, recognised while clients listen on its channel.</source>
        <translation>Spring Integration 的 RedisLockRegistry（PUB_SUB_LOCK 模式）：值是注册表的 UUID；有客户端监听其频道时才能识别。</translation>
    </message>
    <message>
        <source>It is renewed, at a third of its lease, only where the registry was given a task scheduler (since 6.4).</source>
        <translation>仅当注册表配置了任务调度器（6.4 起）时，才每隔租约的三分之一续期一次。</translation>
    </message>
    <message>
        <source>the value is MessagePack: an array of times and tokens</source>
        <translation>值是 MessagePack：由时间和令牌组成的数组</translation>
    </message>
    <message>
        <source>its times are close to the server&apos;s clock</source>
        <translation>其中的时间接近服务器时钟</translation>
    </message>
    <message>
        <source>The semaphore of the gem suo (Ruby): one string with the time and the token of each hold, in MessagePack.</source>
        <translation>gem suo（Ruby）的信号量：一个 MessagePack 字符串，包含每次持有的时间和令牌。</translation>
    </message>
    <message>
        <source>the members of a sorted set are tokens of 32 bytes in base64, scored with the end of their hold</source>
        <translation>有序集合的成员是 base64 编码的 32 字节令牌，分值为持有结束时间</translation>
    </message>
    <message>
        <source>one of them is __write__</source>
        <translation>其中一个成员是 __write__</translation>
    </message>
    <message>
        <source>The member __write__ is no holder: it says that the only token is that of a writer.</source>
        <translation>成员 __write__ 不是持有者：它表示唯一的令牌属于写者。</translation>
    </message>
    <message>
        <source>The member %1 is the token of the writer; its hold ends at the score, in epoch ms: %2.</source>
        <translation>成员 %1 是写者的令牌；其持有在分值（Unix 毫秒时间戳）所示时刻结束：%2。</translation>
    </message>
    <message>
        <source>The member %1 is the token of a reader; its hold ends at the score, in epoch ms: %2.</source>
        <translation>成员 %1 是读者的令牌；其持有在分值（Unix 毫秒时间戳）所示时刻结束：%2。</translation>
    </message>
    <message>
        <source>The RedisStore of Symfony&apos;s Lock: a sorted set with a token for each holder, and a mark beside the token of a writer.</source>
        <translation>Symfony Lock 的 RedisStore：一个有序集合，每个持有者一个令牌；写者的令牌旁另有一个标记。</translation>
    </message>
    <message>
        <source>It is prolonged only where the program calls refresh().</source>
        <translation>仅当程序调用 refresh() 时才会延长。</translation>
    </message>
    <message>
        <source>the members of two sorted sets are tokens of 32 bytes in base64</source>
        <translation>两个有序集合的成员是 base64 编码的 32 字节令牌</translation>
    </message>
    <message>
        <source>one set is scored with the end of each hold, the other with its permits</source>
        <translation>一个集合的分值是每次持有的结束时间，另一个的分值是许可数</translation>
    </message>
    <message>
        <source>Symfony semaphore</source>
        <translation>Symfony 信号量</translation>
    </message>
    <message>
        <source>The RedisStore of Symfony&apos;s Semaphore: a sorted set with the end of each hold, and one with its permits.</source>
        <translation>Symfony Semaphore 的 RedisStore：一个有序集合保存每次持有的结束时间，另一个保存其许可数。</translation>
    </message>
    <message>
        <source>the members of a sorted set are scored with the end of their hold</source>
        <translation>有序集合的成员以其持有结束时间为分值</translation>
    </message>
    <message>
        <source>If the old holder is still running, its next renewal will create the lock again: stop it first.</source>
        <translation>若旧持有者仍在运行，其下次续期会重新创建该锁：先停止它。</translation>
    </message>
    <message>
        <source>SYSTEM_LOCK was put there by hand, to stop the queue; it ends at its score, in epoch seconds: %1.</source>
        <translation>SYSTEM_LOCK 是为停止队列而手动写入的；它在分值（Unix 秒级时间戳）所示时刻结束：%1。</translation>
    </message>
    <message>
        <source>%1 is a worker that may take tasks; its hold ends at its score, in epoch seconds: %2.</source>
        <translation>%1 是可以领取任务的工作进程；其持有在分值（Unix 秒级时间戳）所示时刻结束：%2。</translation>
    </message>
    <message>
        <source>The workers of TaskTiger (Python) that may take tasks of a queue: a sorted set, scored with the end of each hold.</source>
        <translation>TaskTiger（Python）中可从某队列领取任务的工作进程：一个有序集合，分值为每次持有的结束时间。</translation>
    </message>
    <message>
        <source>Each worker that is alive renews its hold.</source>
        <translation>每个存活的工作进程都会续期其持有。</translation>
    </message>
    <message>
        <source>the value is a UUID with a suffix</source>
        <translation>值是带后缀的 UUID</translation>
    </message>
    <message>
        <source>the value has a UUID inside, or a random number as long</source>
        <translation>值中含有 UUID，或同样长度的随机数</translation>
    </message>
    <message>
        <source>the value is a random number in hexadecimal</source>
        <translation>值是十六进制随机数</translation>
    </message>
    <message>
        <source>the value is a random number in base64</source>
        <translation>值是 base64 编码的随机数</translation>
    </message>
    <message>
        <source>the value is a random number in binary</source>
        <translation>值是二进制随机数</translation>
    </message>
    <message>
        <source>the value has the length and the letters of a random token</source>
        <translation>值的长度和字符与随机令牌相符</translation>
    </message>
    <message>
        <source>the value names a process</source>
        <translation>值标明一个进程</translation>
    </message>
    <message>
        <source>the value names a part of a process</source>
        <translation>值标明进程的一部分</translation>
    </message>
    <message>
        <source>the value is JSON that names its owner</source>
        <translation>值是标明所有者的 JSON</translation>
    </message>
    <message>
        <source>the value may name the owner</source>
        <translation>值可能标明所有者</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>令牌</translation>
    </message>
    <message>
        <source>A random token written by SET NX PX or a Lua script: the client that knows it owns the lock.</source>
        <translation>由 SET NX PX 或 Lua 脚本写入的随机令牌：知道该令牌的客户端即拥有此锁。</translation>
    </message>
    <message>
        <source>the value is a UUID, a dot and a timestamp in milliseconds</source>
        <translation>值由 UUID、一个点和毫秒时间戳组成</translation>
    </message>
    <message>
        <source>Its value is the token of the holder: the UUID %1, and when it was made, in epoch ms: %2.</source>
        <translation>其值是持有者的令牌：由 UUID %1 和生成时刻（Unix 毫秒时间戳）组成：%2。</translation>
    </message>
    <message>
        <source>Token and timestamp</source>
        <translation>令牌和时间戳</translation>
    </message>
    <message>
        <source>A token that also contains the time of acquisition: &lt;uuid&gt;.&lt;epoch ms&gt;.</source>
        <translation>还包含获取时间的令牌：&lt;uuid&gt;.&lt;epoch ms&gt;。</translation>
    </message>
    <message>
        <source>unknown field %1: the fields are %2</source>
        <translation>未知字段 %1：可用字段为 %2</translation>
    </message>
    <message>
        <source>unknown field %1: did you mean %2?</source>
        <translation>未知字段 %1：是否指 %2？</translation>
    </message>
    <message>
        <source>unknown %1 %2: use %3</source>
        <translation>%1 的值 %2 未知：可用值为 %3</translation>
    </message>
    <message>
        <source>unknown %1 %2: did you mean %3?</source>
        <translation>%1 的值 %2 未知：是否指 %3？</translation>
    </message>
    <message>
        <source>%1 must be compared with &quot;:&quot; or &quot;=&quot;</source>
        <translation>%1 必须用“:”或“=”比较</translation>
    </message>
    <message>
        <source>%1 is not a whole number</source>
        <translation>%1 不是整数</translation>
    </message>
    <message>
        <source>%1 is not a duration such as 250ms, 10s or 5m</source>
        <translation>%1 不是 250ms、10s 或 5m 这样的时长</translation>
    </message>
    <message>
        <source>%1%2 needs a value</source>
        <translation>%1%2 缺少值</translation>
    </message>
    <message>
        <source>write the comparison without spaces: held&gt;10m</source>
        <translation>比较式中不要加空格：held&gt;10m</translation>
    </message>
    <message>
        <source>the closing quote is missing</source>
        <translation>缺少右引号</translation>
    </message>
    <message>
        <source>&quot;)&quot; without a matching &quot;(&quot;</source>
        <translation>“)”没有匹配的“(”</translation>
    </message>
    <message>
        <source>the filter is incomplete</source>
        <translation>筛选条件不完整</translation>
    </message>
    <message>
        <source>a term is missing before &quot;)&quot;</source>
        <translation>“)”前缺少条件</translation>
    </message>
    <message>
        <source>a term is missing before &quot;%1&quot;</source>
        <translation>“%1”前缺少条件</translation>
    </message>
    <message>
        <source>the parentheses are nested too deeply</source>
        <translation>括号嵌套过深</translation>
    </message>
    <message>
        <source>the closing &quot;)&quot; is missing</source>
        <translation>缺少右括号“)”</translation>
    </message>
    <message>
        <source>the script returned an unexpected answer</source>
        <translation>脚本返回了意外的应答</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not known here.</source>
        <translation>“%1”在此处不是已知值。</translation>
    </message>
    <message>
        <source>At least one pattern of tokens is needed.</source>
        <translation>至少需要一个令牌模式。</translation>
    </message>
    <message>
        <source>The keys need exactly one star, to name the list.</source>
        <translation>键必须恰好包含一个星号，才能确定列表名。</translation>
    </message>
    <message>
        <source>The keys need exactly one star, to name the channel.</source>
        <translation>键必须恰好包含一个星号，才能确定频道名。</translation>
    </message>
    <message>
        <source>Wake waiters by a push or by a message, not by both.</source>
        <translation>唤醒等待者只能用 push 或消息之一，不能并用。</translation>
    </message>
    <message>
        <source>Clients listen for a message: &quot;publish&quot; has to name it.</source>
        <translation>客户端监听的是消息：必须在“publish”中指明。</translation>
    </message>
    <message>
        <source>At least one pattern of keys is needed.</source>
        <translation>至少需要一个键模式。</translation>
    </message>
    <message>
        <source>a client listens on the channel of this library&apos;s locks</source>
        <translation>有客户端监听该客户端库的锁频道</translation>
    </message>
    <message>
        <source>the value has the form of this library&apos;s tokens</source>
        <translation>值符合该客户端库的令牌格式</translation>
    </message>
    <message>
        <source>If the old holder is still running, its renewal will prolong the lock of the next holder: stop it first.</source>
        <translation>若旧持有者仍在运行，其续期会延长下一位持有者的锁：先停止它。</translation>
    </message>
    <message>
        <source>This is the lease of a job in a queue: after a release the job will run again, even while its first run continues.</source>
        <translation>这是队列中一个作业的租约：释放后作业会再次运行，即使首次运行尚未结束。</translation>
    </message>
    <message>
        <source>end of the hold</source>
        <translation>持有结束时间</translation>
    </message>
    <message>
        <source>when it was taken</source>
        <translation>获取时间</translation>
    </message>
    <message>
        <source>text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>random number</source>
        <translation>随机数</translation>
    </message>
    <message>
        <source>%1: %2 (%3)</source>
        <translation>%1：%2（%3）</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1; %2</source>
        <translation>%1；%2</translation>
    </message>
    <message>
        <source>Its value %1 is the token of the holder, the same for every hold of its process: a release compares the expiry as well.</source>
        <translation>其值 %1 是持有者的令牌，同一进程的每次持有都相同：释放时还会比较过期时间。</translation>
    </message>
    <message>
        <source>Its value %1 names no holder.</source>
        <translation>其值 %1 未标明持有者。</translation>
    </message>
    <message>
        <source>Its value %1 is the token of the holder: only the client that knows it may release the lock.</source>
        <translation>其值 %1 是持有者的令牌：只有知道它的客户端才能释放该锁。</translation>
    </message>
    <message>
        <source>It consists of: %1.</source>
        <translation>其组成：%1。</translation>
    </message>
    <message>
        <source>The id &quot;%1&quot; is that of a built-in format.</source>
        <translation>id“%1”已被内置格式使用。</translation>
    </message>
    <message>
        <source>The id &quot;%1&quot; is that of another file.</source>
        <translation>id“%1”已被另一个文件使用。</translation>
    </message>
    <message>
        <source>There is no format &quot;%1&quot;.</source>
        <translation>没有格式“%1”。</translation>
    </message>
    <message>
        <source>A list is needed here.</source>
        <translation>此处需要列表。</translation>
    </message>
    <message>
        <source>A brace is not closed.</source>
        <translation>花括号未闭合。</translation>
    </message>
    <message>
        <source>There is no part of tokens called &quot;%1&quot;.</source>
        <translation>没有名为“%1”的令牌组成部分。</translation>
    </message>
    <message>
        <source>At most two parts may be {text}.</source>
        <translation>{text} 最多出现两次。</translation>
    </message>
    <message>
        <source>the answer to %1 is invalid</source>
        <translation>%1 的回复无效</translation>
    </message>
    <message>
        <source>more than %1 locks; the others are not shown</source>
        <translation>超过 %1 个锁；其余未显示</translation>
    </message>
    <message>
        <source>a list of more than %1 clients or %2; the holders&apos; addresses are unknown</source>
        <translation>客户端列表超过 %1 个或 %2；持有者的地址未知</translation>
    </message>
    <message>
        <source>names of more than %1</source>
        <translation>名称超过 %1</translation>
    </message>
    <message>
        <source>The owner may be the same for every hold of its process.</source>
        <translation>同一进程的每次持有，所有者可能都相同。</translation>
    </message>
    <message>
        <source>The value names no owner.</source>
        <translation>该值未标明所有者。</translation>
    </message>
    <message>
        <source>%1 The next hold may look exactly like this one.</source>
        <translation>%1下一次持有可能与这次看起来完全相同。</translation>
    </message>
    <message>
        <source>%1 The release succeeds only if the key has not been written to since this look; a write may be a renewal or another hold, which cannot be distinguished.</source>
        <translation>%1仅当该键自本次查看后未被写入时，释放才会成功；写入可能是续期，也可能是另一次持有，两者无法区分。</translation>
    </message>
    <message>
        <source>in %1</source>
        <translation>%1 后</translation>
    </message>
    <message>
        <source>%1 ago</source>
        <translation>%1 前</translation>
    </message>
    <message>
        <source>the same token under the same key on several of the given servers</source>
        <translation>给定的多台服务器上，同一个键有相同的令牌</translation>
    </message>
    <message>
        <source>Some libraries with such tokens create the lock again when they renew it. If the old holder is still running, this may happen within %1.</source>
        <translation>某些使用此类令牌的客户端库在续期时会重新创建锁。若旧持有者仍在运行，%1 内可能发生这种情况。</translation>
    </message>
    <message>
        <source>If the old holder is still running, its renewal will create the lock again within %1: stop it first.</source>
        <translation>若旧持有者仍在运行，其续期会在 %1 内重新创建该锁：先停止它。</translation>
    </message>
    <message>
        <source>Waiting clients cannot be woken: they sleep for the time to live that they last saw, and may try again only in %1.</source>
        <translation>等待中的客户端无法被唤醒：它们按上次看到的 TTL 休眠，可能要到 %1 后才重试。</translation>
    </message>
    <message>
        <source>Waiting clients cannot be woken: they try again when their own wait ends.</source>
        <translation>等待中的客户端无法被唤醒：它们自己的等待结束后才会重试。</translation>
    </message>
    <message>
        <source>it was renewed like a lock</source>
        <translation>它像锁一样被续期过</translation>
    </message>
    <message>
        <source>it was released and taken again by another owner</source>
        <translation>它曾被释放，又被另一个所有者获取</translation>
    </message>
    <message>
        <source>a SCAN cursor of more than %1 digits</source>
        <translation>SCAN 游标超过 %1 位</translation>
    </message>
    <message>
        <source>SCAN returned the same cursor again, so it would never end</source>
        <translation>SCAN 再次返回相同的游标，扫描将永不结束</translation>
    </message>
    <message>
        <source>SCAN continued after %1 entries</source>
        <translation>SCAN 在 %1 个条目之后仍在继续</translation>
    </message>
    <message>
        <source>SCAN returned an unexpected reply</source>
        <translation>SCAN 返回了意外的回复</translation>
    </message>
    <message>
        <source>SCAN returned a key that is not a string</source>
        <translation>SCAN 返回的键不是字符串</translation>
    </message>
    <message>
        <source>its value is too long for an owner</source>
        <translation>值太长，不会是所有者</translation>
    </message>
    <message>
        <source>its value is a number, like that of a counter</source>
        <translation>值是数字，像是计数器</translation>
    </message>
    <message>
        <source>its value is a document that contains no owner</source>
        <translation>值是不含所有者的文档</translation>
    </message>
    <message>
        <source>its value contains no owner</source>
        <translation>值中不含所有者</translation>
    </message>
    <message>
        <source>a hash, but not in a known lock format</source>
        <translation>是哈希，但不属于已知的锁格式</translation>
    </message>
    <message>
        <source>a sorted set, but not in a known lock format</source>
        <translation>是有序集合，但不属于已知的锁格式</translation>
    </message>
    <message>
        <source>no known lock format uses this type</source>
        <translation>没有已知的锁格式使用此类型</translation>
    </message>
    <message>
        <source>an unknown type</source>
        <translation>未知类型</translation>
    </message>
    <message>
        <source>1 key may not be read. %1</source>
        <translation>1 个键无权读取。%1</translation>
    </message>
    <message>
        <source>%1 keys may not be read. %2</source>
        <translation>%1 个键无权读取。%2</translation>
    </message>
    <message>
        <source>1 key could not be read (%1). %2</source>
        <translation>1 个键无法读取（%1）。%2</translation>
    </message>
    <message>
        <source>%1 keys could not be read (%2). %3</source>
        <translation>%1 个键无法读取（%2）。%3</translation>
    </message>
    <message>
        <source>%1 breaks under %2, in %3 steps: %4</source>
        <translation>%1 在 %2 下被违反，共 %3 步：%4</translation>
    </message>
    <message>
        <source>the server answers this step with an error</source>
        <translation>服务器对此步骤返回错误</translation>
    </message>
    <message>
        <source>An error leaves behind what the script wrote before it.</source>
        <translation>出错时，脚本此前写入的内容会留下。</translation>
    </message>
    <message>
        <source>this step gives an answer that the file does not list</source>
        <translation>此步骤给出了文件中未列出的应答</translation>
    </message>
    <message>
        <source>List the answer, or &quot;*&quot; for all others: a client does not know what became of its lock.</source>
        <translation>列出该应答，或用“*”表示所有其他应答：否则客户端不知道锁的结果。</translation>
    </message>
    <message>
        <source>a client that is alone is refused</source>
        <translation>唯一的客户端也被拒绝</translation>
    </message>
    <message>
        <source>A lock that nobody holds has to be granted.</source>
        <translation>没有人持有的锁必须授予。</translation>
    </message>
    <message>
        <source>a second client is granted a lock that is held</source>
        <translation>锁已被持有，却授予了第二个客户端</translation>
    </message>
    <message>
        <source>Take the lock only if it is not there: SET … NX.</source>
        <translation>仅当锁不存在时才获取：SET … NX。</translation>
    </message>
    <message>
        <source>the lock of a client that died stays for ever</source>
        <translation>客户端崩溃后，它的锁永远存在</translation>
    </message>
    <message>
        <source>Set an expiry with the command that takes the lock: SET … NX PX.</source>
        <translation>在获取锁的命令中设置过期时间：SET … NX PX。</translation>
    </message>
    <message>
        <source>the lock is taken with one command, and gets its expiry with the next</source>
        <translation>先用一条命令获取锁，再用下一条设置过期时间</translation>
    </message>
    <message>
        <source>A client that dies between the two leaves a lock that stays for ever. Make them one: SET … NX PX.</source>
        <translation>客户端若在两条命令之间崩溃，锁会永远存在。合并为一条：SET … NX PX。</translation>
    </message>
    <message>
        <source>the server keeps the lock longer or shorter than its lease</source>
        <translation>服务器保留锁的时间与租约不符</translation>
    </message>
    <message>
        <source>PX and PEXPIRE take milliseconds, EX and EXPIRE seconds; {leaseMs} is in milliseconds.</source>
        <translation>PX 和 PEXPIRE 以毫秒为单位，EX 和 EXPIRE 以秒为单位；{leaseMs} 以毫秒为单位。</translation>
    </message>
    <message>
        <source>nothing on the server tells whose hold it is</source>
        <translation>服务器上没有任何信息表明持有属于谁</translation>
    </message>
    <message>
        <source>Store {token} or {clientId}, and compare it before anything is deleted or extended.</source>
        <translation>保存 {token} 或 {clientId}，并在删除或延长之前进行比较。</translation>
    </message>
    <message>
        <source>a refused client changes the hold that blocks it</source>
        <translation>被拒绝的客户端改动了他人的持有</translation>
    </message>
    <message>
        <source>Write only after it is certain that the lock is free.</source>
        <translation>确定锁空闲之后再写入。</translation>
    </message>
    <message>
        <source>one command looks whether the lock is free, and the next takes it</source>
        <translation>先用一条命令检查锁是否空闲，再用下一条获取锁</translation>
    </message>
    <message>
        <source>Two clients can look before either takes it. Look and take in one script.</source>
        <translation>两个客户端可能都在对方获取之前完成检查。在同一个脚本中检查并获取。</translation>
    </message>
    <message>
        <source>the release deletes the lock whoever holds it</source>
        <translation>无论谁持有锁，释放都会删除它</translation>
    </message>
    <message>
        <source>Compare the owner and delete in one script.</source>
        <translation>在同一个脚本中比较所有者并删除。</translation>
    </message>
    <message>
        <source>one command compares the owner, and the next deletes the lock</source>
        <translation>先用一条命令比较所有者，再用下一条删除锁</translation>
    </message>
    <message>
        <source>The lock may change hands in between. Compare and delete in one script.</source>
        <translation>两条命令之间锁可能易主。在同一个脚本中比较并删除。</translation>
    </message>
    <message>
        <source>the lock is still there after its release</source>
        <translation>释放之后锁仍然存在</translation>
    </message>
    <message>
        <source>The release has to free what the acquisition took.</source>
        <translation>释放必须归还获取时占用的内容。</translation>
    </message>
    <message>
        <source>the first release frees a lock that was taken twice</source>
        <translation>锁被获取两次，第一次释放就使其空闲</translation>
    </message>
    <message>
        <source>Count down, and delete at zero only.</source>
        <translation>递减计数，减到零时才删除。</translation>
    </message>
    <message>
        <source>the renewal extends the lock whoever holds it</source>
        <translation>无论谁持有锁，续期都会延长它</translation>
    </message>
    <message>
        <source>Compare the owner and extend in one script.</source>
        <translation>在同一个脚本中比较所有者并延长。</translation>
    </message>
    <message>
        <source>one command compares the owner, and the next extends the lock</source>
        <translation>先用一条命令比较所有者，再用下一条延长锁</translation>
    </message>
    <message>
        <source>The lock may change hands in between. Compare and extend in one script.</source>
        <translation>两条命令之间锁可能易主。在同一个脚本中比较并延长。</translation>
    </message>
    <message>
        <source>the renewal creates a lock again that has ended</source>
        <translation>续期会重新创建已结束的锁</translation>
    </message>
    <message>
        <source>If the lock no longer exists, answer that it is gone.</source>
        <translation>锁已不存在，就没有可续期的内容：应答锁已消失。</translation>
    </message>
    <message>
        <source>the lease does not begin anew with a renewal</source>
        <translation>续期没有使租约重新开始</translation>
    </message>
    <message>
        <source>Set the expiry again: PEXPIRE.</source>
        <translation>重新设置过期时间：PEXPIRE。</translation>
    </message>
    <message>
        <source>the renewal succeeds where there is nothing to renew</source>
        <translation>没有可续期的内容，续期却成功</translation>
    </message>
    <message>
        <source>Answer that the lock is gone, so that its holder stops.</source>
        <translation>应答锁已消失，让持有者停下。</translation>
    </message>
    <message>
        <source>the first renewal comes when the lease is over</source>
        <translation>首次续期时租约已经结束</translation>
    </message>
    <message>
        <source>Renew every third of the lease, so that one renewal may fail.</source>
        <translation>每隔租约的三分之一续期一次，这样允许一次续期失败。</translation>
    </message>
    <message>
        <source>waiters listen to a channel on which the release publishes nothing</source>
        <translation>等待者监听的频道上，释放时不发布任何消息</translation>
    </message>
    <message>
        <source>PUBLISH to the channel of &quot;retry&quot; when the lock is free.</source>
        <translation>锁空闲时，向“retry”的频道执行 PUBLISH。</translation>
    </message>
    <message>
        <source>{nowMs} is the time of the client&apos;s clock, which may differ from others</source>
        <translation>{nowMs} 是客户端时钟的时间，可能与其他客户端不同</translation>
    </message>
    <message>
        <source>Use the server&apos;s, by the command TIME.</source>
        <translation>用命令 TIME 取服务器的时间。</translation>
    </message>
    <message>
        <source>the script uses a key that is not among its &quot;keys&quot;</source>
        <translation>脚本使用了未列入其“keys”的键</translation>
    </message>
    <message>
        <source>A cluster refuses such a script. Name the key in &quot;keys&quot;, with the same {…} part as the others.</source>
        <translation>集群会拒绝这样的脚本。在“keys”中列出该键，并使其 {…} 部分与其他键相同。</translation>
    </message>
    <message>
        <source>too few nodes replied in time</source>
        <translation>及时回复的节点太少</translation>
    </message>
    <message>
        <source>the server sent a reply that this protocol does not expect</source>
        <translation>服务器发来此协议未预料到的回复</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a known member.</source>
        <translation>“%1”不是已知成员。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a known member; did you mean &quot;%2&quot;?</source>
        <translation>“%1”不是已知成员；是否指“%2”？</translation>
    </message>
    <message>
        <source>An object in braces is expected.</source>
        <translation>此处应为花括号括起的对象。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is missing.</source>
        <translation>缺少“%1”。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; must be a string.</source>
        <translation>“%1”必须是字符串。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is empty.</source>
        <translation>“%1”为空。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; must be a list of strings.</source>
        <translation>“%1”必须是字符串列表。</translation>
    </message>
    <message>
        <source>Only strings are allowed in &quot;%1&quot;.</source>
        <translation>“%1”中只允许字符串。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; must be true or false.</source>
        <translation>“%1”必须是 true 或 false。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; must be a duration such as &quot;250ms&quot; or &quot;10s&quot;.</source>
        <translation>“%1”必须是“250ms”或“10s”这样的时长。</translation>
    </message>
    <message>
        <source>Unknown promise.</source>
        <translation>未知的保证。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; must be a whole number from %2 to %3.</source>
        <translation>“%1”必须是 %2 到 %3 之间的整数。</translation>
    </message>
    <message>
        <source>line %1, column %2</source>
        <translation>第 %1 行，第 %2 列</translation>
    </message>
    <message>
        <source>byte %1</source>
        <translation>第 %1 字节</translation>
    </message>
    <message>
        <source>Invalid JSON: %1.</source>
        <translation>无效的 JSON：%1。</translation>
    </message>
    <message>
        <source>This number is too large.</source>
        <translation>该数字过大。</translation>
    </message>
    <message>
        <source>Duplicate member.</source>
        <translation>成员重复。</translation>
    </message>
    <message>
        <source>this protocol has no renewal</source>
        <translation>此协议没有续期</translation>
    </message>
    <message>
        <source>An answer must be a whole number, a string or null.</source>
        <translation>回复必须是整数、字符串或 null。</translation>
    </message>
    <message>
        <source>A list of at least one answer is expected, such as [1, &quot;OK&quot;].</source>
        <translation>此处应为至少含一个回复的列表，例如 [1, &quot;OK&quot;]。</translation>
    </message>
    <message>
        <source>This answer already has a meaning.</source>
        <translation>该回复已有含义。</translation>
    </message>
    <message>
        <source>At least one key must contain {key}; otherwise all locks would be one.</source>
        <translation>至少一个键必须包含 {key}；否则所有锁会成为同一个锁。</translation>
    </message>
    <message>
        <source>{holds} is only known while the lock is held.</source>
        <translation>{holds} 仅在持有锁期间才有值。</translation>
    </message>
    <message>
        <source>An id consists of lower-case letters, digits and inner dashes.</source>
        <translation>id 由小写字母、数字和中间的连字符组成。</translation>
    </message>
    <message>
        <source>A built-in protocol already has this id.</source>
        <translation>已有内置协议使用此 id。</translation>
    </message>
    <message>
        <source>The channel must contain {key}, and no other placeholder than {clientId}.</source>
        <translation>频道必须包含 {key}，此外只允许占位符 {clientId}。</translation>
    </message>
    <message>
        <source>The kind of retry must be &quot;fixed&quot;, &quot;exponential&quot; or &quot;wake-up&quot;.</source>
        <translation>retry 的 kind 必须是“fixed”、“exponential”或“wake-up”。</translation>
    </message>
    <message>
        <source>Only a retry of the kind &quot;wake-up&quot; listens to a channel.</source>
        <translation>只有 kind 为“wake-up”的 retry 才监听频道。</translation>
    </message>
    <message>
        <source>The interval must be at least 1ms.</source>
        <translation>间隔至少为 1ms。</translation>
    </message>
    <message>
        <source>The largest interval is smaller than the first.</source>
        <translation>最大间隔小于初始间隔。</translation>
    </message>
    <message>
        <source>There is no &quot;renew&quot; step to run.</source>
        <translation>没有可执行的“renew”步骤。</translation>
    </message>
    <message>
        <source>The period must be at least 1ms.</source>
        <translation>周期必须至少为 1ms。</translation>
    </message>
    <message>
        <source>the holder is never slower than its lease, and the server loses no acknowledged write</source>
        <translation>持有者从不慢于其租约，且服务器不丢失已确认的写入</translation>
    </message>
    <message>
        <source>holders are never slower than their leases, and the server loses no acknowledged write</source>
        <translation>所有持有者从不慢于各自的租约，且服务器不丢失已确认的写入</translation>
    </message>
    <message>
        <source>no request and no answer is lost</source>
        <translation>请求和回复都不丢失</translation>
    </message>
    <message>
        <source>the server loses no acknowledged write</source>
        <translation>服务器不丢失已确认的写入</translation>
    </message>
    <message>
        <source>the clocks of client and server run equally fast, and the server loses no acknowledged write</source>
        <translation>客户端与服务器的时钟走速相同，且服务器不丢失已确认的写入</translation>
    </message>
    <message>
        <source>no waiter dies</source>
        <translation>没有等待者死亡</translation>
    </message>
    <message>
        <source>The lease must be at least 1ms.</source>
        <translation>租约必须至少为 1ms。</translation>
    </message>
    <message>
        <source>&quot;acquire&quot; must declare with &quot;holds&quot; how often the lock is held.</source>
        <translation>&quot;acquire&quot; 必须用 &quot;holds&quot; 声明锁被持有的次数。</translation>
    </message>
    <message>
        <source>Unmatched closing brace; write }} for a literal brace.</source>
        <translation>右花括号没有配对；字面花括号请写作 }}。</translation>
    </message>
    <message>
        <source>A brace is not closed; write {{ for a literal brace.</source>
        <translation>花括号未闭合；字面花括号请写作 {{。</translation>
    </message>
    <message>
        <source>Unknown placeholder {%1}; the placeholders are {key}, {token}, {leaseMs}, {nowMs}, {clientId}, {count} and {holds}.</source>
        <translation>未知占位符 {%1}；可用的占位符：{key}、{token}、{leaseMs}、{nowMs}、{clientId}、{count} 和 {holds}。</translation>
    </message>
    <message>
        <source>needs %1 independent servers</source>
        <translation>需要 %1 台独立服务器</translation>
    </message>
    <message>
        <source>not reentrant</source>
        <translation>不可重入</translation>
    </message>
    <message>
        <source>does not know readers</source>
        <translation>不区分读者</translation>
    </message>
    <message>
        <source>has one holder, not several</source>
        <translation>只允许一个持有者，不允许多个</translation>
    </message>
    <message>
        <source>a semaphore: it has several holders</source>
        <translation>是信号量：允许多个持有者</translation>
    </message>
    <message>
        <source>no library known in that language</source>
        <translation>该语言没有已知的客户端库</translation>
    </message>
    <message>
        <source>%1 under %2, in %3 steps: %4</source>
        <translation>%1（故障：%2），%3 步：%4</translation>
    </message>
    <message>
        <source>not searched</source>
        <translation>未搜索</translation>
    </message>
    <message>
        <source>no run could have shown %1</source>
        <translation>没有任何运行能触及：%1</translation>
    </message>
    <message>
        <source>A longer lease: with one %1 times as long, nothing broke %2. It has to outlast every pause and every delay.</source>
        <translation>更长的租约：租约延长到 %1 倍时，%2 未被违反。租约必须长于任何暂停和任何延迟。</translation>
    </message>
    <message>
        <source>WAIT 1 behind each grant, on the same connection: nothing broke %1 if a grant that no replica acknowledged was given back.</source>
        <translation>每次授予后在同一连接上执行 WAIT 1：若放弃未得到任何副本确认的授予，%1 未被违反。</translation>
    </message>
    <message>
        <source>%1 independent servers: nothing broke %2 there.</source>
        <translation>%1 台独立服务器：在此条件下 %2 未被违反。</translation>
    </message>
    <message>
        <source>A resource that refuses smaller fencing tokens than it has seen: in all runs every grant of %1 carried a greater one, so that a late holder is refused.</source>
        <translation>由资源拒绝比已见过的更小的防护令牌：在所有运行中，%1 的每次授予都带有更大的防护令牌，因此迟到的持有者会被拒绝。</translation>
    </message>
    <message>
        <source>Code of your own: nothing broke %1, but no library for it is known in that language.</source>
        <translation>自行编写代码：%1 未被违反，但该语言没有已知的客户端库。</translation>
    </message>
    <message>
        <source>Certainty that this does not happen: %2. Nothing else broke %1.</source>
        <translation>确保不发生以下情况：%2。除此之外，%1 未被违反。</translation>
    </message>
    <message>
        <source>now held by %1</source>
        <translation>现由 %1 持有</translation>
    </message>
    <message>
        <source>Remove the hold</source>
        <translation>移除该持有</translation>
    </message>
    <message>
        <source>Delete the key</source>
        <translation>删除该键</translation>
    </message>
    <message>
        <source>Wake the waiters</source>
        <translation>唤醒等待者</translation>
    </message>
    <message>
        <source>Take a waiter that gave up out of the queue</source>
        <translation>将已放弃的等待者移出队列</translation>
    </message>
    <message>
        <source>… and its time with it</source>
        <translation>… 并移除其时间</translation>
    </message>
    <message>
        <source>Wake the next waiter</source>
        <translation>唤醒下一个等待者</translation>
    </message>
    <message>
        <source>Clear the list on which waiters block</source>
        <translation>清空等待者阻塞所在的列表</translation>
    </message>
    <message>
        <source>Wake a waiter</source>
        <translation>唤醒一个等待者</translation>
    </message>
    <message>
        <source>Let the list expire if nobody waits</source>
        <translation>若无等待者则让它自行消失</translation>
    </message>
    <message>
        <source>Delete the time-out of a read hold</source>
        <translation>删除一次读持有的超时键</translation>
    </message>
    <message>
        <source>Add them to the free permits</source>
        <translation>加回空闲许可</translation>
    </message>
    <message>
        <source>Tell the waiters the new number</source>
        <translation>将新的数量告知等待者</translation>
    </message>
    <message>
        <source>Write what is left</source>
        <translation>写入剩余内容</translation>
    </message>
    <message>
        <source>Mark it as free</source>
        <translation>标记为空闲</translation>
    </message>
    <message>
        <source>Take it out of the count</source>
        <translation>从计数中扣除</translation>
    </message>
    <message>
        <source>Only if no holder is left</source>
        <translation>仅在没有剩余持有者时</translation>
    </message>
    <message>
        <source>What is stored</source>
        <translation>存储的内容</translation>
    </message>
    <message>
        <source>How long it lives, in ms (-1: no expiry)</source>
        <translation>剩余存活时间，单位 ms（-1：无过期时间）</translation>
    </message>
    <message>
        <source>How many clients are subscribed</source>
        <translation>已订阅的客户端数</translation>
    </message>
    <message>
        <source>All of it at once, if it is still the same hold (answers 1 if it was)</source>
        <translation>一次完成全部操作，仅当仍是同一次持有时生效（若是则返回 1）</translation>
    </message>
    <message>
        <source>All of it at once, if it is still the same hold (answers 1 first if it was)</source>
        <translation>一次完成全部操作，仅当仍是同一次持有时生效（若是则首先返回 1）</translation>
    </message>
    <message>
        <source>The bars of a histogram are expected, with its maximum in the last one.</source>
        <translation>此处应为直方图的各柱，且最大值位于最后一柱。</translation>
    </message>
    <message>
        <source>There are too many contenders.</source>
        <translation>竞争者过多。</translation>
    </message>
    <message>
        <source>Read by %1</source>
        <translation>读持有，%1 个读者</translation>
    </message>
    <message>
        <source>No holder is recorded</source>
        <translation>未记录持有者</translation>
    </message>
    <message>
        <source>1 permit held</source>
        <translation>已占用 1 个许可</translation>
    </message>
    <message>
        <source>%1 permits held</source>
        <translation>已占用 %1 个许可</translation>
    </message>
    <message>
        <source>Held for writing</source>
        <translation>写持有</translation>
    </message>
    <message>
        <source>Held</source>
        <translation>持有中</translation>
    </message>
    <message>
        <source>Its value is %1.</source>
        <translation>其值为 %1。</translation>
    </message>
    <message>
        <source>The field %1 is a holder, and %2 is how often it holds the lock.</source>
        <translation>字段 %1 是持有者，%2 是它持有锁的次数。</translation>
    </message>
    <message>
        <source>The field %1 is a holder; its value is %2.</source>
        <translation>字段 %1 是持有者；其值为 %2。</translation>
    </message>
    <message>
        <source>The field %1 is %2.</source>
        <translation>字段 %1 的值为 %2。</translation>
    </message>
    <message>
        <source>The member %1 is a holder.</source>
        <translation>成员 %1 是持有者。</translation>
    </message>
    <message>
        <source>%1 is in it.</source>
        <translation>其中包含 %1。</translation>
    </message>
    <message>
        <source>The member %1 is a holder, with the score %2.</source>
        <translation>成员 %1 是持有者，分值为 %2。</translation>
    </message>
    <message>
        <source>The member %1 has the score %2.</source>
        <translation>成员 %1 的分值为 %2。</translation>
    </message>
    <message>
        <source>There are %1 more.</source>
        <translation>另有 %1 个。</translation>
    </message>
    <message>
        <source>One of the keys of the lock, a %1.</source>
        <translation>锁的键之一，类型为 %1。</translation>
    </message>
    <message>
        <source>The permits that are taken, a %1.</source>
        <translation>已占用的许可，类型为 %1。</translation>
    </message>
    <message>
        <source>The lock itself, a %1: it is there while the lock is held.</source>
        <translation>锁本身，类型为 %1：锁被持有期间存在。</translation>
    </message>
    <message>
        <source>The queue of its waiters, the next one first.</source>
        <translation>等待者队列，下一个排在最前。</translation>
    </message>
    <message>
        <source>Kept beside the lock, a %1.</source>
        <translation>与锁一同保存，类型为 %1。</translation>
    </message>
    <message>
        <source>A release does not delete it.</source>
        <translation>释放时不会删除它。</translation>
    </message>
    <message>
        <source>It was seen to be renewed once, %1 ago.</source>
        <translation>已观察到 1 次续期，在 %1 前。</translation>
    </message>
    <message>
        <source>It was seen to be renewed %1 times, the last time %2 ago.</source>
        <translation>已观察到 %1 次续期，最近一次在 %2 前。</translation>
    </message>
    <message>
        <source>It stays until it is released: nothing expires it.</source>
        <translation>它会一直存在，直到被释放：没有过期时间。</translation>
    </message>
    <message>
        <source>It expires by itself in %1: nothing renews it any more.</source>
        <translation>它将在 %1 后自行过期：不再有续期。</translation>
    </message>
    <message>
        <source>1 other holder remains.</source>
        <translation>还剩 1 个其他持有者。</translation>
    </message>
    <message>
        <source>%1 other holders remain.</source>
        <translation>还剩 %1 个其他持有者。</translation>
    </message>
    <message>
        <source>Each hold expires by itself, the last of those that are there now in %1.</source>
        <translation>每次持有各自过期，现有持有中最后一个将在 %1 后过期。</translation>
    </message>
    <message>
        <source>What it held stays until all holds expire together, in %1 unless another holder renews them.</source>
        <translation>它的持有会保留到所有持有一起过期，即 %1 后，除非其他持有者续期。</translation>
    </message>
    <message>
        <source>What it held stays until it is released: nothing expires it.</source>
        <translation>它的持有会保留到被释放：没有过期时间。</translation>
    </message>
    <message>
        <source>Its waiters are subscribed to the channel %1; a release publishes the new number of free permits there, which wakes as many of them.</source>
        <translation>等待者订阅频道 %1；释放时会向该频道发布新的空闲许可数，并唤醒相应数量的等待者。</translation>
    </message>
    <message>
        <source>Its waiters are subscribed to the channel %1; a release publishes %2 there, which wakes them.</source>
        <translation>等待者订阅频道 %1；释放时会向该频道发布 %2，从而唤醒它们。</translation>
    </message>
    <message>
        <source>1 client is subscribed now.</source>
        <translation>当前有 1 个客户端订阅。</translation>
    </message>
    <message>
        <source>%1 clients are subscribed now.</source>
        <translation>当前有 %1 个客户端订阅。</translation>
    </message>
    <message>
        <source>Its waiters listen to a message that a release cannot send.</source>
        <translation>等待者监听的消息无法由释放操作发送。</translation>
    </message>
    <message>
        <source>They sleep on, for at most %1.</source>
        <translation>它们会继续休眠，最长 %1。</translation>
    </message>
    <message>
        <source>They sleep on until their own wait ends.</source>
        <translation>它们会继续休眠，直到自己的等待结束。</translation>
    </message>
    <message>
        <source>How its waiters wake up is not known.</source>
        <translation>等待者如何被唤醒未知。</translation>
    </message>
    <message>
        <source>Its waiters block on the list %1, as by BLPOP; a release pushes %2 to it, which wakes one of them.</source>
        <translation>等待者以 BLPOP 等方式阻塞在列表 %1 上；释放时会向其推入 %2，从而唤醒其中一个。</translation>
    </message>
    <message>
        <source>Its waiters queue up in %1, each subscribed to a channel of its own, %2:WAITER. A release publishes %3 to that of the first one that has not given up.</source>
        <translation>等待者在 %1 中排队，各自订阅自己的频道 %2:WAITER。释放时会向第一个未放弃的等待者的频道发布 %3。</translation>
    </message>
    <message>
        <source>No message wakes its waiters, as far as known: clients of this format ask again and again, and the first one that finds the lock free takes it.</source>
        <translation>据目前所知，没有消息唤醒等待者：此格式的客户端反复查询，最先发现锁空闲的客户端获取它。</translation>
    </message>
    <message>
        <source>What its keys mean</source>
        <translation>各键的含义</translation>
    </message>
    <message>
        <source>While its holder lives</source>
        <translation>持有者存活期间</translation>
    </message>
    <message>
        <source>If its holder dies now</source>
        <translation>若持有者现在死亡</translation>
    </message>
    <message>
        <source>How its waiters wake up</source>
        <translation>等待者如何被唤醒</translation>
    </message>
    <message>
        <source>To look at it, at the prompt of redis-cli</source>
        <translation>在 redis-cli 提示符下查看</translation>
    </message>
    <message>
        <source>To release it by hand, at the prompt of redis-cli. Between single commands another client may take the lock; the last command leaves no gap</source>
        <translation>在 redis-cli 提示符下手动释放。逐条执行时，其他客户端可能在命令之间获取锁；最后一条命令不留间隙</translation>
    </message>
    <message>
        <source>the queue of the lock</source>
        <translation>锁的队列</translation>
    </message>
    <message>
        <source>the lock&apos;s own value</source>
        <translation>锁自身的值</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>The server that stores the lock</source>
        <translation>存储该锁的服务器</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>The lock&apos;s key, with its state</source>
        <translation>锁的键及其状态</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>How the lock is stored, or the library that stores it this way</source>
        <translation>锁的存储方式，或以此方式存储的客户端库</translation>
    </message>
    <message>
        <source>Confidence</source>
        <translation>可信度</translation>
    </message>
    <message>
        <source>How certain it is that this is a lock of this format</source>
        <translation>它是此格式的锁的确定程度</translation>
    </message>
    <message>
        <source>Mode</source>
        <translation>模式</translation>
    </message>
    <message>
        <source>Exclusive, read, write or semaphore</source>
        <translation>独占、读、写或信号量</translation>
    </message>
    <message>
        <source>Owner</source>
        <translation>所有者</translation>
    </message>
    <message>
        <source>The owner&apos;s token, and its client if known</source>
        <translation>所有者的令牌，以及已知时的客户端</translation>
    </message>
    <message>
        <source>Holds</source>
        <translation>持有次数</translation>
    </message>
    <message>
        <source>Number of holds, including reentrant ones</source>
        <translation>持有的次数，含重入</translation>
    </message>
    <message>
        <source>Expires in</source>
        <translation>剩余时间</translation>
    </message>
    <message>
        <source>Remaining lease; ticks mark renewals</source>
        <translation>剩余租约；刻度标记续期</translation>
    </message>
    <message>
        <source>Waiters</source>
        <translation>等待者</translation>
    </message>
    <message>
        <source>Clients waiting for the release; ? if the server cannot tell</source>
        <translation>等待释放的客户端；? 表示服务器无法得知</translation>
    </message>
    <message>
        <source>Held for</source>
        <translation>已持有</translation>
    </message>
    <message>
        <source>Time since this owner was first seen</source>
        <translation>自首次见到该所有者以来的时间</translation>
    </message>
    <message>
        <source>Renewals</source>
        <translation>续期</translation>
    </message>
    <message>
        <source>Renewals seen for this owner</source>
        <translation>已观察到的该所有者的续期次数</translation>
    </message>
    <message>
        <source>Warnings</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>Anything unusual about the lock</source>
        <translation>锁的任何异常</translation>
    </message>
    <message>
        <source>never</source>
        <translation>永不</translation>
    </message>
    <message>
        <source>every %1</source>
        <translation>每 %1</translation>
    </message>
    <message>
        <source>, the first immediately</source>
        <translation>，首次立即</translation>
    </message>
    <message>
        <source>, at most %1 times</source>
        <translation>，最多 %1 次</translation>
    </message>
    <message>
        <source>%1, doubling up to %2</source>
        <translation>从 %1 起逐次翻倍，最长 %2</translation>
    </message>
    <message>
        <source> and up to %1 at random</source>
        <translation> 再加最长 %1 的随机时间</translation>
    </message>
    <message>
        <source>, %1 tries</source>
        <translation>，尝试 %1 次</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1、%2</translation>
    </message>
    <message>
        <source>%1 and %2</source>
        <translation>%1 和 %2</translation>
    </message>
    <message>
        <source>%1 and %2 more</source>
        <translation>%1 及另外 %2 个</translation>
    </message>
    <message>
        <source>the member %1</source>
        <translation>成员 %1</translation>
    </message>
    <message>
        <source>the members %1</source>
        <translation>成员 %1</translation>
    </message>
    <message>
        <source>the field %1</source>
        <translation>字段 %1</translation>
    </message>
    <message>
        <source>the fields %1</source>
        <translation>字段 %1</translation>
    </message>
    <message>
        <source>the hash %1 has %2</source>
        <translation>哈希 %1 含有%2</translation>
    </message>
    <message>
        <source>the hash %1 has only %2</source>
        <translation>哈希 %1 仅含%2</translation>
    </message>
    <message>
        <source>the sorted set %1 has %2</source>
        <translation>有序集合 %1 含有%2</translation>
    </message>
    <message>
        <source>the sorted set %1 has only %2</source>
        <translation>有序集合 %1 仅含%2</translation>
    </message>
    <message>
        <source>the set %1 has %2</source>
        <translation>集合 %1 含有%2</translation>
    </message>
    <message>
        <source>the set %1 has only %2</source>
        <translation>集合 %1 仅含%2</translation>
    </message>
    <message>
        <source>the value of %1 is %2</source>
        <translation>%1 的值为 %2</translation>
    </message>
    <message>
        <source>Stop unless %1.</source>
        <translation>除非满足以下条件，否则停止：%1。</translation>
    </message>
    <message>
        <source>Stop unless %1 and its expiry has not changed.</source>
        <translation>除非满足以下条件，否则停止：%1，且其过期时间未变。</translation>
    </message>
    <message>
        <source>Stop unless %1 and it has no expiry.</source>
        <translation>除非满足以下条件，否则停止：%1，且没有过期时间。</translation>
    </message>
    <message>
        <source>Delete %1 of %2.</source>
        <translation>删除 %2 的%1。</translation>
    </message>
    <message>
        <source>Delete %1.</source>
        <translation>删除 %1。</translation>
    </message>
    <message>
        <source>Publish %1 to %2, the channel of its waiters.</source>
        <translation>将 %1 发布到等待者的频道 %2。</translation>
    </message>
    <message>
        <source>Publish %1 to %2, the channels of its waiters.</source>
        <translation>将 %1 发布到等待者的各频道 %2。</translation>
    </message>
    <message>
        <source>Publish %1 to %2:WAITER for the first waiter in the queue that has not given up; if there is none, to %2.</source>
        <translation>将 %1 发布到 %2:WAITER，对象为队列中第一个未放弃的等待者；若没有，则发布到 %2。</translation>
    </message>
    <message>
        <source>Remove the waiters before it, which have given up, from %1.</source>
        <translation>将排在它之前且已放弃的等待者从 %1 中移除。</translation>
    </message>
    <message>
        <source>Push %1 to the list %2, on which its waiters block.</source>
        <translation>将 %1 推入等待者阻塞所在的列表 %2。</translation>
    </message>
    <message>
        <source>If no other hold is left: publish %1 to %2, the channel of its waiters, and delete %3.</source>
        <translation>若没有其他持有：将 %1 发布到等待者的频道 %2，并删除 %3。</translation>
    </message>
    <message>
        <source>Otherwise: delete %1 of %2; if only readers are left, set the mode to read and the expiry to the longest of their time-outs.</source>
        <translation>否则：删除 %2 的%1；若只剩读者，将模式设为 read，并将过期时间设为其中最长的超时。</translation>
    </message>
    <message>
        <source>Delete the time-out keys %1.</source>
        <translation>删除超时键 %1。</translation>
    </message>
    <message>
        <source>Publish the new count of free permits to %1, the channel of its waiters.</source>
        <translation>将新的空闲许可数发布到等待者的频道 %1。</translation>
    </message>
    <message>
        <source>Add %1 to the count in %2. It is never deleted.</source>
        <translation>给 %2 中的计数加 %1。该键从不删除。</translation>
    </message>
    <message>
        <source>Set %1 to %2; its expiry stays.</source>
        <translation>将 %1 设为 %2；过期时间不变。</translation>
    </message>
    <message>
        <source>Set the field %1 of %2 to %3; nothing else in the key changes.</source>
        <translation>将 %2 的字段 %1 设为 %3；该键其他内容不变。</translation>
    </message>
    <message>
        <source>Subtract %1 from the count %2.</source>
        <translation>从计数 %2 中减去 %1。</translation>
    </message>
    <message>
        <source>If no holder is left in %1, delete %2.</source>
        <translation>若 %1 中没有剩余持有者，删除 %2。</translation>
    </message>
    <message>
        <source>If no holder is left in %1, remove %2 from %3.</source>
        <translation>若 %1 中没有剩余持有者，从 %3 中移除 %2。</translation>
    </message>
    <message>
        <source>Set the expiry of %1 to %2 from now, unless it expires earlier.</source>
        <translation>将 %1 的过期时间设为从现在起 %2，除非它更早过期。</translation>
    </message>
    <message>
        <source>Set %1 to the tombstone %2, which expires in %3.</source>
        <translation>将 %1 设为墓碑 %2，该墓碑在 %3 后过期。</translation>
    </message>
    <message>
        <source>Stop if anyone has written to the lock since it was read (WATCH).</source>
        <translation>若锁自读取后被任何客户端写过，则停止（WATCH）。</translation>
    </message>
    <message>
        <source>Stop if the server is a replica.</source>
        <translation>若该服务器是副本，则停止。</translation>
    </message>
    <message>
        <source>one crash locks it for ever</source>
        <translation>一次崩溃就永久锁死</translation>
    </message>
    <message>
        <source>removes locks of others</source>
        <translation>会删除他人的锁</translation>
    </message>
    <message>
        <source>nothing broke it</source>
        <translation>未被违反</translation>
    </message>
    <message>
        <source>nothing broke it so far</source>
        <translation>至今未被违反</translation>
    </message>
    <message>
        <source>has nothing that could go wrong this way</source>
        <translation>此处没有可能出错之处</translation>
    </message>
    <message>
        <source>breaks on a good day</source>
        <translation>无故障也会出错</translation>
    </message>
    <message>
        <source>nothing was tested</source>
        <translation>未做任何测试</translation>
    </message>
    <message>
        <source>safe while %1</source>
        <translation>安全前提：%1</translation>
    </message>
    <message>
        <source>%1, +%2</source>
        <translation>%1，+%2</translation>
    </message>
    <message>
        <source>What must not happen does not happen while %1.</source>
        <translation>在此前提下，不该发生的事不会发生：%1。</translation>
    </message>
    <message>
        <source>Breaks although nothing goes wrong: %1.</source>
        <translation>没有任何故障也会出错：%1。</translation>
    </message>
    <message>
        <source>Some cells were not searched completely; see the cells.</source>
        <translation>部分单元格未完整搜索：见各单元格。</translation>
    </message>
    <message>
        <source>What happens besides: %1.</source>
        <translation>此外还会发生：%1。</translation>
    </message>
    <message>
        <source>The file is damaged or ends too early.</source>
        <translation>文件已损坏或过早结束。</translation>
    </message>
    <message>
        <source>From 1 to %1 steps are expected.</source>
        <translation>步骤数应为 1 到 %1。</translation>
    </message>
    <message>
        <source>Not a step; steps are written &quot;serve A 0 c&quot;, &quot;advance&quot;, &quot;late 0&quot; or &quot;pause A 0 c 0&quot;.</source>
        <translation>不是步骤；步骤写作 &quot;serve A 0 c&quot;、&quot;advance&quot;、&quot;late 0&quot; 或 &quot;pause A 0 c 0&quot;。</translation>
    </message>
    <message>
        <source>Not a counterexample: &quot;%1&quot; is expected.</source>
        <translation>不是反例：应为 &quot;%1&quot;。</translation>
    </message>
    <message>
        <source>Only files of version %1 can be read.</source>
        <translation>只能读取版本为 %1 的文件。</translation>
    </message>
    <message>
        <source>Unknown violation.</source>
        <translation>未知的违反类型。</translation>
    </message>
    <message>
        <source>Sixteen hexadecimal digits are expected.</source>
        <translation>此处应为 16 位十六进制数字。</translation>
    </message>
    <message>
        <source>A column of numbers is expected.</source>
        <translation>此处应为一列数字。</translation>
    </message>
    <message>
        <source>A whole number from %1 to %2 is expected.</source>
        <translation>此处应为 %1 到 %2 的整数。</translation>
    </message>
    <message>
        <source>A number is missing or out of range.</source>
        <translation>数字缺失或超出范围。</translation>
    </message>
    <message>
        <source>There are more numbers than &quot;count&quot; says.</source>
        <translation>数字个数多于 &quot;count&quot; 所述。</translation>
    </message>
    <message>
        <source>a private server</source>
        <translation>一台私有服务器</translation>
    </message>
    <message>
        <source>%1 private servers</source>
        <translation>%1 台私有服务器</translation>
    </message>
    <message>
        <source>1 lock</source>
        <translation>1 个锁</translation>
    </message>
    <message>
        <source>%1 locks</source>
        <translation>%1 个锁</translation>
    </message>
    <message>
        <source>Permits</source>
        <translation>许可数</translation>
    </message>
    <message>
        <source>Maximum number of concurrent holders.</source>
        <translation>同时持有者的最大数量。</translation>
    </message>
    <message>
        <source>%1 has one holder at a time.</source>
        <translation>%1 同一时间只有一个持有者。</translation>
    </message>
    <message>
        <source>Servers</source>
        <translation>服务器数</translation>
    </message>
    <message>
        <source>Number of independent masters. A majority must agree.</source>
        <translation>独立主节点的数量。须有多数同意。</translation>
    </message>
    <message>
        <source>%1 uses a single server.</source>
        <translation>%1 只使用一台服务器。</translation>
    </message>
    <message>
        <source>Renew every</source>
        <translation>续期间隔</translation>
    </message>
    <message>
        <source>A duration such as 3s, or off.</source>
        <translation>时长（如 3s），或 off。</translation>
    </message>
    <message>
        <source>%1 cannot renew a lock.</source>
        <translation>%1 不能续期锁。</translation>
    </message>
    <message>
        <source>Retry interval</source>
        <translation>重试间隔</translation>
    </message>
    <message>
        <source>Protocols with wake-ups use it only when they cannot wait for one.</source>
        <translation>有唤醒机制的协议仅在无法等待唤醒时使用。</translation>
    </message>
    <message>
        <source>Maximum attempts</source>
        <translation>最大尝试次数</translation>
    </message>
    <message>
        <source>Per acquisition.</source>
        <translation>每次获取。</translation>
    </message>
    <message>
        <source>Maximum wait</source>
        <translation>最长等待</translation>
    </message>
    <message>
        <source>Per acquisition. A duration such as 30s, or off: limited by the attempts only.</source>
        <translation>每次获取。时长（如 30s），或 off：仅受尝试次数限制。</translation>
    </message>
    <message>
        <source>Faults per run</source>
        <translation>每次运行的故障数</translation>
    </message>
    <message>
        <source>Maximum number of faults of all kinds in one run. Each additional fault makes the search much larger.</source>
        <translation>一次运行中各类故障的最大总数。每增加一个故障，搜索规模都会大幅增加。</translation>
    </message>
    <message>
        <source>Virtual time</source>
        <translation>虚拟时间</translation>
    </message>
    <message>
        <source>Duration of one run in virtual time.</source>
        <translation>一次运行的虚拟时长。</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>Seed of all random choices. The same seed gives the same runs.</source>
        <translation>所有随机选择的种子。相同的种子产生相同的运行。</translation>
    </message>
    <message>
        <source>%1 was saved by revision %2 of the engine, and this is revision %3: its steps may have a different meaning. Search again with explore</source>
        <translation>%1 由引擎修订版 %2 保存，当前为修订版 %3：其步骤的含义可能已不同。请用 explore 重新搜索</translation>
    </message>
    <message>
        <source>%1, step %2 of %3, &quot;%4&quot;: it is not possible there</source>
        <translation>%1，第 %2 步（共 %3 步），“%4”：此处不可能执行</translation>
    </message>
    <message>
        <source>A time is out of range.</source>
        <translation>时间超出范围。</translation>
    </message>
    <message>
        <source>The times are not in ascending order.</source>
        <translation>时间未按升序排列。</translation>
    </message>
    <message>
        <source>The columns contain fewer numbers.</source>
        <translation>各列所含数字较少。</translation>
    </message>
    <message>
        <source>Exactly &quot;count&quot; texts are expected.</source>
        <translation>文本个数必须恰好等于 &quot;count&quot;。</translation>
    </message>
    <message>
        <source>A reply precedes the execution of its command.</source>
        <translation>回复先于其命令的执行。</translation>
    </message>
    <message>
        <source>A number is expected for each event.</source>
        <translation>每个事件应对应一个数字。</translation>
    </message>
    <message>
        <source>The steps are not in ascending order.</source>
        <translation>步骤未按升序排列。</translation>
    </message>
    <message>
        <source>The status must be &quot;held&quot;, &quot;broken&quot;, &quot;not-exercised&quot; or &quot;not-applicable&quot;.</source>
        <translation>状态必须是 &quot;held&quot;、&quot;broken&quot;、&quot;not-exercised&quot; 或 &quot;not-applicable&quot;。</translation>
    </message>
    <message>
        <source>Unknown fault.</source>
        <translation>未知的故障。</translation>
    </message>
    <message>
        <source>The story has no such line.</source>
        <translation>过程中没有这一行。</translation>
    </message>
    <message>
        <source>A list is expected.</source>
        <translation>此处应为列表。</translation>
    </message>
    <message>
        <source>Not a run: &quot;%1&quot; is expected.</source>
        <translation>不是运行记录：应为 &quot;%1&quot;。</translation>
    </message>
    <message>
        <source>Only files of versions %1 and %2 can be read.</source>
        <translation>只能读取版本为 %1 和 %2 的文件。</translation>
    </message>
    <message>
        <source>There are events after the end of the run.</source>
        <translation>运行结束后仍有事件。</translation>
    </message>
    <message>
        <source>%1, plan &quot;%2&quot;</source>
        <translation>%1，方案“%2”</translation>
    </message>
    <message>
        <source>%1 contenders won, but only one may</source>
        <translation>%1 个竞争者胜出，但只允许一个</translation>
    </message>
    <message>
        <source>1 holder entered while another holder was inside</source>
        <translation>1 个持有者在另一持有者未离开时进入</translation>
    </message>
    <message>
        <source>%1 holders entered while another holder was inside</source>
        <translation>%1 个持有者在另一持有者未离开时进入</translation>
    </message>
    <message>
        <source>1 release removed the lock of the next holder</source>
        <translation>1 次释放删除了下一持有者的锁</translation>
    </message>
    <message>
        <source>%1 releases removed the lock of the next holder</source>
        <translation>%1 次释放删除了下一持有者的锁</translation>
    </message>
    <message>
        <source>1 key without an expiry left behind, first %1: nothing will ever remove it</source>
        <translation>遗留 1 个没有过期时间的键，首个为 %1：永远不会被删除</translation>
    </message>
    <message>
        <source>%1 keys without an expiry left behind, first %2: nothing will ever remove them</source>
        <translation>遗留 %1 个没有过期时间的键，首个为 %2：永远不会被删除</translation>
    </message>
    <message>
        <source>%1 enters</source>
        <translation>%1 进入</translation>
    </message>
    <message>
        <source>%1 enters although 1 other is inside</source>
        <translation>%1 进入，尽管里面已有另外 1 个</translation>
    </message>
    <message>
        <source>%1 enters although %2 others are inside</source>
        <translation>%1 进入，尽管里面已有另外 %2 个</translation>
    </message>
    <message>
        <source>contender %1</source>
        <translation>竞争者 %1</translation>
    </message>
    <message>
        <source>%1 is granted the lock as a reader</source>
        <translation>%1 作为读者被授予锁</translation>
    </message>
    <message>
        <source>%1 is granted the lock</source>
        <translation>%1 被授予锁</translation>
    </message>
    <message>
        <source>%1 learns that its lock is lost (%2)</source>
        <translation>%1 得知自己的锁已丢失（%2）</translation>
    </message>
    <message>
        <source>%1 sends its release</source>
        <translation>%1 发出释放请求</translation>
    </message>
    <message>
        <source>%1 is told that the release succeeded</source>
        <translation>%1 被告知释放成功</translation>
    </message>
    <message>
        <source>%1 finds no lock to release</source>
        <translation>%1 发现没有锁可释放</translation>
    </message>
    <message>
        <source>%1 finds another owner&apos;s lock and leaves it</source>
        <translation>%1 发现锁属于其他所有者，未予处理</translation>
    </message>
    <message>
        <source>%1 does not know whether the release succeeded</source>
        <translation>%1 不知道释放是否成功</translation>
    </message>
    <message>
        <source>%1 crashes without releasing</source>
        <translation>%1 未释放就崩溃</translation>
    </message>
    <message>
        <source>%1 pauses for %2</source>
        <translation>%1 暂停 %2</translation>
    </message>
    <message>
        <source>%1 resumes</source>
        <translation>%1 恢复</translation>
    </message>
    <message>
        <source>%1 leaves</source>
        <translation>%1 离开</translation>
    </message>
    <message>
        <source>without any fault</source>
        <translation>没有任何故障</translation>
    </message>
    <message>
        <source>after: %1</source>
        <translation>故障之后：%1</translation>
    </message>
    <message>
        <source>No acquisition was ever granted: nothing was tested.</source>
        <translation>从未有任何获取被授予：未做任何测试。</translation>
    </message>
    <message>
        <source>Every try was refused.</source>
        <translation>每次尝试都被拒绝。</translation>
    </message>
    <message>
        <source>The server answers with an error: %1</source>
        <translation>服务器返回错误：%1</translation>
    </message>
    <message>
        <source>The protocol does not know what the server answers.</source>
        <translation>协议不认识服务器的回复。</translation>
    </message>
    <message>
        <source>There is no built-in protocol with this id.</source>
        <translation>没有使用此 id 的内置协议。</translation>
    </message>
    <message>
        <source>The id of a protocol, or an object that describes a custom one, is expected.</source>
        <translation>此处应为协议的 id，或描述自定义协议的对象。</translation>
    </message>
    <message>
        <source>In this protocol: %1</source>
        <translation>此协议中：%1</translation>
    </message>
    <message>
        <source>A list of at most %1 is expected.</source>
        <translation>此处应为最多含 %1 项的列表。</translation>
    </message>
    <message>
        <source>Expected one of: %1.</source>
        <translation>应为以下之一：%1。</translation>
    </message>
    <message>
        <source>There is no client with this letter before this one.</source>
        <translation>在此客户端之前没有使用该字母的客户端。</translation>
    </message>
    <message>
        <source>This must be at least %1.</source>
        <translation>此值必须至少为 %1。</translation>
    </message>
    <message>
        <source>This must be at most %1.</source>
        <translation>此值最多为 %1。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; does not apply to this act.</source>
        <translation>&quot;%1&quot; 不适用于此动作。</translation>
    </message>
    <message>
        <source>This client has nothing left to release.</source>
        <translation>此客户端已没有可释放的锁。</translation>
    </message>
    <message>
        <source>This is not a fault: describe it by what the clients do.</source>
        <translation>这不是故障：由客户端的动作描述。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; must be a whole number.</source>
        <translation>&quot;%1&quot; 必须是整数。</translation>
    </message>
    <message>
        <source>a plan without a name</source>
        <translation>未命名的方案</translation>
    </message>
    <message>
        <source>At least one client is required.</source>
        <translation>至少需要一个客户端。</translation>
    </message>
    <message>
        <source>%1 does not distinguish readers and writers.</source>
        <translation>%1 不区分读者和写者。</translation>
    </message>
    <message>
        <source>%1 requires every lock to be either for reading or for writing.</source>
        <translation>%1 要求每个锁要么用于读，要么用于写。</translation>
    </message>
    <message>
        <source>for %1</source>
        <translation>共 %1</translation>
    </message>
    <message>
        <source>for at least %1</source>
        <translation>至少 %1</translation>
    </message>
    <message>
        <source>since it was taken %1 ago</source>
        <translation>自 %1 前被获取以来</translation>
    </message>
    <message>
        <source>since we first saw it %1 ago</source>
        <translation>自 %1 前首次见到以来</translation>
    </message>
    <message>
        <source>Possibly stuck: it never expires</source>
        <translation>可能卡死：永不过期</translation>
    </message>
    <message>
        <source>Stuck: it never expires</source>
        <translation>卡死：永不过期</translation>
    </message>
    <message>
        <source>Expired by its own timestamp, but still present</source>
        <translation>按自身时间戳已过期，但仍然存在</translation>
    </message>
    <message>
        <source>Suspicious: acquired again and again, never released</source>
        <translation>可疑：反复获取，从不释放</translation>
    </message>
    <message>
        <source>Suspicious: renewed far longer than its lease</source>
        <translation>可疑：续期时间远超其租约</translation>
    </message>
    <message>
        <source>Leftover: on too few servers to be held</source>
        <translation>残留：所在服务器过少，不构成持有</translation>
    </message>
    <message>
        <source>Split: the servers name different owners</source>
        <translation>不一致：各服务器给出的所有者不同</translation>
    </message>
    <message>
        <source>Broken: readers and a writer at the same time</source>
        <translation>已破坏：读者与写者同时存在</translation>
    </message>
    <message>
        <source>Stuck: one of its keys can never expire</source>
        <translation>卡死：其中一个键永远不会过期</translation>
    </message>
    <message>
        <source>Abandoned: its holder is no longer connected</source>
        <translation>被遗弃：持有者已断开连接</translation>
    </message>
    <message>
        <source>It was last renewed %1 ago.</source>
        <translation>最近一次续期在 %1 前。</translation>
    </message>
    <message>
        <source>Its age is unknown.</source>
        <translation>其存在时长未知。</translation>
    </message>
    <message>
        <source>It has not been touched %1.</source>
        <translation>%1未被改动。</translation>
    </message>
    <message>
        <source>Nothing will ever remove it: it has no expiry.</source>
        <translation>永远不会被删除：没有过期时间。</translation>
    </message>
    <message>
        <source>The expiry written in its value has passed, so the next client may take it over.</source>
        <translation>其值中写明的过期时间已过，因此下一个客户端可以接管。</translation>
    </message>
    <message>
        <source>The key itself never expires.</source>
        <translation>键本身从不过期。</translation>
    </message>
    <message>
        <source>It has been kept alive %1 by renewing a lease of %2</source>
        <translation>存活时间：%1，靠续期 %2 的租约维持</translation>
    </message>
    <message>
        <source>It has been kept alive %1</source>
        <translation>靠续期维持存活，时间：%1</translation>
    </message>
    <message>
        <source>(1 renewal seen, the last %1 ago).</source>
        <translation>（已观察到 1 次续期，最近一次在 %1 前）。</translation>
    </message>
    <message>
        <source>(%1 renewals seen, the last %2 ago).</source>
        <translation>（已观察到 %1 次续期，最近一次在 %2 前）。</translation>
    </message>
    <message>
        <source>Only %1 of %2 servers have this token, fewer than a majority: the lock is not held, but it blocks others.</source>
        <translation>%2 台服务器中仅 %1 台有此令牌，未达多数：锁未被持有，但会阻塞其他客户端。</translation>
    </message>
    <message>
        <source>The client that its token names is no longer in the server&apos;s client list.</source>
        <translation>其令牌所指的客户端已不在服务器的客户端列表中。</translation>
    </message>
    <message>
        <source>It expires in %1.</source>
        <translation>它将在 %1 后过期。</translation>
    </message>
    <message>
        <source>%1, renewed every %2</source>
        <translation>%1，每 %2 续期一次</translation>
    </message>
    <message>
        <source>%1, but silent: expires in %2</source>
        <translation>%1，但无动静：%2 后过期</translation>
    </message>
    <message>
        <source>A timer of its holder renews it every %1: its holder is alive.</source>
        <translation>持有者的定时器每 %1 续期一次：持有者存活。</translation>
    </message>
    <message>
        <source>It was renewed every %1, and the last renewal is missing.</source>
        <translation>此前每 %1 续期一次，最近一次续期缺失。</translation>
    </message>
    <message>
        <source>It was renewed every %1, and the last %2 renewals are missing.</source>
        <translation>此前每 %1 续期一次，最近 %2 次续期缺失。</translation>
    </message>
    <message>
        <source>Not confirmed since the connection was lost</source>
        <translation>连接断开后尚未确认</translation>
    </message>
    <message>
        <source>Unknown whether it is held</source>
        <translation>是否被持有未知</translation>
    </message>
    <message>
        <source>%1, renewed %2 ago</source>
        <translation>%1，%2 前续期</translation>
    </message>
    <message>
        <source>%1, never expires</source>
        <translation>%1，永不过期</translation>
    </message>
    <message>
        <source>%1, expires in %2 unless renewed</source>
        <translation>%1，%2 后过期，除非续期</translation>
    </message>
    <message>
        <source>%1, expiring now</source>
        <translation>%1，即将过期</translation>
    </message>
    <message>
        <source>1 client waits for its release.</source>
        <translation>1 个客户端在等待其释放。</translation>
    </message>
    <message>
        <source>%1 clients wait for its release.</source>
        <translation>%1 个客户端在等待其释放。</translation>
    </message>
    <message>
        <source>It is on %1 of %2 servers</source>
        <translation>%2 台服务器中有 %1 台存有它</translation>
    </message>
    <message>
        <source>; the state of 1 other is unknown</source>
        <translation>；另有 1 台状态未知</translation>
    </message>
    <message>
        <source>; the state of %1 others is unknown</source>
        <translation>；另有 %1 台状态未知</translation>
    </message>
    <message>
        <source>, which is decisive.</source>
        <translation>，而这决定结果。</translation>
    </message>
    <message>
        <source>If its holder dies, nothing will remove it.</source>
        <translation>若持有者死亡，它永远不会被删除。</translation>
    </message>
    <message>
        <source>This is the state before the connection was lost. It will be read again when the server replies.</source>
        <translation>这是连接断开前的状态。服务器恢复响应后会重新读取。</translation>
    </message>
    <message>
        <source>It is unknown whether a majority of the servers has it.</source>
        <translation>是否有多数服务器存有它未知。</translation>
    </message>
    <message>
        <source>Taken less than 5 minutes ago, as its value says.</source>
        <translation>从其值看，获取至今不到 5 分钟。</translation>
    </message>
    <message>
        <source>Its age is unknown: this is the first look.</source>
        <translation>其存在时长未知：这是首次查看。</translation>
    </message>
    <message>
        <source>Held %1.</source>
        <translation>持有时间：%1。</translation>
    </message>
    <message>
        <source>Renewed 1 time %1: its holder is alive.</source>
        <translation>%1续期 1 次：持有者存活。</translation>
    </message>
    <message>
        <source>Renewed %1 times %2: its holder is alive.</source>
        <translation>%2续期 %1 次：持有者存活。</translation>
    </message>
    <message>
        <source>No renewal seen.</source>
        <translation>未观察到续期。</translation>
    </message>
    <message>
        <source>The connection was lost since then; this is not confirmed yet.</source>
        <translation>此后连接已断开；尚未确认。</translation>
    </message>
    <message>
        <source>no expiry</source>
        <translation>没有过期时间</translation>
    </message>
    <message>
        <source>hold count only grows</source>
        <translation>持有次数只增不减</translation>
    </message>
    <message>
        <source>renewed forever</source>
        <translation>无限续期</translation>
    </message>
    <message>
        <source>minority leftover</source>
        <translation>少数残留</translation>
    </message>
    <message>
        <source>split owners</source>
        <translation>所有者不一致</translation>
    </message>
    <message>
        <source>readers and a writer</source>
        <translation>读者与写者并存</translation>
    </message>
    <message>
        <source>a key without expiry</source>
        <translation>有键没有过期时间</translation>
    </message>
    <message>
        <source>holder is gone</source>
        <translation>持有者已消失</translation>
    </message>
    <message>
        <source>probably data</source>
        <translation>可能是数据</translation>
    </message>
    <message>
        <source>Its hold count has only grown, to %1, %2: it is acquired repeatedly and never released.</source>
        <translation>%2，其持有次数只增不减，已达 %1：被反复获取而从不释放。</translation>
    </message>
    <message>
        <source>The servers of the set disagree about the owner of this lock; possibly no owner has a majority.</source>
        <translation>组内各服务器对该锁的所有者说法不一；可能没有所有者占多数。</translation>
    </message>
    <message>
        <source>Readers and a writer hold it at the same time, which violates its rules.</source>
        <translation>读者和写者同时持有它，违反其规则。</translation>
    </message>
    <message>
        <source>At least one of its keys has no expiry and will remain when the others expire.</source>
        <translation>至少有一个键没有过期时间，其他键过期后它仍会残留。</translation>
    </message>
    <message>
        <source>Its name contains a word for a lock, but its value and its expiry are those of plain data.</source>
        <translation>其名称含有表示锁的词，但其值和过期时间是普通数据的特征。</translation>
    </message>
    <message>
        <source>1 key is probably data, not a lock</source>
        <translation>1 个键可能是数据，不是锁</translation>
    </message>
    <message>
        <source>%1 keys are probably data, not locks</source>
        <translation>%1 个键可能是数据，不是锁</translation>
    </message>
    <message>
        <source>1 key looked like a lock but was not recognised</source>
        <translation>1 个键看似锁但未被识别</translation>
    </message>
    <message>
        <source>%1 keys looked like locks but were not recognised</source>
        <translation>%1 个键看似锁但未被识别</translation>
    </message>
    <message>
        <source>May be wrong if it is removed manually on purpose.</source>
        <translation>若它是有意留待手动删除的，此判断可能有误。</translation>
    </message>
    <message>
        <source>May be wrong if the writer&apos;s clock is behind the server&apos;s.</source>
        <translation>若写入者的时钟慢于服务器的时钟，此判断可能有误。</translation>
    </message>
    <message>
        <source>May be wrong if the holds are really nested that deep, or if releases happened between two looks.</source>
        <translation>若确实嵌套了这么多层，或在两次查看之间发生过释放，此判断可能有误。</translation>
    </message>
    <message>
        <source>May be wrong if the job is meant to run this long.</source>
        <translation>若该任务本就要运行这么久，此判断可能有误。</translation>
    </message>
    <message>
        <source>May be wrong while an attempt to acquire it is in progress, or while a server cannot be read.</source>
        <translation>若正在尝试获取它，或有服务器无法读取，此判断可能有误。</translation>
    </message>
    <message>
        <source>May be wrong for a moment while several clients try to acquire it.</source>
        <translation>若多个客户端正在尝试获取它，此判断可能暂时有误。</translation>
    </message>
    <message>
        <source>May be wrong if another program uses a key with the same name.</source>
        <translation>若有其他程序使用同名的键，此判断可能有误。</translation>
    </message>
    <message>
        <source>May be wrong if that key is removed manually on purpose.</source>
        <translation>若该键是有意留待手动删除的，此判断可能有误。</translation>
    </message>
    <message>
        <source>May be wrong if the client reconnected from another port, or through a proxy.</source>
        <translation>若客户端从其他端口或经代理重新连接，此判断可能有误。</translation>
    </message>
    <message>
        <source>May be wrong if a program writes its locks like this: check who writes the key.</source>
        <translation>若有程序就是这样写锁的，此判断可能有误：请检查是谁写入该键。</translation>
    </message>
    <message>
        <source>Suspicious</source>
        <translation>可疑</translation>
    </message>
    <message>
        <source>Not confirmed</source>
        <translation>未确认</translation>
    </message>
    <message>
        <source>Held, others wait</source>
        <translation>持有中，有等待者</translation>
    </message>
    <message>
        <source>Read by several</source>
        <translation>多个读者持有</translation>
    </message>
    <message>
        <source>an owner that its format does not record</source>
        <translation>其格式未记录的所有者</translation>
    </message>
    <message>
        <source>It is unknown whether the expiry was set: the command was sent, but no reply came. Check the lock before you try again.</source>
        <translation>过期时间是否已设置未知：命令已发送，但没有收到回复。重试前请检查该锁。</translation>
    </message>
    <message>
        <source>It is unknown whether the lock was released: the command was sent, but no reply came. Check the lock before you try again.</source>
        <translation>锁是否已释放未知：命令已发送，但没有收到回复。重试前请检查该锁。</translation>
    </message>
    <message>
        <source>The lock now has an expiry.</source>
        <translation>锁现在有过期时间。</translation>
    </message>
    <message>
        <source>Replaced by a tombstone. The lock stays taken until the tombstone expires.</source>
        <translation>已替换为墓碑。墓碑过期前，锁一直被占用。</translation>
    </message>
    <message>
        <source>Released.</source>
        <translation>已释放。</translation>
    </message>
    <message>
        <source>Released; 1 waiter was woken.</source>
        <translation>已释放；唤醒了 1 个等待者。</translation>
    </message>
    <message>
        <source>Released; %1 waiters were woken.</source>
        <translation>已释放；唤醒了 %1 个等待者。</translation>
    </message>
    <message>
        <source>Released, but not on every server: the lock may still be held.</source>
        <translation>已释放，但并非在所有服务器上：锁可能仍被持有。</translation>
    </message>
    <message>
        <source>Refused; nothing was done.</source>
        <translation>被拒绝；未做任何操作。</translation>
    </message>
    <message>
        <source>The lock was written to since you last looked. This may have been a renewal or another hold, so nothing was done. Check the lock again.</source>
        <translation>锁在上次查看之后被写过。可能是续期，也可能是另一次持有，因此未做任何操作。请重新检查该锁。</translation>
    </message>
    <message>
        <source>The lock changed hands; nothing was done. It is now held by %1.</source>
        <translation>锁已易主；未做任何操作。现由 %1 持有。</translation>
    </message>
    <message>
        <source>The lock changed hands; nothing was done.</source>
        <translation>锁已易主；未做任何操作。</translation>
    </message>
    <message>
        <source>That owner does not hold the lock; nothing was done. It is held by %1.</source>
        <translation>该所有者并未持有锁；未做任何操作。锁由 %1 持有。</translation>
    </message>
    <message>
        <source>The lock was already gone; nothing was done.</source>
        <translation>锁已不存在；未做任何操作。</translation>
    </message>
    <message>
        <source>Releases only one of %1 holds; this format does not distinguish them.</source>
        <translation>只释放 %1 次持有中的一次；此格式不区分各次持有。</translation>
    </message>
    <message>
        <source>Releases only the hold of %1; 1 other holder remains.</source>
        <translation>只释放 %1 的持有；还剩 1 个其他持有者。</translation>
    </message>
    <message>
        <source>Releases only the hold of %1; %2 other holders remain.</source>
        <translation>只释放 %1 的持有；还剩 %2 个其他持有者。</translation>
    </message>
    <message>
        <source>All %1 holds end; this format does not distinguish them.</source>
        <translation>全部 %1 次持有都会结束；此格式不区分各次持有。</translation>
    </message>
    <message>
        <source>All readers lose their holds; this format does not distinguish them.</source>
        <translation>所有读者都会失去持有；此格式不区分各读者。</translation>
    </message>
    <message>
        <source>All %1 holds: %2.</source>
        <translation>全部 %1 次持有：%2。</translation>
    </message>
    <message>
        <source>Still free on this server after %1.</source>
        <translation>%1 后在此服务器上仍然空闲。</translation>
    </message>
    <message>
        <source>Still free after %1: not acquired by any client.</source>
        <translation>%1 后仍然空闲：没有客户端获取。</translation>
    </message>
    <message>
        <source>Acquired after %1 by %2.</source>
        <translation>%1 后被 %2 获取。</translation>
    </message>
    <message>
        <source>Acquired again by the same owner after %1: the release did not help; stop the holder itself.</source>
        <translation>%1 后又被同一所有者获取：释放无效；请停止持有者本身。</translation>
    </message>
    <message>
        <source>It came back after %1: the same token is there again. Its holder is still running and created it again; stop the holder itself.</source>
        <translation>它在 %1 后再次出现：仍是同一令牌。持有者仍在运行并重新创建了它；请停止持有者本身。</translation>
    </message>
    <message>
        <source>It is unknown what happened next.</source>
        <translation>之后的情况未知。</translation>
    </message>
    <message>
        <source>A waiter that no wake-up reaches sleeps for the time left that it saw last, at most %1.</source>
        <translation>未被唤醒的等待者会按最近一次看到的剩余时间休眠，最长 %1。</translation>
    </message>
    <message>
        <source>A waiter that no wake-up reaches sleeps for ever: it saw a lock without expiry.</source>
        <translation>未被唤醒的等待者会永远休眠：它看到的锁没有过期时间。</translation>
    </message>
    <message>
        <source>A waiter that no wake-up reaches sleeps for as long as the lease that it wants for itself, and for ever if that has no end.</source>
        <translation>未被唤醒的等待者的休眠时间等于它为自己请求的租约；若该租约无期限，则永远休眠。</translation>
    </message>
    <message>
        <source>A waiter that no wake-up reaches sleeps until its own wait is over, which may be never.</source>
        <translation>未被唤醒的等待者会休眠到自己的等待结束，也可能永不结束。</translation>
    </message>
    <message>
        <source>When the tombstone expires, nothing tells the waiters.</source>
        <translation>墓碑过期时，不会通知等待者。</translation>
    </message>
    <message>
        <source>When the lock expires, nothing tells the waiters.</source>
        <translation>锁过期时，不会通知等待者。</translation>
    </message>
    <message>
        <source>A release without the message would leave the waiters asleep.</source>
        <translation>不发送消息的释放会让等待者继续休眠。</translation>
    </message>
    <message>
        <source>The lock stays taken for another %1, for everyone; a holder that goes on trying may take it again after that.</source>
        <translation>锁对所有客户端仍会再占用 %1；此后，仍在尝试的持有者可能再次获取它。</translation>
    </message>
    <message>
        <source>This is about one server only: the lock may be held by votes on several servers, and no others were asked.</source>
        <translation>此结果只针对一台服务器：锁可能由多台服务器上的投票持有，而其他服务器未被询问。</translation>
    </message>
    <message>
        <source>Released here; %1 of %2 servers still hold it.</source>
        <translation>已在此释放；%2 台服务器中仍有 %1 台持有它。</translation>
    </message>
    <message>
        <source>%1 of %2 servers could not be asked and may still hold it.</source>
        <translation>%2 台服务器中有 %1 台无法询问，可能仍持有它。</translation>
    </message>
    <message>
        <source>Once one of its locks is gone, this owner&apos;s next renewal and release fail for all of them.</source>
        <translation>只要其中一个锁消失，该所有者对全部这些锁的下一次续期和释放都会失败。</translation>
    </message>
    <message>
        <source>1 other</source>
        <translation>另外 1 个</translation>
    </message>
    <message>
        <source>%1 others</source>
        <translation>另外 %1 个</translation>
    </message>
    <message>
        <source>The same thread also holds %1.</source>
        <translation>同一线程还持有 %1。</translation>
    </message>
    <message>
        <source>The same owner also holds %1.</source>
        <translation>同一所有者还持有 %1。</translation>
    </message>
    <message>
        <source>Taken together: probably one multi-lock.</source>
        <translation>一起获取：可能是一个联锁（multi-lock）。</translation>
    </message>
    <message>
        <source>Released here; the same thread still holds %1.</source>
        <translation>已在此释放；同一线程仍持有 %1。</translation>
    </message>
    <message>
        <source>Released here; the same owner still holds %1.</source>
        <translation>已在此释放；同一所有者仍持有 %1。</translation>
    </message>
    <message>
        <source>three for two permits</source>
        <translation>三个争两个许可</translation>
    </message>
    <message>
        <source>a third behind the lease</source>
        <translation>第三个在租约之后</translation>
    </message>
    <message>
        <source>two more behind the lease</source>
        <translation>另两个在租约之后</translation>
    </message>
    <message>
        <source>two at once</source>
        <translation>两个同时</translation>
    </message>
    <message>
        <source>one behind the other&apos;s lease</source>
        <translation>一个在另一个的租约之后</translation>
    </message>
    <message>
        <source>three in turn</source>
        <translation>三个依次</translation>
    </message>
    <message>
        <source>two behind a third&apos;s lease</source>
        <translation>两个在第三个的租约之后</translation>
    </message>
    <message>
        <source>again and again</source>
        <translation>反复获取</translation>
    </message>
    <message>
        <source>work beyond the lease</source>
        <translation>工作超出租约</translation>
    </message>
    <message>
        <source>two rounds</source>
        <translation>两轮</translation>
    </message>
    <message>
        <source>nested</source>
        <translation>嵌套</translation>
    </message>
    <message>
        <source>two locks</source>
        <translation>两个锁</translation>
    </message>
    <message>
        <source>two tasks with one identity</source>
        <translation>两个任务同一身份</translation>
    </message>
    <message>
        <source>nested with a shorter lease</source>
        <translation>嵌套且内层租约更短</translation>
    </message>
    <message>
        <source>a server out of reach</source>
        <translation>一台服务器不可达</translation>
    </message>
    <message>
        <source>a server out of reach, one behind the other</source>
        <translation>一台服务器不可达，一先一后</translation>
    </message>
    <message>
        <source>a server out of reach, three in turn</source>
        <translation>一台服务器不可达，三个依次</translation>
    </message>
    <message>
        <source>two writers</source>
        <translation>两个写者</translation>
    </message>
    <message>
        <source>a writer behind the other&apos;s lease</source>
        <translation>一个写者在另一个的租约之后</translation>
    </message>
    <message>
        <source>a reader and a writer</source>
        <translation>一个读者和一个写者</translation>
    </message>
    <message>
        <source>a writer behind a reader&apos;s lease</source>
        <translation>一个写者在读者的租约之后</translation>
    </message>
    <message>
        <source>two readers and a writer</source>
        <translation>两个读者和一个写者</translation>
    </message>
    <message>
        <source>readers with different leases</source>
        <translation>租约不同的读者</translation>
    </message>
    <message>
        <source>a reader behind the other&apos;s lease, and a writer</source>
        <translation>一个读者在另一个的租约之后，加一个写者</translation>
    </message>
    <message>
        <source>three writers in turn</source>
        <translation>三个写者依次</translation>
    </message>
    <message>
        <source>readers within a second</source>
        <translation>一秒之内的读者</translation>
    </message>
    <message>
        <source>readers a second apart</source>
        <translation>相隔一秒的读者</translation>
    </message>
    <message>
        <source>writers within a second</source>
        <translation>一秒之内的写者</translation>
    </message>
    <message>
        <source>a relay of readers</source>
        <translation>读者接力</translation>
    </message>
    <message>
        <source>nested writes</source>
        <translation>嵌套写</translation>
    </message>
    <message>
        <source>two rounds, two late messages</source>
        <translation>两轮，两条迟到消息</translation>
    </message>
    <message>
        <source>No server answered a request.</source>
        <translation>没有服务器回复请求。</translation>
    </message>
    <message>
        <source>A client sends %1, and the server answers with an error: %2</source>
        <translation>客户端发送 %1，服务器返回错误：%2</translation>
    </message>
    <message>
        <source>A client sends %1, and the server answers %2, which the protocol knows neither as granted nor as refused.</source>
        <translation>客户端发送 %1，服务器回复 %2，而协议既不视其为授予，也不视其为拒绝。</translation>
    </message>
    <message>
        <source>A client sends %1, and the server answers %2, which the protocol knows as refused.</source>
        <translation>客户端发送 %1，服务器回复 %2，协议视其为拒绝。</translation>
    </message>
    <message>
        <source>Line %1 of the script: %2</source>
        <translation>脚本第 %1 行：%2</translation>
    </message>
    <message>
        <source>two holders at once</source>
        <translation>同时有两个持有者</translation>
    </message>
    <message>
        <source>two</source>
        <translation>双持</translation>
    </message>
    <message>
        <source>stuck for ever</source>
        <translation>永久卡死</translation>
    </message>
    <message>
        <source>stuck</source>
        <translation>卡死</translation>
    </message>
    <message>
        <source>somebody else&apos;s lock removed or extended</source>
        <translation>他人的锁被删除或延长</translation>
    </message>
    <message>
        <source>wrong</source>
        <translation>越权</translation>
    </message>
    <message>
        <source>wrong count, fence or lease</source>
        <translation>计数、防护令牌或租约错误</translation>
    </message>
    <message>
        <source>count</source>
        <translation>计数</translation>
    </message>
    <message>
        <source>waits without end, or unfairly</source>
        <translation>无限等待或等待不公平</translation>
    </message>
    <message>
        <source>unfair</source>
        <translation>不公平</translation>
    </message>
    <message>
        <source>time goes on</source>
        <translation>时间流逝</translation>
    </message>
    <message>
        <source>%1, and waits</source>
        <translation>%1，然后等待</translation>
    </message>
    <message>
        <source>%1; %2 never receives it</source>
        <translation>%1；%2 从未收到</translation>
    </message>
    <message>
        <source>%1 holds %2 as a reader</source>
        <translation>%1 作为读者持有 %2</translation>
    </message>
    <message>
        <source>%1 holds %2</source>
        <translation>%1 持有 %2</translation>
    </message>
    <message>
        <source>%1 gives up</source>
        <translation>%1 放弃</translation>
    </message>
    <message>
        <source>%1 does not know whether it holds %2</source>
        <translation>%1 不知道自己是否持有 %2</translation>
    </message>
    <message>
        <source>%1 learns that it has lost %2</source>
        <translation>%1 得知自己已失去 %2</translation>
    </message>
    <message>
        <source>the late %1 of %2 arrives at server %3</source>
        <translation>%2 迟到的 %1 到达 %3 号服务器</translation>
    </message>
    <message>
        <source>the late %1 of %2 arrives</source>
        <translation>%2 迟到的 %1 到达</translation>
    </message>
    <message>
        <source>%1 sends %2 to server %3</source>
        <translation>%1 向 %3 号服务器发送 %2</translation>
    </message>
    <message>
        <source>%1 sends %2</source>
        <translation>%1 发送 %2</translation>
    </message>
    <message>
        <source>%1 expires on server %2</source>
        <translation>%1 在 %2 号服务器上过期</translation>
    </message>
    <message>
        <source>%1 expires</source>
        <translation>%1 过期</translation>
    </message>
    <message>
        <source>its %1</source>
        <translation>%1</translation>
    </message>
    <message>
        <source>the %1</source>
        <translation>%1</translation>
    </message>
    <message>
        <source>script</source>
        <translation>Lua 脚本</translation>
    </message>
    <message>
        <source>script %1</source>
        <translation>Lua 脚本 %1</translation>
    </message>
    <message>
        <source>%1 for %2</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>an error (%1)</source>
        <translation>错误（%1）</translation>
    </message>
    <message>
        <source>no address: enter a host, redis://host:port or unix:///path</source>
        <translation>没有地址：请输入主机、redis://host:port 或 unix:///path</translation>
    </message>
    <message>
        <source>a socket path needs its scheme: unix://%1</source>
        <translation>套接字路径需要写明协议头：unix://%1</translation>
    </message>
    <message>
        <source>the scheme must be followed by two slashes: %1//</source>
        <translation>协议头后必须是两个斜杠：%1//</translation>
    </message>
    <message>
        <source>a &quot;/&quot;, &quot;?&quot; or &quot;#&quot; in a user name or password must be percent-encoded (%2F, %3F, %23)</source>
        <translation>用户名或密码中的 &quot;/&quot;、&quot;?&quot; 或 &quot;#&quot; 必须使用百分号编码（%2F、%3F、%23）</translation>
    </message>
    <message>
        <source>the socket path must be absolute, with three slashes: unix:///path</source>
        <translation>套接字路径必须是绝对路径，带三个斜杠：unix:///path</translation>
    </message>
    <message>
        <source>user name</source>
        <translation>用户名</translation>
    </message>
    <message>
        <source>password</source>
        <translation>密码</translation>
    </message>
    <message>
        <source>malformed percent-encoding in the %1: &quot;%&quot; must be followed by two hexadecimal digits (&quot;%&quot; itself is %25)</source>
        <translation>%1中的百分号编码有误：&quot;%&quot; 之后必须是两位十六进制数字（&quot;%&quot; 本身写作 %25）</translation>
    </message>
    <message>
        <source>an IPv6 address needs brackets: [::1]:6379</source>
        <translation>IPv6 地址需要方括号：[::1]:6379</translation>
    </message>
    <message>
        <source>the host is missing</source>
        <translation>缺少主机</translation>
    </message>
    <message>
        <source>%1 cannot be part of a host name</source>
        <translation>主机名中不能包含 %1</translation>
    </message>
    <message>
        <source>the closing &quot;]&quot; of the IPv6 address is missing</source>
        <translation>缺少 IPv6 地址的右括号 &quot;]&quot;</translation>
    </message>
    <message>
        <source>%1 is not an IPv6 address</source>
        <translation>%1 不是 IPv6 地址</translation>
    </message>
    <message>
        <source>only a port may follow the &quot;]&quot;</source>
        <translation>&quot;]&quot; 之后只能是端口</translation>
    </message>
    <message>
        <source>the port after &quot;:&quot; is missing</source>
        <translation>&quot;:&quot; 之后缺少端口</translation>
    </message>
    <message>
        <source>the port is not a number</source>
        <translation>端口不是数字</translation>
    </message>
    <message>
        <source>the port %1 is out of range (1 to 65535)</source>
        <translation>端口 %1 超出范围（1 到 65535）</translation>
    </message>
    <message>
        <source>the port is out of range (1 to 65535)</source>
        <translation>端口超出范围（1 到 65535）</translation>
    </message>
    <message>
        <source>database %1 is not a number</source>
        <translation>数据库 %1 不是数字</translation>
    </message>
    <message>
        <source>database %1 is out of range</source>
        <translation>数据库 %1 超出范围</translation>
    </message>
    <message>
        <source>the path of the socket is missing: unix:///path</source>
        <translation>缺少套接字的路径：unix:///path</translation>
    </message>
    <message>
        <source>socket path</source>
        <translation>套接字路径</translation>
    </message>
    <message>
        <source>a socket path cannot contain a zero byte</source>
        <translation>套接字路径不能包含零字节</translation>
    </message>
    <message>
        <source>the socket path is longer than the system allows (107 bytes)</source>
        <translation>套接字路径超过系统允许的长度（107 字节）</translation>
    </message>
    <message>
        <source>%1 is not expected in an address</source>
        <translation>地址中不应出现 %1</translation>
    </message>
    <message>
        <source>the password must not be a parameter: put it before the host, as in redis://user:password@host or unix://user:password@/path</source>
        <translation>密码不能作为参数：请放在主机之前，例如 redis://user:password@host 或 unix://user:password@/path</translation>
    </message>
    <message>
        <source>A password was given, but this user has none on the server. Leave the password empty.</source>
        <translation>提供了密码，但服务器上该用户没有密码。请将密码留空。</translation>
    </message>
    <message>
        <source>The server does not accept this user name and password, or the user is disabled. Check both; an empty user name means the user &quot;default&quot;.</source>
        <translation>服务器不接受此用户名和密码，或该用户已被禁用。请检查两者；用户名为空表示用户 &quot;default&quot;。</translation>
    </message>
    <message>
        <source>This server is a replica of %1: the lock would remain on the master. Release it there.</source>
        <translation>此服务器是 %1 的副本：锁仍会留在主节点上。请在主节点上释放。</translation>
    </message>
    <message>
        <source>The user lacks the permission for a required command</source>
        <translation>该用户缺少某个必需命令的权限</translation>
    </message>
    <message>
        <source>. Run ACL LOG on the server to find the command, then grant it: ACL SETUSER &lt;user&gt; +&lt;command&gt;</source>
        <translation>。在服务器上运行 ACL LOG 查出该命令，然后授权：ACL SETUSER &lt;user&gt; +&lt;command&gt;</translation>
    </message>
    <message>
        <source>The user has no access to the key. Grant the access: %1 (or a narrower pattern)</source>
        <translation>该用户无权访问该键。授予访问权限：%1（或更窄的模式）</translation>
    </message>
    <message>
        <source>The user has no access to the key that %1 uses. Grant the access: %2 (or a narrower pattern)</source>
        <translation>该用户无权访问 %1 使用的键。授予访问权限：%2（或更窄的模式）</translation>
    </message>
    <message>
        <source>The user has no access to the channel. Grant the access: %1</source>
        <translation>该用户无权访问该频道。授予访问权限：%1</translation>
    </message>
    <message>
        <source>The user has no access to the channel that %1 uses. Grant the access: %2</source>
        <translation>该用户无权访问 %1 使用的频道。授予访问权限：%2</translation>
    </message>
    <message>
        <source>The user has no permission to run %1. Grant it: %2</source>
        <translation>该用户没有运行 %1 的权限。授予权限：%2</translation>
    </message>
    <message>
        <source>The server refuses writes because it cannot save to disk. Check its log and its free disk space.</source>
        <translation>服务器无法保存到磁盘，因此拒绝写入。请检查其日志和剩余磁盘空间。</translation>
    </message>
    <message>
        <source>The server has reached its memory limit and refuses commands that need more memory. Free memory, or raise maxmemory.</source>
        <translation>服务器已达内存上限，拒绝需要更多内存的命令。请释放内存，或调高 maxmemory。</translation>
    </message>
    <message>
        <source>A long-running script blocks the server. SCRIPT KILL stops it unless it has already written data.</source>
        <translation>长时间运行的脚本阻塞了服务器。可用 SCRIPT KILL 停止它，除非它已写入数据。</translation>
    </message>
    <message>
        <source>The replica has lost its master and refuses to serve stale data. Connect to the master.</source>
        <translation>副本已失去主节点，拒绝提供过时数据。请连接主节点。</translation>
    </message>
    <message>
        <source>The cluster is down or incomplete. Restore its missing nodes first.</source>
        <translation>集群已下线或不完整。请先恢复缺失的节点。</translation>
    </message>
    <message>
        <source>The key is on another node of the cluster. Connect to that node.</source>
        <translation>该键在集群的另一节点上。请连接该节点。</translation>
    </message>
    <message>
        <source>The key is being moved to another node of the cluster. Try again in a moment.</source>
        <translation>该键正在迁移到集群的另一节点。请稍后重试。</translation>
    </message>
    <message>
        <source>The server refuses writes because too few replicas are connected. Restore them first.</source>
        <translation>已连接的副本过少，服务器拒绝写入。请先恢复副本。</translation>
    </message>
    <message>
        <source>The server is in protected mode and accepts only local connections. Connect from its own machine, or set a password on the server.</source>
        <translation>服务器处于保护模式，只接受本地连接。请从服务器本机连接，或在服务器上设置密码。</translation>
    </message>
    <message>
        <source>The server has reached its connection limit. Close some connections, or raise maxclients.</source>
        <translation>服务器已达连接数上限。请关闭一些连接，或调高 maxclients。</translation>
    </message>
    <message>
        <source>The server does not know this command: the server is too old, or the command is disabled.</source>
        <translation>服务器不认识此命令：服务器版本过旧，或该命令已禁用。</translation>
    </message>
    <message>
        <source>The type of the key has changed. Read the key again.</source>
        <translation>键的类型已改变。请重新读取该键。</translation>
    </message>
    <message>
        <source>The server refused the command without a reason. Check the log of the server.</source>
        <translation>服务器拒绝了命令，未说明原因。请检查服务器的日志。</translation>
    </message>
    <message>
        <source>The server refused the command: %1</source>
        <translation>服务器拒绝了命令：%1</translation>
    </message>
    <message>
        <source>The TLS connection failed. Check whether the server uses TLS on this port, and check its certificate.</source>
        <translation>TLS 连接失败。请检查服务器在此端口是否使用 TLS，并检查其证书。</translation>
    </message>
    <message>
        <source>The server does not seem to use TLS on this port. Use redis://, or connect to the TLS port.</source>
        <translation>服务器在此端口似乎不使用 TLS。请使用 redis://，或连接 TLS 端口。</translation>
    </message>
    <message>
        <source>The server&apos;s certificate is not signed by a trusted certificate authority. Specify the CA certificate with --ca.</source>
        <translation>服务器的证书不是由受信任的证书颁发机构签发。请用 --ca 指定 CA 证书。</translation>
    </message>
    <message>
        <source>The server&apos;s certificate is not valid at this time. Renew it, and check the clock of this machine.</source>
        <translation>服务器的证书目前不在有效期内。请更新证书，并检查本机时钟。</translation>
    </message>
    <message>
        <source>The server&apos;s certificate is for another name. Connect using a name in the certificate, or specify that name with --server-name.</source>
        <translation>服务器的证书对应另一个名称。请使用证书中的名称连接，或用 --server-name 指定该名称。</translation>
    </message>
    <message>
        <source>The server requires a trusted client certificate. Specify one with --cert, and its key with --key.</source>
        <translation>服务器要求受信任的客户端证书。请用 --cert 指定证书，用 --key 指定其密钥。</translation>
    </message>
    <message>
        <source>A TLS file cannot be used, so nothing was sent.</source>
        <translation>某个 TLS 文件无法使用，因此未发送任何内容。</translation>
    </message>
    <message>
        <source>The host name could not be resolved. Check its spelling and the DNS configuration of this machine.</source>
        <translation>无法解析主机名。请检查拼写和本机的 DNS 配置。</translation>
    </message>
    <message>
        <source>The connection was refused. Check the address and the port, and whether the server is running.</source>
        <translation>连接被拒绝。请检查地址和端口，以及服务器是否在运行。</translation>
    </message>
    <message>
        <source>The connection attempt timed out. Check the address, and whether a firewall blocks the connection.</source>
        <translation>连接尝试超时。请检查地址，以及是否有防火墙阻止连接。</translation>
    </message>
    <message>
        <source>There is no socket at this path. Check the path (unixsocket in redis.conf), and whether the server is running.</source>
        <translation>此路径没有套接字。请检查路径（redis.conf 中的 unixsocket），以及服务器是否在运行。</translation>
    </message>
    <message>
        <source>This user has no permission to open the socket. Join the group that owns it, or change unixsocketperm.</source>
        <translation>当前用户没有打开该套接字的权限。请加入拥有它的用户组，或修改 unixsocketperm。</translation>
    </message>
    <message>
        <source>The program at this address does not speak the Redis protocol. Check the port; for a TLS port use rediss://.</source>
        <translation>此地址上的程序不使用 Redis 协议。请检查端口；TLS 端口请使用 rediss://。</translation>
    </message>
    <message>
        <source>The server sent an invalid Redis reply, so the connection was closed. The usual cause is a proxy in between.</source>
        <translation>服务器发送了无效的 Redis 回复，连接已关闭。常见原因是中间有代理。</translation>
    </message>
    <message>
        <source>The reply of the server exceeds a limit of this program and was discarded.</source>
        <translation>服务器的回复超出本程序的限制，已被丢弃。</translation>
    </message>
    <message>
        <source>The connection was closed. Check whether the server was stopped or restarted.</source>
        <translation>连接已关闭。请检查服务器是否已停止或重启。</translation>
    </message>
    <message>
        <source>The server did not reply in time. It may be overloaded, blocked by a slow command, or stopped.</source>
        <translation>服务器未及时回复。它可能过载、被慢命令阻塞或已停止。</translation>
    </message>
    <message>
        <source>The server requires a password. Enter one for this connection.</source>
        <translation>服务器要求密码。请为此连接输入密码。</translation>
    </message>
    <message>
        <source>The server does not have this database. Choose a smaller number; a cluster has database 0 only.</source>
        <translation>服务器没有此数据库。请选择更小的编号；集群只有数据库 0。</translation>
    </message>
    <message>
        <source>The server is loading its data. Wait until it has finished.</source>
        <translation>服务器正在加载数据。请等待加载完成。</translation>
    </message>
    <message>
        <source>This connection is read-only, so nothing was sent. To make changes, turn off read-only for the connection.</source>
        <translation>此连接为只读，因此未发送任何内容。如需更改，请关闭此连接的只读模式。</translation>
    </message>
    <message>
        <source>This server is a replica and accepts no writes. Connect to its master.</source>
        <translation>此服务器是副本，不接受写入。请连接其主节点。</translation>
    </message>
    <message>
        <source>The connection that watched the lock was lost, so another hold may have started unnoticed. Check the lock again.</source>
        <translation>监视锁的连接已断开，可能有另一次持有在未被察觉时开始。请重新检查该锁。</translation>
    </message>
    <message>
        <source>There is currently no connection to the server, so nothing was sent. Try again when it is back.</source>
        <translation>当前没有到服务器的连接，因此未发送任何内容。请在连接恢复后重试。</translation>
    </message>
    <message>
        <source>The server uses TLS on this port. Use rediss://, or connect to the port without TLS.</source>
        <translation>服务器在此端口使用 TLS。请使用 rediss://，或连接不使用 TLS 的端口。</translation>
    </message>
    <message>
        <source>Everything works.</source>
        <translation>一切正常。</translation>
    </message>
    <message>
        <source>This server is a replica of %1 and is still copying its data: the locks shown are incomplete.</source>
        <translation>此服务器是 %1 的副本，仍在复制数据：显示的锁不完整。</translation>
    </message>
    <message>
        <source>This server is a replica of %1: the locks shown may be out of date. Locks are acquired and released on the master.</source>
        <translation>此服务器是 %1 的副本：显示的锁可能已过时。锁的获取和释放在主节点上进行。</translation>
    </message>
    <message>
        <source>This server is a replica of %1, which has been silent for %2: locks acquired or released since then are unknown.</source>
        <translation>此服务器是 %1 的副本，该主节点已无响应 %2：此后获取或释放的锁未知。</translation>
    </message>
    <message>
        <source>This server is a replica of %1, which it has never reached: the data shown may be unrelated.</source>
        <translation>此服务器是 %1 的副本，但从未连上该主节点：显示的数据可能与之无关。</translation>
    </message>
    <message>
        <source>%1 is a node of a cluster: the members of a Redlock set must be independent masters. Each lock is listed separately for each node.</source>
        <translation>%1 是集群节点：Redlock 组的成员必须是独立的主节点。每个锁按节点分别列出。</translation>
    </message>
    <message>
        <source>%1 are nodes of a cluster: the members of a Redlock set must be independent masters. Each lock is listed separately for each node.</source>
        <translation>%1 是集群节点：Redlock 组的成员必须是独立的主节点。每个锁按节点分别列出。</translation>
    </message>
    <message>
        <source>%1 is a replica: the members of a Redlock set must be independent masters. Locks on a replica do not count.</source>
        <translation>%1 是副本：Redlock 组的成员必须是独立的主节点。副本上的锁不计入。</translation>
    </message>
    <message>
        <source>%1 are replicas: the members of a Redlock set must be independent masters. Locks on a replica do not count.</source>
        <translation>%1 是副本：Redlock 组的成员必须是独立的主节点。副本上的锁不计入。</translation>
    </message>
    <message>
        <source>The server is loading its data: no key can be read until it has finished.</source>
        <translation>服务器正在加载数据：加载完成前无法读取任何键。</translation>
    </message>
    <message>
        <source>This is one node of a cluster: locks in the slots of other nodes are not shown.</source>
        <translation>这是集群的一个节点：其他节点槽中的锁不显示。</translation>
    </message>
    <message>
        <source>This server evicts keys by their last use (%1), and reading counts as use: a deep sweep makes small keys look recently used, so other keys may be evicted instead. Redis 7.2 and later can exclude these reads.</source>
        <translation>此服务器按最近使用情况淘汰键（%1），而读取也算使用：深度扫描会让小键显得刚被使用过，其他键可能因此被淘汰。Redis 7.2 及更高版本可以排除这些读取。</translation>
    </message>
    <message>
        <source>%1 and %2 are the same server, so they are not a Redlock set. Each lock is listed separately for each of them.</source>
        <translation>%1 和 %2 是同一台服务器，因此不构成 Redlock 组。每个锁按服务器分别列出。</translation>
    </message>
    <message>
        <source>is not a share; write 5% or 0.05, from 0% to 100%</source>
        <translation>不是比例；请写作 5% 或 0.05，范围 0% 到 100%</translation>
    </message>
    <message>
        <source>is not a time; write 10ms, 5ms..20ms (evenly between) or ~20ms (exponential)</source>
        <translation>不是时间；请写作 10ms、5ms..20ms（均匀分布）或 ~20ms（指数分布）</translation>
    </message>
    <message>
        <source>is none of %1</source>
        <comment>contention, hot-standby, draw</comment>
        <translation>不是以下任何一项：%1</translation>
    </message>
    <message>
        <source>is shorter than the first interval, %1</source>
        <translation>短于首次间隔 %1</translation>
    </message>
    <message>
        <source>is not possible: %1 cannot renew a lock</source>
        <translation>不可用：%1 不能续期锁</translation>
    </message>
    <message>
        <source>is neither off nor a duration such as 10s</source>
        <translation>既不是 off，也不是时长（如 10s）</translation>
    </message>
    <message>
        <source>Contenders</source>
        <translation>竞争者数</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>时长</translation>
    </message>
    <message>
        <source>Does not include the time for which the run is paused.</source>
        <translation>不含运行暂停的时间。</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>键数</translation>
    </message>
    <message>
        <source>Number of locks. Each request picks one at random.</source>
        <translation>锁的数量。每次请求随机选取一个。</translation>
    </message>
    <message>
        <source>Think time</source>
        <translation>思考时间</translation>
    </message>
    <message>
        <source>Time between two requests: 10ms, 5ms..20ms, or ~20ms for a mean.</source>
        <translation>两次请求之间的时间：10ms、5ms..20ms，或用 ~20ms 指定均值。</translation>
    </message>
    <message>
        <source>Hold time</source>
        <translation>持有时间</translation>
    </message>
    <message>
        <source>How long a lock is held: 10ms, 5ms..20ms, or ~20ms for a mean.</source>
        <translation>锁被持有多久：10ms、5ms..20ms，或用 ~20ms 指定均值。</translation>
    </message>
    <message>
        <source>Lease</source>
        <translation>租约</translation>
    </message>
    <message>
        <source>How long a grant lasts unless it is renewed.</source>
        <translation>一次授予在不续期时持续多久。</translation>
    </message>
    <message>
        <source>How long a request waits before it gives up. 0s: a single attempt.</source>
        <translation>到时请求放弃。0s：只尝试一次。</translation>
    </message>
    <message>
        <source>Maximum interval</source>
        <translation>最大间隔</translation>
    </message>
    <message>
        <source>Every interval is twice the one before, up to this one. Empty: constant intervals.</source>
        <translation>每次间隔是前一次的两倍，以此为上限。留空：间隔固定。</translation>
    </message>
    <message>
        <source>constant</source>
        <translation>固定</translation>
    </message>
    <message>
        <source>Jitter</source>
        <translation>抖动</translation>
    </message>
    <message>
        <source>Random time, up to this value, added to each interval.</source>
        <translation>每次间隔另加的随机时间，以此值为上限。</translation>
    </message>
    <message>
        <source>Empty: limited by the maximum wait only.</source>
        <translation>留空：仅受最长等待限制。</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>无限制</translation>
    </message>
    <message>
        <source>A duration such as 10s, or off.</source>
        <translation>时长（如 10s），或 off。</translation>
    </message>
    <message>
        <source>Read share</source>
        <translation>读占比</translation>
    </message>
    <message>
        <source>Share of requests that only read.</source>
        <translation>只读请求所占的比例。</translation>
    </message>
    <message>
        <source>Reentry depth</source>
        <translation>重入深度</translation>
    </message>
    <message>
        <source>How many times a holder acquires the lock in nested calls.</source>
        <translation>持有者以嵌套调用获取锁的次数。</translation>
    </message>
    <message>
        <source>Crashes</source>
        <translation>崩溃</translation>
    </message>
    <message>
        <source>Share of holds that crash: the connection drops and nothing is released.</source>
        <translation>发生崩溃的持有所占的比例：连接断开，什么都不释放。</translation>
    </message>
    <message>
        <source>Pauses</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Share of holds in which the holder pauses, including its renewals.</source>
        <translation>持有者发生暂停（续期也暂停）的持有所占的比例。</translation>
    </message>
    <message>
        <source>Pause length</source>
        <translation>暂停时长</translation>
    </message>
    <message>
        <source>Duration of each pause. Empty: 1.5 times the lease.</source>
        <translation>每次暂停的时长。留空：租约的 1.5 倍。</translation>
    </message>
    <message>
        <source>1.5 leases</source>
        <translation>1.5 倍租约</translation>
    </message>
    <message>
        <source>Seed of the contenders&apos; random numbers. Timing of the server and the network is not reproducible.</source>
        <translation>竞争者随机数的种子。服务器和网络的时序不可复现。</translation>
    </message>
    <message>
        <source>is not a number between %1 and %2</source>
        <translation>不是 %1 到 %2 之间的数字</translation>
    </message>
    <message>
        <source>is not a duration; write 250ms, 10s, 5m, 2h or 1d</source>
        <translation>不是时长；请写作 250ms、10s、5m、2h 或 1d</translation>
    </message>
    <message>
        <source>is too short; the minimum is %1</source>
        <translation>过短；最小值为 %1</translation>
    </message>
    <message>
        <source>There must be at least one contender.</source>
        <translation>必须至少有一个竞争者。</translation>
    </message>
    <message>
        <source>The number of keys must be between 1 and 10000.</source>
        <translation>键数必须在 1 到 10000 之间。</translation>
    </message>
    <message>
        <source>The lease must be at least 1 ms.</source>
        <translation>租约必须至少为 1 ms。</translation>
    </message>
    <message>
        <source>Shares and probabilities must be between 0 and 1.</source>
        <translation>比例和概率必须在 0 到 1 之间。</translation>
    </message>
    <message>
        <source>This protocol has no readers, only exclusive holders.</source>
        <translation>此协议没有读者，只有独占持有者。</translation>
    </message>
    <message>
        <source>The reentry depth must be at least 1.</source>
        <translation>重入深度必须至少为 1。</translation>
    </message>
    <message>
        <source>This protocol is not reentrant: a second acquisition would wait for the first.</source>
        <translation>此协议不可重入：第二次获取会等待第一次。</translation>
    </message>
    <message>
        <source>At least one permit is required.</source>
        <translation>至少需要一个许可。</translation>
    </message>
    <message>
        <source>This protocol has one holder at a time.</source>
        <translation>此协议同一时间只有一个持有者。</translation>
    </message>
    <message>
        <source>This protocol has no renewal.</source>
        <translation>此协议没有续期。</translation>
    </message>
    <message>
        <source>Step order</source>
        <translation>步骤顺序</translation>
    </message>
    <message>
        <source>No fault; only the order of the steps varies.</source>
        <translation>没有故障；只改变步骤的顺序。</translation>
    </message>
    <message>
        <source>Crash</source>
        <translation>崩溃</translation>
    </message>
    <message>
        <source>A client process crashes; it may be restarted.</source>
        <translation>客户端进程崩溃；之后可能重启。</translation>
    </message>
    <message>
        <source>%1 crashes</source>
        <translation>%1 崩溃</translation>
    </message>
    <message>
        <source>%1 crashes and is restarted</source>
        <translation>%1 崩溃并重启</translation>
    </message>
    <message>
        <source>no client crashes</source>
        <translation>没有客户端崩溃</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>A client process pauses for longer than a lease, including its renewals.</source>
        <translation>客户端进程暂停的时间超过租约，续期也随之暂停。</translation>
    </message>
    <message>
        <source>the holder is faster than its lease</source>
        <translation>持有者快于其租约</translation>
    </message>
    <message>
        <source>Worker hangs</source>
        <translation>工作线程挂起</translation>
    </message>
    <message>
        <source>The worker of a client hangs forever while its renewals continue.</source>
        <translation>客户端的工作线程永久挂起，但其续期仍在继续。</translation>
    </message>
    <message>
        <source>%1 hangs, but its renewals continue</source>
        <translation>%1 挂起，但其续期仍在继续</translation>
    </message>
    <message>
        <source>no worker hangs</source>
        <translation>没有工作线程挂起</translation>
    </message>
    <message>
        <source>the clock of %1 jumps ahead by %2</source>
        <translation>%1的时钟向前跳变 %2</translation>
    </message>
    <message>
        <source>the wall clock of %1 jumps ahead by %2</source>
        <translation>%1 的墙上时钟向前跳变 %2</translation>
    </message>
    <message>
        <source>the wall clock of %1 jumps back by %2</source>
        <translation>%1 的墙上时钟向后跳变 %2</translation>
    </message>
    <message>
        <source>Clocks differ</source>
        <translation>时钟不一致</translation>
    </message>
    <message>
        <source>The wall clock of a client is ahead or behind from the start.</source>
        <translation>客户端的墙上时钟从一开始就超前或落后。</translation>
    </message>
    <message>
        <source>the wall clock of %1 is %2 ahead</source>
        <translation>%1 的墙上时钟超前 %2</translation>
    </message>
    <message>
        <source>the wall clock of %1 is %2 behind</source>
        <translation>%1 的墙上时钟落后 %2</translation>
    </message>
    <message>
        <source>all clocks agree</source>
        <translation>所有时钟一致</translation>
    </message>
    <message>
        <source>Clocks drift</source>
        <translation>时钟漂移</translation>
    </message>
    <message>
        <source>The clock of a client or a server runs fast or slow.</source>
        <translation>客户端或服务器的时钟走得过快或过慢。</translation>
    </message>
    <message>
        <source>the clock of %1 runs too fast</source>
        <translation>时钟走得过快：%1</translation>
    </message>
    <message>
        <source>the clock of %1 runs too slow</source>
        <translation>时钟走得过慢：%1</translation>
    </message>
    <message>
        <source>Clock jumps</source>
        <translation>时钟跳变</translation>
    </message>
    <message>
        <source>The clock of a server or a client jumps.</source>
        <translation>服务器或客户端的时钟发生跳变。</translation>
    </message>
    <message>
        <source>server %1</source>
        <translation>%1 号服务器</translation>
    </message>
    <message>
        <source>the server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>Key deleted</source>
        <translation>键被删除</translation>
    </message>
    <message>
        <source>An operator deletes the keys of a lock that is in use.</source>
        <translation>操作员删除了正在使用的锁的键。</translation>
    </message>
    <message>
        <source>an operator deletes %1</source>
        <translation>操作员删除 %1</translation>
    </message>
    <message>
        <source>nobody deletes its keys</source>
        <translation>没有人删除其键</translation>
    </message>
    <message>
        <source>Key evicted</source>
        <translation>键被淘汰</translation>
    </message>
    <message>
        <source>A server evicts a key of a lock to free memory.</source>
        <translation>服务器为释放内存而淘汰锁的键。</translation>
    </message>
    <message>
        <source>%1 evicts a key to free memory</source>
        <translation>%1为释放内存而淘汰键</translation>
    </message>
    <message>
        <source>the server forgets nothing</source>
        <translation>服务器不遗忘任何数据</translation>
    </message>
    <message>
        <source>the subscription of %1 breaks</source>
        <translation>%1 的订阅断开</translation>
    </message>
    <message>
        <source>the connection of %1 breaks before its %2 is executed</source>
        <translation>%1 的连接在其 %2 执行前断开</translation>
    </message>
    <message>
        <source>the connection of %1 breaks before the reply to its %2</source>
        <translation>%1 的连接在其 %2 得到回复前断开</translation>
    </message>
    <message>
        <source>Connection lost</source>
        <translation>连接断开</translation>
    </message>
    <message>
        <source>A connection breaks; pending requests may have been executed.</source>
        <translation>连接断开；未完成的请求可能已被执行。</translation>
    </message>
    <message>
        <source>messages arrive once and in time</source>
        <translation>每条消息都按时到达且只到达一次</translation>
    </message>
    <message>
        <source>Message lost</source>
        <translation>消息丢失</translation>
    </message>
    <message>
        <source>A request or its reply is lost without an error.</source>
        <translation>请求或其回复丢失，且没有报错。</translation>
    </message>
    <message>
        <source>the %1 of %2 is lost</source>
        <translation>%2 的 %1 丢失</translation>
    </message>
    <message>
        <source>the reply to the %1 of %2 is lost</source>
        <translation>对 %2 的 %1 的回复丢失</translation>
    </message>
    <message>
        <source>Message delayed</source>
        <translation>消息延迟</translation>
    </message>
    <message>
        <source>A request arrives long after it was sent.</source>
        <translation>请求在发出很久之后才到达。</translation>
    </message>
    <message>
        <source>the %1 of %2 is delayed</source>
        <translation>%2 的 %1 被延迟</translation>
    </message>
    <message>
        <source>Message copied</source>
        <translation>消息重复</translation>
    </message>
    <message>
        <source>A request is executed twice.</source>
        <translation>请求被执行两次。</translation>
    </message>
    <message>
        <source>the %1 of %2 will be executed a second time</source>
        <translation>%2 的 %1 将被再次执行</translation>
    </message>
    <message>
        <source>Shared identity</source>
        <translation>身份共用</translation>
    </message>
    <message>
        <source>Two tasks use one identity, so the server takes them for one owner.</source>
        <translation>两个任务使用同一身份，服务器将其视为同一所有者。</translation>
    </message>
    <message>
        <source>two tasks use one identity</source>
        <translation>两个任务使用同一身份</translation>
    </message>
    <message>
        <source>no two tasks share an identity</source>
        <translation>没有两个任务共用身份</translation>
    </message>
    <message>
        <source>Mixed leases</source>
        <translation>租约混用</translation>
    </message>
    <message>
        <source>A holder acquires its lock again with a shorter lease.</source>
        <translation>持有者以更短的租约再次获取自己的锁。</translation>
    </message>
    <message>
        <source>an inner hold has a shorter lease</source>
        <translation>内层持有的租约更短</translation>
    </message>
    <message>
        <source>all leases are equally long</source>
        <translation>所有租约一样长</translation>
    </message>
    <message>
        <source>%1 and %2 cannot reach each other for %3</source>
        <translation>%2与 %1 在 %3 内无法互通</translation>
    </message>
    <message>
        <source>for %1, no reply of %2 reaches %3</source>
        <translation>在 %1 内，%2的回复都无法到达 %3</translation>
    </message>
    <message>
        <source>%1 is cut off from all clients for %2</source>
        <translation>%1与所有客户端隔离 %2</translation>
    </message>
    <message>
        <source>Server restarts</source>
        <translation>服务器重启</translation>
    </message>
    <message>
        <source>A server restarts, with or without its data.</source>
        <translation>服务器重启，数据可能保留，也可能丢失。</translation>
    </message>
    <message>
        <source>%1 restarts without its data</source>
        <translation>%1重启，数据丢失</translation>
    </message>
    <message>
        <source>%1 restarts with its data</source>
        <translation>%1重启，数据保留</translation>
    </message>
    <message>
        <source>Failover</source>
        <translation>故障转移</translation>
    </message>
    <message>
        <source>A replica takes over without the latest writes.</source>
        <translation>副本接管，但缺少最近的写入。</translation>
    </message>
    <message>
        <source>a replica of %1 takes over without the latest write</source>
        <translation>%1的副本接管，但缺少最近一次写入</translation>
    </message>
    <message>
        <source>a replica of %1 takes over without the latest two writes</source>
        <translation>%1的副本接管，但缺少最近两次写入</translation>
    </message>
    <message>
        <source>Slow server</source>
        <translation>服务器缓慢</translation>
    </message>
    <message>
        <source>A server replies late for a while.</source>
        <translation>服务器在一段时间内延迟回复。</translation>
    </message>
    <message>
        <source>%1 answers %2 late from now on</source>
        <translation>从现在起，%1的回复延迟 %2</translation>
    </message>
    <message>
        <source>Partition</source>
        <translation>网络分区</translation>
    </message>
    <message>
        <source>A client and a server cannot reach each other for a while.</source>
        <translation>客户端和服务器在一段时间内无法互通。</translation>
    </message>
    <message>
        <source>Scripts flushed</source>
        <translation>脚本缓存清空</translation>
    </message>
    <message>
        <source>A server loses its script cache.</source>
        <translation>服务器丢失其脚本缓存。</translation>
    </message>
    <message>
        <source>%1 loses its script cache</source>
        <translation>%1丢失其脚本缓存</translation>
    </message>
    <message>
        <source>scripts stay loaded</source>
        <translation>脚本始终处于已加载状态</translation>
    </message>
    <message>
        <source>another client</source>
        <translation>另一客户端</translation>
    </message>
    <message>
        <source>%1 and %2 both hold %3: the server granted it twice</source>
        <translation>%1 和 %2 同时持有 %3：服务器授予了两次</translation>
    </message>
    <message>
        <source>%1 and %2 both believe they hold %3: the hold of %1 has ended on the server</source>
        <translation>%1 和 %2 都认为自己持有 %3：%1 的持有在服务器上已经结束</translation>
    </message>
    <message>
        <source>%1 overwrites what %2 wrote under %3</source>
        <translation>%1 覆盖了 %2 在 %3 保护下写入的内容</translation>
    </message>
    <message>
        <source>%1 released the hold of %2</source>
        <translation>%1 释放了 %2 的持有</translation>
    </message>
    <message>
        <source>%1 changed the lease of %2</source>
        <translation>%1 改变了 %2 的租约</translation>
    </message>
    <message>
        <source>%1 recreated %2 with a renewal</source>
        <translation>%1 的续期重新创建了 %2</translation>
    </message>
    <message>
        <source>%1 stays locked forever, and no live client owns it</source>
        <translation>%1 永久锁定，且不属于任何存活的客户端</translation>
    </message>
    <message>
        <source>%1 is renewed forever by %2, which no longer works</source>
        <translation>%1 被 %2 无限续期，而后者已不再工作</translation>
    </message>
    <message>
        <source>%1 is repeatedly passed over</source>
        <translation>%1 反复被跳过</translation>
    </message>
    <message>
        <source>the server counts the holds of %1 differently than %1 does</source>
        <translation>服务器对 %1 持有次数的计数与 %1 自己的不一致</translation>
    </message>
    <message>
        <source>%1 waits although %2 is free</source>
        <translation>%1 在等待，尽管 %2 空闲</translation>
    </message>
    <message>
        <source>the fence of %1 is not greater than the previous one</source>
        <translation>%1 的防护令牌不大于前一个</translation>
    </message>
    <message>
        <source>%1 has every reason to trust its lease on %2 when %3 is granted the lock</source>
        <translation>%1 完全有理由相信自己对 %2 的租约，而此时 %3 被授予该锁</translation>
    </message>
    <message>
        <source>no client acquires %1 any more</source>
        <translation>再没有客户端能获取 %1</translation>
    </message>
    <message>
        <source>%1 gave %2 back, and it stays locked</source>
        <translation>%1 归还了 %2，而它仍处于锁定状态</translation>
    </message>
    <message>
        <source>%1 is not granted %2 although no client holds it</source>
        <translation>%1 未被授予 %2，尽管没有客户端持有它</translation>
    </message>
    <message>
        <source>the server answers a request of %1 for %2 with an error</source>
        <translation>对于 %1 针对 %2 的请求，服务器返回错误</translation>
    </message>
    <message>
        <source>%1 gets an answer about %2 that the protocol does not know</source>
        <translation>%1 收到关于 %2 的回复，而协议不认识该回复</translation>
    </message>
    <message>
        <source>Could not be read: %1.</source>
        <translation>无法读取：%1。</translation>
    </message>
    <message>
        <source>The lock of a unique Active Job: its redlock token under a key named after the job.</source>
        <translation>唯一 Active Job 的锁：其 redlock 令牌，键按作业命名。</translation>
    </message>
    <message>
        <source>No client waits for it: a second job like it is not enqueued.</source>
        <translation>没有客户端等待它：第二个同样的作业不会入队。</translation>
    </message>
    <message>
        <source>arq job</source>
        <translation>arq 作业</translation>
    </message>
    <message>
        <source>Marks a job of arq as running. It is the lease of a job, not a lock.</source>
        <translation>标记 arq 的某个作业正在运行。它是作业的租约，不是锁。</translation>
    </message>
    <message>
        <source>It is not renewed: it lasts 10 s longer than the job may.</source>
        <translation>它不续期：时长比作业允许的时长多 10 s。</translation>
    </message>
    <message>
        <source>Then another worker starts the job again.</source>
        <translation>之后由另一个工作进程重新开始该作业。</translation>
    </message>
    <message>
        <source>No client waits for it: workers skip a job that is marked.</source>
        <translation>没有客户端等待它：工作进程跳过已标记的作业。</translation>
    </message>
    <message>
        <source>ASP.NET session</source>
        <translation>ASP.NET 会话</translation>
    </message>
    <message>
        <source>Keeps a second request from writing a session; the value is the local time of the lock in ticks.</source>
        <translation>防止第二个请求写入会话；值是加锁时的本地时间，以 tick 为单位。</translation>
    </message>
    <message>
        <source>asynq unique task</source>
        <translation>asynq 唯一任务</translation>
    </message>
    <message>
        <source>Keeps a second task like a queued one from being enqueued; the value is the id of the task.</source>
        <translation>防止与已入队任务相同的第二个任务入队；值是任务的 id。</translation>
    </message>
    <message>
        <source>No client waits for it: a second task like it is not enqueued.</source>
        <translation>没有客户端等待它：第二个同样的任务不会入队。</translation>
    </message>
    <message>
        <source>Lets one thread compute a value of Beaker&apos;s cache (Python): machine, process and thread.</source>
        <translation>使 Beaker（Python）缓存的一个值只由一个线程计算；值为机器、进程和线程。</translation>
    </message>
    <message>
        <source>redislock</source>
        <translation>redislock</translation>
    </message>
    <message>
        <source>A token of 22 characters, as bsm/redislock (Go), redlock-py and @redis-kit/lock (Node) write it under any key. With bsm/redislock, metadata may follow.</source>
        <translation>22 个字符的令牌，bsm/redislock（Go）、redlock-py 和 @redis-kit/lock（Node）会把它写入任意键。对于 bsm/redislock，其后可能跟有元数据。</translation>
    </message>
    <message>
        <source>Bull job</source>
        <translation>Bull 作业</translation>
    </message>
    <message>
        <source>The lease of a job that a worker of Bull runs. The value is the same for all jobs of a worker.</source>
        <translation>Bull 工作进程正在运行的作业的租约。同一工作进程的所有作业的值相同。</translation>
    </message>
    <message>
        <source>Its worker sets it to 30 s again every 15 s, by default.</source>
        <translation>默认情况下，其工作进程每 15 s 将它重新设为 30 s。</translation>
    </message>
    <message>
        <source>At the next check for stalled jobs, within 30 s by default, the queue hands the job out again.</source>
        <translation>下次检查停滞作业时（默认在 30 s 内），队列会重新分派该作业。</translation>
    </message>
    <message>
        <source>No client waits for it: the queue looks for active jobs without a lease.</source>
        <translation>没有客户端等待它：队列会查找没有租约的活动作业。</translation>
    </message>
    <message>
        <source>BullMQ job</source>
        <translation>BullMQ 作业</translation>
    </message>
    <message>
        <source>The lease of a job that a worker of BullMQ runs: the worker&apos;s id and its running number.</source>
        <translation>BullMQ 工作进程正在运行的作业的租约：工作进程的 id 及其流水号。</translation>
    </message>
    <message>
        <source>Its worker sets it to 30 s again about every 15 s, by default.</source>
        <translation>默认情况下，其工作进程大约每 15 s 将它重新设为 30 s。</translation>
    </message>
    <message>
        <source>The lock of a certificate in Caddy&apos;s Redis storage.</source>
        <translation>Caddy 的 Redis 存储中某个证书的锁。</translation>
    </message>
    <message>
        <source>It is extended every 3 s, to 5 s, while its holder works.</source>
        <translation>持有者工作期间，每 3 s 延长一次，延长到 5 s。</translation>
    </message>
    <message>
        <source>Keeps a second task with the same arguments from being queued; the value is the id of the task.</source>
        <translation>防止参数相同的第二个任务入队；值是任务的 id。</translation>
    </message>
    <message>
        <source>Keeps a second task with the same arguments from being queued, with a token of redis-py.</source>
        <translation>防止参数相同的第二个任务入队，使用 redis-py 的令牌。</translation>
    </message>
    <message>
        <source>No client waits for it: a second task like it is not queued.</source>
        <translation>没有客户端等待它：第二个同样的任务不会入队。</translation>
    </message>
    <message>
        <source>RedBeat</source>
        <translation>RedBeat</translation>
    </message>
    <message>
        <source>The scheduler of Celery that is active, with a token of redis-py. Another one takes over when it is released.</source>
        <translation>Celery 当前活动的调度器，使用 redis-py 的令牌。锁释放后由另一个调度器接管。</translation>
    </message>
    <message>
        <source>The active scheduler sets it to its full lease again with every tick, 25 minutes by default.</source>
        <translation>活动的调度器在每个 tick 将它重新设为完整租约，默认 25 分钟。</translation>
    </message>
    <message>
        <source>No message wakes the scheduler that waits: it looks again and again.</source>
        <translation>没有消息唤醒等待的调度器：它反复检查。</translation>
    </message>
    <message>
        <source>The lock of Chatwoot around a message of a channel: the epoch seconds at which it was taken.</source>
        <translation>Chatwoot 处理某个渠道的消息时所加的锁：值为获取时间，Unix 时间（秒）。</translation>
    </message>
    <message>
        <source>CSRedis</source>
        <translation>CSRedis</translation>
    </message>
    <message>
        <source>The client lock of CSRedisCore and FreeRedis (.NET), renewed at half its lease.</source>
        <translation>CSRedisCore 和 FreeRedis（.NET）的客户端锁，租约过半时续期。</translation>
    </message>
    <message>
        <source>A timer of the client extends it at half its lease.</source>
        <translation>租约过半时，客户端的定时器将它延长。</translation>
    </message>
    <message>
        <source>No message wakes those who wait: they look again every 3 ms.</source>
        <translation>没有消息唤醒等待者：它们每 3 ms 重新检查一次。</translation>
    </message>
    <message>
        <source>A lock of Dapr&apos;s lock API; the client chooses the owner.</source>
        <translation>Dapr 锁 API 的锁；所有者由客户端选定。</translation>
    </message>
    <message>
        <source>The DistributedMutex of Discourse: the time at which it ends, in epoch seconds. After that time, another process takes it over.</source>
        <translation>Discourse 的 DistributedMutex：值为结束时间，Unix 时间（秒）。此后由另一个进程接管。</translation>
    </message>
    <message>
        <source>No message wakes those who wait: they look again and again, and take over what has ended.</source>
        <translation>没有消息唤醒等待者：它们反复检查，并接管已结束的锁。</translation>
    </message>
    <message>
        <source>DistributedLock</source>
        <translation>DistributedLock</translation>
    </message>
    <message>
        <source>The lock of Madelson&apos;s DistributedLock (.NET): machine, process and a random number, renewed every 9 seconds.</source>
        <translation>Madelson 的 DistributedLock（.NET）的锁：机器、进程和一个随机数，每 9 秒续期一次。</translation>
    </message>
    <message>
        <source>The holder extends it every 9 s, to 30 s, by default.</source>
        <translation>默认情况下，持有者每 9 s 延长一次，延长到 30 s。</translation>
    </message>
    <message>
        <source>The mutex of a region of dogpile.cache (Python) with distributed_lock, with a token of redis-py.</source>
        <translation>dogpile.cache（Python）启用 distributed_lock 时某个 region 的互斥锁，使用 redis-py 的令牌。</translation>
    </message>
    <message>
        <source>A persistent lock of Drupal&apos;s redis module, which outlives its request. It records no holder.</source>
        <translation>Drupal 的 redis 模块的持久锁，请求结束后仍保留。不记录持有者。</translation>
    </message>
    <message>
        <source>redis-lock</source>
        <translation>redis-lock</translation>
    </message>
    <message>
        <source>The lock of npm redis-lock: the time at which it ends, in epoch milliseconds.</source>
        <translation>npm redis-lock 的锁：值为结束时间，Unix 时间（毫秒）。</translation>
    </message>
    <message>
        <source>No message wakes those who wait: they look again every 50 ms.</source>
        <translation>没有消息唤醒等待者：它们每 50 ms 重新检查一次。</translation>
    </message>
    <message>
        <source>GitLab lease</source>
        <translation>GitLab 租约</translation>
    </message>
    <message>
        <source>An exclusive lease of GitLab, often used to limit how often something runs and then left to expire.</source>
        <translation>GitLab 的独占租约，常用于限制某操作的执行频率，用后留待过期。</translation>
    </message>
    <message>
        <source>Hangfire</source>
        <translation>Hangfire</translation>
    </message>
    <message>
        <source>A lock of Hangfire&apos;s Redis storage. The value is the same for all locks of a process.</source>
        <translation>Hangfire 的 Redis 存储的锁。同一进程的所有锁的值相同。</translation>
    </message>
    <message>
        <source>Its server extends it every 15 s, to 30 s.</source>
        <translation>其服务器每 15 s 延长一次，延长到 30 s。</translation>
    </message>
    <message>
        <source>The job service of Harbor that enqueues periodic jobs. Another one takes over when it is released.</source>
        <translation>Harbor 中负责将周期性作业入队的作业服务。锁释放后由另一个作业服务接管。</translation>
    </message>
    <message>
        <source>No message wakes the service that waits: it looks again and again.</source>
        <translation>没有消息唤醒等待的服务：它反复检查。</translation>
    </message>
    <message>
        <source>Huey</source>
        <translation>Huey</translation>
    </message>
    <message>
        <source>The TaskLock of Huey (Python) in its storage with expiry: a pickled constant. It records no holder.</source>
        <translation>Huey（Python）在带过期时间的存储中的 TaskLock：一个经 pickle 序列化的常量。不记录持有者。</translation>
    </message>
    <message>
        <source>A UUID and the time at which the lock ends, in epoch milliseconds; the key itself does not expire.</source>
        <translation>一个 UUID 和锁的结束时间，Unix 时间（毫秒）；键本身不过期。</translation>
    </message>
    <message>
        <source>After the time in its value, any client takes it over, although the key stays.</source>
        <translation>超过其值中的时间后，任何客户端都可接管，尽管键仍在。</translation>
    </message>
    <message>
        <source>A lock by tryLock() of a cache of JetCache: an entry of the cache with a UUID in it, as Java serialises it.</source>
        <translation>JetCache 的缓存通过 tryLock() 加的锁：一个含 UUID 的缓存条目，由 Java 序列化。</translation>
    </message>
    <message>
        <source>Laravel</source>
        <translation>Laravel</translation>
    </message>
    <message>
        <source>A lock of Laravel&apos;s cache, under the prefixes of connection and cache that Laravel puts before every name.</source>
        <translation>Laravel 缓存的锁，键名带有 Laravel 加在每个名称前的连接前缀和缓存前缀。</translation>
    </message>
    <message>
        <source>No message wakes those who wait: they look again every 250 ms.</source>
        <translation>没有消息唤醒等待者：它们每 250 ms 重新检查一次。</translation>
    </message>
    <message>
        <source>Laravel funnel</source>
        <translation>Laravel 漏斗</translation>
    </message>
    <message>
        <source>One slot of a concurrency limiter of Laravel (Redis::funnel): the name of the limiter and the number of the slot.</source>
        <translation>Laravel 并发限制器（Redis::funnel）的一个槽位：限制器的名称和槽位的编号。</translation>
    </message>
    <message>
        <source>A lock of Laravel&apos;s scheduler, of a unique job or of jobs that may not overlap.</source>
        <translation>Laravel 的锁，用于调度器、唯一作业或不允许重叠的作业。</translation>
    </message>
    <message>
        <source>No message wakes those who wait: they look again every 250 ms, or do not wait at all.</source>
        <translation>没有消息唤醒等待者：它们每 250 ms 重新检查一次，或根本不等待。</translation>
    </message>
    <message>
        <source>The lock of lock4j&apos;s Redis template executor: a UUID without dashes.</source>
        <translation>lock4j 的 Redis template 执行器的锁：不带连字符的 UUID。</translation>
    </message>
    <message>
        <source>Taken with an expiry of -1, it is renewed at a third of its lease; otherwise it is not.</source>
        <translation>以过期时间 -1 获取时，每过租约的三分之一续期一次；否则不续期。</translation>
    </message>
    <message>
        <source>Lockscope tombstone</source>
        <translation>Lockscope 墓碑</translation>
    </message>
    <message>
        <source>No lock of a library: what a release with --tombstone leaves in the place of a lock, until it runs out.</source>
        <translation>不是任何客户端库的锁：用 --tombstone 释放后留在原锁位置上的值，到期后消失。</translation>
    </message>
    <message>
        <source>Nobody renews it.</source>
        <translation>没有谁为它续期。</translation>
    </message>
    <message>
        <source>It was left by a release: until it runs out, no client can take the lock.</source>
        <translation>由一次释放留下：到期之前，任何客户端都无法获取该锁。</translation>
    </message>
    <message>
        <source>A lock of Magento&apos;s lock manager in the cache: the process, and its host as a checksum.</source>
        <translation>Magento 的锁管理器在缓存中的锁：进程，以及以校验和表示的主机。</translation>
    </message>
    <message>
        <source>Moodle session</source>
        <translation>Moodle 会话</translation>
    </message>
    <message>
        <source>The lock of a Moodle session: process, host and the request that holds it.</source>
        <translation>Moodle 会话的锁：进程、主机和持有它的请求。</translation>
    </message>
    <message>
        <source>n8n leader</source>
        <translation>n8n 领导者</translation>
    </message>
    <message>
        <source>The main instance of n8n that leads. Another one takes over when it is released.</source>
        <translation>n8n 中担任领导者的主实例。锁释放后由另一个主实例接管。</translation>
    </message>
    <message>
        <source>The leader extends it by a timer.</source>
        <translation>领导者用定时器将它延长。</translation>
    </message>
    <message>
        <source>No message wakes the instances that wait: they look again and again.</source>
        <translation>没有消息唤醒等待的实例：它们反复检查。</translation>
    </message>
    <message>
        <source>A token of 16 random bytes in hexadecimal, as node-redlock, redlock-universal and older versions of php-lock write it under any key.</source>
        <translation>16 个随机字节的令牌，十六进制，node-redlock、redlock-universal 和旧版 php-lock 会把它写入任意键。</translation>
    </message>
    <message>
        <source>Taken by using(), it is extended shortly before its end; otherwise only the program extends it.</source>
        <translation>用 using() 获取时，会在临近结束时延长；否则只由程序延长。</translation>
    </message>
    <message>
        <source>No message wakes those who wait: they look again after about 200 ms, by default.</source>
        <translation>没有消息唤醒等待者：默认情况下，它们在约 200 ms 后重新检查。</translation>
    </message>
    <message>
        <source>The scheduler of node-resque that is active, by its name. Another one takes over when it is released.</source>
        <translation>node-resque 当前活动的调度器，以其名称标识。锁释放后由另一个调度器接管。</translation>
    </message>
    <message>
        <source>Keeps a job of node-resque from being queued or run twice: the time at which it ends, in epoch seconds. It records no holder.</source>
        <translation>防止 node-resque 的作业重复入队或重复运行：值为结束时间，Unix 时间（秒）。不记录持有者。</translation>
    </message>
    <message>
        <source>The mutex of php-lock: a random number of 64 hexadecimal digits.</source>
        <translation>php-lock 的互斥锁：一个 64 位十六进制随机数。</translation>
    </message>
    <message>
        <source>phpredis session</source>
        <translation>phpredis 会话</translation>
    </message>
    <message>
        <source>The lock of a PHP session: host and process.</source>
        <translation>PHP 会话的锁：主机和进程。</translation>
    </message>
    <message>
        <source>No message wakes those who wait: they look again every 20 ms, a hundred times, by default.</source>
        <translation>没有消息唤醒等待者：默认情况下，它们每 20 ms 重新检查一次，共一百次。</translation>
    </message>
    <message>
        <source>The Lock of python-redis-lock. Its waiters block on a list, to which a release pushes.</source>
        <translation>python-redis-lock 的 Lock。其等待者阻塞在一个列表上，释放时向该列表推入元素。</translation>
    </message>
    <message>
        <source>With auto_renewal, a thread of the holder extends it at two thirds of its lease.</source>
        <translation>启用 auto_renewal 时，持有者的一个线程在租约过三分之二时将它延长。</translation>
    </message>
    <message>
        <source>The process that leads, as redis-leader, safe-redis-leader and cron-cluster (Node) elect it: the key is a checksum of the name.</source>
        <translation>担任领导者的进程，由 redis-leader、safe-redis-leader 和 cron-cluster（Node）选出：键是名称的校验和。</translation>
    </message>
    <message>
        <source>The lock of redis-lock-py (Python): a UUID without dashes under any key, recognised while clients listen on its channel, on which a release publishes.</source>
        <translation>redis-lock-py（Python）的锁：任意键下一个不带连字符的 UUID；有客户端监听其频道时才能识别，释放时会向该频道发布消息。</translation>
    </message>
    <message>
        <source>The lock of the gem redis-mutex: the time at which it ends, in epoch seconds. The key itself does not expire.</source>
        <translation>gem redis-mutex 的锁：值为结束时间，Unix 时间（秒）。键本身不过期。</translation>
    </message>
    <message>
        <source>The lock of the gem redis-objects: an empty value. It records no holder.</source>
        <translation>gem redis-objects 的锁：空值。不记录持有者。</translation>
    </message>
    <message>
        <source>redis-semaphore mutex</source>
        <translation>redis-semaphore 互斥锁</translation>
    </message>
    <message>
        <source>The Mutex and RedlockMutex of npm redis-semaphore, renewed after 8 of 10 seconds.</source>
        <translation>npm redis-semaphore 的 Mutex 和 RedlockMutex，10 秒中过去 8 秒时续期。</translation>
    </message>
    <message>
        <source>The holder refreshes it every 8 s, for 10 s, by default.</source>
        <translation>默认情况下，持有者每 8 s 刷新一次，有效 10 s。</translation>
    </message>
    <message>
        <source>A token of PHP&apos;s uniqid(), which tells when it was taken, as redlock-php writes it under any key.</source>
        <translation>PHP uniqid() 生成的令牌，可看出获取时间，redlock-php 会把它写入任意键。</translation>
    </message>
    <message>
        <source>RedLock.net</source>
        <translation>RedLock.net</translation>
    </message>
    <message>
        <source>The locks of RedLock.net (.NET) and pottery (Python), which write the same keys and tokens. RedLock.net renews at half its lease.</source>
        <translation>RedLock.net（.NET）和 pottery（Python）的锁，二者写入相同的键和令牌。RedLock.net 在租约过半时续期。</translation>
    </message>
    <message>
        <source>RedLock.net renews it at half its lease; pottery does not by itself.</source>
        <translation>RedLock.net 在租约过半时续期；pottery 不会自行续期。</translation>
    </message>
    <message>
        <source>No message wakes those who wait: they look again and again.</source>
        <translation>没有消息唤醒等待者：它们反复检查。</translation>
    </message>
    <message>
        <source>A token of 16 random bytes in base64, as redsync (Go) writes it under any key.</source>
        <translation>16 个随机字节的令牌，base64 编码，redsync（Go）会把它写入任意键。</translation>
    </message>
    <message>
        <source>It is extended only where the program does so.</source>
        <translation>仅在程序主动延长时才会延长。</translation>
    </message>
    <message>
        <source>No message wakes those who wait: they look again after 50 to 250 ms, by default.</source>
        <translation>没有消息唤醒等待者：默认情况下，它们在 50 到 250 ms 后重新检查。</translation>
    </message>
    <message>
        <source>The resque-scheduler that is active: host and process. Another one takes over when it is released.</source>
        <translation>当前活动的 resque-scheduler：主机和进程。锁释放后由另一个调度器接管。</translation>
    </message>
    <message>
        <source>The active scheduler extends it to 180 s in each of its rounds.</source>
        <translation>活动的调度器在每一轮将它延长到 180 s。</translation>
    </message>
    <message>
        <source>RQ scheduler</source>
        <translation>RQ 调度器</translation>
    </message>
    <message>
        <source>The scheduler of an RQ queue that is active, renewed every second without a check of its owner.</source>
        <translation>RQ 队列当前活动的调度器，每秒续期一次，不检查所有者。</translation>
    </message>
    <message>
        <source>The active scheduler extends it every second, to 61 s by default.</source>
        <translation>活动的调度器每秒延长一次，默认延长到 61 s。</translation>
    </message>
    <message>
        <source>No message wakes the scheduler that waits: it looks again every 10 minutes.</source>
        <translation>没有消息唤醒等待的调度器：它每 10 分钟重新检查一次。</translation>
    </message>
    <message>
        <source>The scheduler of the package rq-scheduler that looks for jobs which are due: when it began.</source>
        <translation>rq-scheduler 包中查找到期作业的调度器：值为其开始时间。</translation>
    </message>
    <message>
        <source>A token of 20 random bytes, as rslock (Rust) writes it under any key.</source>
        <translation>20 个随机字节的令牌，rslock（Rust）会把它写入任意键。</translation>
    </message>
    <message>
        <source>A lock of Sentry. The value is the same for all locks of a process.</source>
        <translation>Sentry 的锁。同一进程的所有锁的值相同。</translation>
    </message>
    <message>
        <source>The lock of a scheduled task: when it began, and on which host. It may stay after the task has ended, for the least time that it is configured to be locked.</source>
        <translation>计划任务的锁：何时开始，在哪台主机上。任务结束后它可能仍保留，直到满足配置的最短加锁时间。</translation>
    </message>
    <message>
        <source>It is not renewed, unless a provider that keeps locks alive does so.</source>
        <translation>它不续期，除非使用会让锁保持有效的 provider。</translation>
    </message>
    <message>
        <source>No client waits for it: a task that finds it taken is skipped until its next time.</source>
        <translation>没有客户端等待它：任务发现锁已被占用时跳过本次，到下次执行时间再运行。</translation>
    </message>
    <message>
        <source>The lock of simple-redis-mutex (Node): a random fraction. Its waiters listen for a message, which a release sends.</source>
        <translation>simple-redis-mutex（Node）的锁：一个随机小数。其等待者监听释放时发送的消息。</translation>
    </message>
    <message>
        <source>Keeps one process of a kind running: how often single-beat (Python) has renewed it, the host, and the process that it watches.</source>
        <translation>使同类进程只运行一个：single-beat（Python）的续期次数、主机，以及它所监视的进程。</translation>
    </message>
    <message>
        <source>Spring Data cache</source>
        <translation>Spring Data 缓存</translation>
    </message>
    <message>
        <source>Locks a whole cache while an entry is written. Every operation on the cache waits for it.</source>
        <translation>写入条目期间锁定整个缓存。对该缓存的所有操作都等待它。</translation>
    </message>
    <message>
        <source>No message wakes those who wait: they look again every 50 ms, by default.</source>
        <translation>没有消息唤醒等待者：默认情况下，它们每 50 ms 重新检查一次。</translation>
    </message>
    <message>
        <source>The lock of a task of TaskTiger, with a token of redis-py.</source>
        <translation>TaskTiger 某个任务的锁，使用 redis-py 的令牌。</translation>
    </message>
    <message>
        <source>The worker renews it while the task runs.</source>
        <translation>任务运行期间，工作进程为它续期。</translation>
    </message>
    <message>
        <source>A lock of OpenStack&apos;s tooz, with a token of redis-py.</source>
        <translation>OpenStack 的 tooz 的锁，使用 redis-py 的令牌。</translation>
    </message>
    <message>
        <source>The heartbeat of the coordinator renews it.</source>
        <translation>由协调器的心跳续期。</translation>
    </message>
    <message>
        <source>kombu</source>
        <translation>kombu</translation>
    </message>
    <message>
        <source>Lets one worker at a time restore unacknowledged messages, with a token of redis-py.</source>
        <translation>使同一时间只有一个工作进程恢复未确认的消息，使用 redis-py 的令牌。</translation>
    </message>
    <message>
        <source>No client waits for it: a worker that finds it taken goes on without.</source>
        <translation>没有客户端等待它：工作进程发现锁已被占用时，不获取锁而继续运行。</translation>
    </message>
    <message>
        <source>The lock of walrus (Python). Its waiters block on a list, to which a release pushes.</source>
        <translation>walrus（Python）的锁。其等待者阻塞在一个列表上，释放时向该列表推入元素。</translation>
    </message>
    <message>
        <source>The lock of warlock (Node): a UUID of version 1 in base64, which tells when it was taken.</source>
        <translation>warlock（Node）的锁：base64 编码的版本 1 UUID，可看出获取时间。</translation>
    </message>
    <message>
        <source>The transient doing_cron of WordPress, where a plugin keeps its object cache in Redis: the time at which the running cron began.</source>
        <translation>WordPress 的 transient doing_cron（由插件将对象缓存存放在 Redis 中）：值为正在运行的 cron 的开始时间。</translation>
    </message>
    <message>
        <source>Yii</source>
        <translation>Yii</translation>
    </message>
    <message>
        <source>The Mutex of yii2-redis. The key is a checksum: the name of the lock cannot be told.</source>
        <translation>yii2-redis 的 Mutex。键是校验和，无法得知锁的名称。</translation>
    </message>
    <message>
        <source>EXISTS, then SET</source>
        <translation>先 EXISTS，再 SET</translation>
    </message>
    <message>
        <source>Checks whether the key exists and writes it if not; DEL releases it.</source>
        <translation>检查键是否存在，不存在则写入；用 DEL 释放。</translation>
    </message>
    <message>
        <source>Two clients can both see that the key does not exist, and both acquire the lock.</source>
        <translation>两个客户端可能都看到键不存在，于是都获取到锁。</translation>
    </message>
    <message>
        <source>no holder dies</source>
        <translation>没有持有者崩溃</translation>
    </message>
    <message>
        <source>SETNX alone</source>
        <translation>只用 SETNX</translation>
    </message>
    <message>
        <source>SETNX sets the key, DEL releases it. The key never expires.</source>
        <translation>SETNX 设置键，DEL 释放键。键永不过期。</translation>
    </message>
    <message>
        <source>A holder that dies leaves the lock behind, and all others wait forever.</source>
        <translation>持有者崩溃后锁仍留着，其他客户端永远等待。</translation>
    </message>
    <message>
        <source>only holders release, and only once</source>
        <translation>只有持有者释放，且只释放一次</translation>
    </message>
    <message>
        <source>no holder dies, and no message is lost</source>
        <translation>没有持有者崩溃，且没有消息丢失</translation>
    </message>
    <message>
        <source>SETNX, then EXPIRE</source>
        <translation>先 SETNX，再 EXPIRE</translation>
    </message>
    <message>
        <source>SETNX sets the key, a second command sets its expiry; DEL releases it.</source>
        <translation>SETNX 设置键，第二条命令设置过期时间；用 DEL 释放。</translation>
    </message>
    <message>
        <source>A client that dies between the two commands leaves a lock that never expires.</source>
        <translation>客户端在两条命令之间崩溃，会留下永不过期的锁。</translation>
    </message>
    <message>
        <source>every holder is done before its lease is over, and the server loses no acknowledged write</source>
        <translation>每个持有者都在租约结束前完成工作，且服务器不丢失已确认的写入</translation>
    </message>
    <message>
        <source>no client dies between the two commands, and no message is lost</source>
        <translation>没有客户端在两条命令之间崩溃，且没有消息丢失</translation>
    </message>
    <message>
        <source>SETNX and GETSET with a time stamp</source>
        <translation>带时间戳的 SETNX 和 GETSET</translation>
    </message>
    <message>
        <source>The value is the time at which the hold ends, by the client&apos;s clock; a client that finds it in the past takes over with GETSET.</source>
        <translation>值是按客户端时钟计算的持有结束时间；客户端发现该时间已过，就用 GETSET 接管。</translation>
    </message>
    <message>
        <source>A client whose clock is ahead takes over a live lock, and a loser of GETSET overwrites the winner&apos;s stamp.</source>
        <translation>时钟偏快的客户端会接管仍然有效的锁，GETSET 的败者会覆盖胜者的时间戳。</translation>
    </message>
    <message>
        <source>the clocks of all clients agree, no client pauses between two commands, every holder is done before its lease is over, and the server loses no acknowledged write</source>
        <translation>所有客户端的时钟一致，没有客户端在两条命令之间暂停，每个持有者都在租约结束前完成工作，且服务器不丢失已确认的写入</translation>
    </message>
    <message>
        <source>no client&apos;s clock is far ahead</source>
        <translation>没有客户端的时钟快很多</translation>
    </message>
    <message>
        <source>SET NX EX and a plain DEL</source>
        <translation>SET NX EX 和普通 DEL</translation>
    </message>
    <message>
        <source>One command sets the key with an expiry; DEL releases it.</source>
        <translation>一条命令设置键和过期时间；用 DEL 释放。</translation>
    </message>
    <message>
        <source>A holder that outlives its lease deletes the lock of the next holder.</source>
        <translation>持有者超过租约后，会删除下一个持有者的锁。</translation>
    </message>
    <message>
        <source>SETNX and EXPIRE in one script</source>
        <translation>在一个脚本中执行 SETNX 和 EXPIRE</translation>
    </message>
    <message>
        <source>A script sets the key and its expiry in one step; DEL releases it.</source>
        <translation>脚本一步设置键及其过期时间；用 DEL 释放。</translation>
    </message>
    <message>
        <source>SET NX PX with a token</source>
        <translation>带令牌的 SET NX PX</translation>
    </message>
    <message>
        <source>One command sets the key with a token and an expiry; a script deletes it only while it contains that token.</source>
        <translation>一条命令设置键、令牌和过期时间；脚本仅在键中仍是该令牌时才删除键。</translation>
    </message>
    <message>
        <source>the holder is done before its lease is over, and the server loses no acknowledged write</source>
        <translation>持有者在租约结束前完成工作，且服务器不丢失已确认的写入</translation>
    </message>
    <message>
        <source>A token set by a script, and a heartbeat</source>
        <translation>由脚本设置令牌，加心跳</translation>
    </message>
    <message>
        <source>A script takes the key with a token; a heartbeat every 3 s begins the 5 s lease anew; a script deletes the key only while it holds the token.</source>
        <translation>脚本用令牌获取键；每 3 s 一次的心跳使 5 s 租约重新开始；脚本仅在键中仍是该令牌时才删除键。</translation>
    </message>
    <message>
        <source>The heartbeat ends at the first error or refusal, and the worker is not told.</source>
        <translation>心跳在首次出错或被拒绝时终止，且不通知工作方。</translation>
    </message>
    <message>
        <source>no heartbeat fails or comes late, and the server loses no acknowledged write</source>
        <translation>没有心跳失败或迟到，且服务器不丢失已确认的写入</translation>
    </message>
    <message>
        <source>no holder hangs while its heartbeat continues</source>
        <translation>没有持有者在心跳继续时挂起</translation>
    </message>
    <message>
        <source>Bounded watchdog</source>
        <translation>有上限的看门狗</translation>
    </message>
    <message>
        <source>A token lock that is renewed every third of its lease, at most 20 times; the worker is told when the lock can no longer be trusted.</source>
        <translation>令牌锁，每过租约的三分之一续期一次，最多 20 次；锁不再可信时通知工作方。</translation>
    </message>
    <message>
        <source>Work that outlasts all renewals and the last lease loses its lock: the price of not blocking the others forever.</source>
        <translation>工作超出全部续期和最后一次租约时会失去锁：这是不永远阻塞其他客户端的代价。</translation>
    </message>
    <message>
        <source>the holder stops as soon as it is told, is never slower than the rest of its lease, and the server loses no acknowledged write</source>
        <translation>持有者收到通知立即停止，耗时从不超过租约的剩余时间，且服务器不丢失已确认的写入</translation>
    </message>
    <message>
        <source>Reentrant by counting in the client</source>
        <translation>在客户端计数的可重入锁</translation>
    </message>
    <message>
        <source>The client counts the holds of each task; Redis sees the first and the last. A loop renews once per lease, at most 4 times.</source>
        <translation>客户端为每个任务记录重入次数；Redis 只看到第一次和最后一次。一个循环在每个租约内续期一次，最多 4 次。</translation>
    </message>
    <message>
        <source>The renewal comes when the lease is over, and releasing one key stops the renewals of all.</source>
        <translation>续期在租约结束时才到，且释放一个键会停止所有键的续期。</translation>
    </message>
    <message>
        <source>each task counts for itself</source>
        <translation>每个任务各自计数</translation>
    </message>
    <message>
        <source>A hash counts the holds of its owner; scripts increment and decrement the count and delete the key at zero; a renewal checks the owner&apos;s field.</source>
        <translation>哈希记录所有者的重入次数；脚本增减计数，减到零时删除键；续期时检查所有者的字段。</translation>
    </message>
    <message>
        <source>An unlock that is sent twice counts twice, and a nested hold with a shorter lease cuts the outer one.</source>
        <translation>发送两次的解锁会计两次，租约较短的嵌套持有会缩短外层租约。</translation>
    </message>
    <message>
        <source>the holder is done before its lease is over, nested holds have the same lease, and the server loses no acknowledged write</source>
        <translation>持有者在租约结束前完成工作，嵌套持有的租约相同，且服务器不丢失已确认的写入</translation>
    </message>
    <message>
        <source>no lost answer, neither of a lock nor of an unlock</source>
        <translation>加锁和解锁的应答都不丢失</translation>
    </message>
    <message>
        <source>nested holds have the same lease, and the clocks of client and server run equally fast</source>
        <translation>嵌套持有的租约相同，且客户端与服务器的时钟走速一致</translation>
    </message>
    <message>
        <source>Redisson&apos;s lock</source>
        <translation>Redisson 的锁</translation>
    </message>
    <message>
        <source>A hash counts the holds of its owner; a watchdog renews every 10 s of a 30 s lease; waiters sleep until the unlock is published.</source>
        <translation>哈希记录所有者的重入次数；租约 30 s，看门狗每 10 s 续期一次；等待者休眠，直到解锁消息发布。</translation>
    </message>
    <message>
        <source>the watchdog runs, and the server loses no acknowledged write</source>
        <translation>看门狗在运行，且服务器不丢失已确认的写入</translation>
    </message>
    <message>
        <source>an unlock is not repeated after its latch is gone</source>
        <translation>解锁不会在其 latch 键消失后重发</translation>
    </message>
    <message>
        <source>Redisson&apos;s fair lock</source>
        <translation>Redisson 的公平锁</translation>
    </message>
    <message>
        <source>Redisson&apos;s lock with a queue: waiters are woken in the order of their requests, and a waiter that misses its deadline is removed.</source>
        <translation>带队列的 Redisson 锁：按请求顺序唤醒等待者，错过截止时间的等待者会被移除。</translation>
    </message>
    <message>
        <source>The deadlines are set by the clients&apos; clocks: a fast clock removes live waiters from the queue, a slow one makes all wait behind dead ones.</source>
        <translation>截止时间由客户端时钟设定：偏快的时钟会把仍在等待的等待者移出队列，偏慢的时钟会使所有等待者排在已崩溃的等待者之后。</translation>
    </message>
    <message>
        <source>the wall clocks of the clients agree, and no waiter dies</source>
        <translation>各客户端的系统时钟一致，且没有等待者崩溃</translation>
    </message>
    <message>
        <source>The same token on a majority of N independent masters, with time left on the lease when the last of them has answered.</source>
        <translation>在 N 个独立主节点的多数上写入同一令牌，且最后一个应答到达时租约仍有剩余时间。</translation>
    </message>
    <message>
        <source>the holder is done within the validity, clocks drift by less than 1 %, and a node that forgets its keys stays away for one lease</source>
        <translation>持有者在有效时间内完成工作，时钟漂移小于 1 %，且丢失键的节点停用一个租约的时长</translation>
    </message>
    <message>
        <source>clocks drift by less than 1 %</source>
        <translation>时钟漂移小于 1 %</translation>
    </message>
    <message>
        <source>a majority of the nodes can be reached</source>
        <translation>多数节点可达</translation>
    </message>
    <message>
        <source>Redlock without the elapsed time</source>
        <translation>不计已用时间的 Redlock</translation>
    </message>
    <message>
        <source>The same token on a majority of N independent masters; a client with a majority believes in the whole lease from then on.</source>
        <translation>在 N 个独立主节点的多数上写入同一令牌；客户端得到多数后，即认为自己拥有从此刻起的完整租约。</translation>
    </message>
    <message>
        <source>Slow votes may have nearly expired when they are counted: the holder believes in a lease that the servers have ended.</source>
        <translation>缓慢的投票在计数时可能已接近过期：持有者相信的租约，服务器已经结束。</translation>
    </message>
    <message>
        <source>Read-write lock in two keys</source>
        <translation>两个键的读写锁</translation>
    </message>
    <message>
        <source>One flag for all readers and one for the writer, each with an expiry; a script checks the other side before it sets its own.</source>
        <translation>所有读者共用一个标志，写者一个标志，各有过期时间；脚本先检查另一侧，再设置自己的标志。</translation>
    </message>
    <message>
        <source>All readers share one flag: the first to leave deletes it, and a writer enters while the others read.</source>
        <translation>所有读者共用一个标志：第一个离开的读者会删除它，写者随即进入，而其他读者仍在读。</translation>
    </message>
    <message>
        <source>readers do not overlap forever</source>
        <translation>读者不会无止境地前后重叠</translation>
    </message>
    <message>
        <source>Read-write lock in two keys, readers counted</source>
        <translation>两个键的读写锁，对读者计数</translation>
    </message>
    <message>
        <source>One key counts the readers, the other holds the writer&apos;s token; scripts compare and count.</source>
        <translation>一个键记录读者数，另一个键存放写者的令牌；由脚本比较和计数。</translation>
    </message>
    <message>
        <source>Readers are anonymous and share one expiry: a shorter lease cuts a longer one, a late reader&apos;s release counts for a live one, and overlapping readers block writers.</source>
        <translation>读者匿名且共用一个过期时间：较短的租约会缩短较长的租约，迟到读者的释放会算在仍在读的读者头上，前后重叠的读者会阻塞写者。</translation>
    </message>
    <message>
        <source>all leases are equally long, every holder is done before its own is over, no answer is lost, and the server loses no acknowledged write</source>
        <translation>所有租约长度相同，每个持有者都在自己的租约结束前完成工作，没有应答丢失，且服务器不丢失已确认的写入</translation>
    </message>
    <message>
        <source>Read-write hash, by timestamps</source>
        <translation>读写哈希，按时间戳</translation>
    </message>
    <message>
        <source>One hash stores the times at which reading and writing began; a read counts for 1 s and a write for 3 s, by the clock of the requesting client.</source>
        <translation>一个哈希存放读和写的开始时间；读按 1 s 计，写按 3 s 计，以发出请求的客户端的时钟为准。</translation>
    </message>
    <message>
        <source>All readers share one timestamp, and timestamps of different clocks are compared: a second reader, a fast clock or a late message lets a writer in.</source>
        <translation>所有读者共用一个时间戳，且会比较来自不同时钟的时间戳：第二个读者、偏快的时钟或迟到的消息都会放写者进入。</translation>
    </message>
    <message>
        <source>no clock is far ahead</source>
        <translation>没有时钟快很多</translation>
    </message>
    <message>
        <source>Read-write hash, by field presence</source>
        <translation>读写哈希，按字段是否存在</translation>
    </message>
    <message>
        <source>One hash with a field for reading and one for writing; each side excludes the other while its field exists, and removes it only if it contains its own stamp.</source>
        <translation>一个哈希，读和写各一个字段；一侧的字段存在时排斥另一侧，且仅在字段中是自己的时间戳时才删除它。</translation>
    </message>
    <message>
        <source>The field for reading records only the last reader: when that reader leaves, a writer enters while the others read.</source>
        <translation>读字段只记录最后一个读者：该读者离开后，写者随即进入，而其他读者仍在读。</translation>
    </message>
    <message>
        <source>Read-write hash, a field per hold</source>
        <translation>读写哈希，每次持有一个字段</translation>
    </message>
    <message>
        <source>One hash with a field for every hold, each with its own expiry on the server&apos;s clock; readers can be made to queue behind a waiting writer.</source>
        <translation>一个哈希，每次持有一个字段，各有按服务器时钟计算的过期时间；可以让读者排在等待的写者之后。</translation>
    </message>
    <message>
        <source>every holder is done before its lease is over, the server&apos;s clock does not jump, and it loses no acknowledged write</source>
        <translation>每个持有者都在租约结束前完成工作，服务器时钟不跳变，且服务器不丢失已确认的写入</translation>
    </message>
    <message>
        <source>Redisson&apos;s read-write lock</source>
        <translation>Redisson 的读写锁</translation>
    </message>
    <message>
        <source>A hash with its mode and a field per owner and side; every read hold has a key that runs out with it, and waiters sleep until the last one leaves.</source>
        <translation>一个哈希，存放模式，以及每个所有者在读、写各侧的字段；每次读持有有一个随之过期的键，等待者休眠，直到最后一个持有者离开。</translation>
    </message>
    <message>
        <source>no reader waits for the write lock</source>
        <translation>没有读者等待写锁</translation>
    </message>
    <message>
        <source>Token with a fence</source>
        <translation>带防护的令牌</translation>
    </message>
    <message>
        <source>The token lock, plus a fencing token that increases with every grant: the protected resource rejects holders with an older one.</source>
        <translation>令牌锁，外加每次授予时递增的防护令牌：受保护的资源会拒绝防护令牌较旧的持有者。</translation>
    </message>
    <message>
        <source>Hand-off through lists</source>
        <translation>通过列表交接</translation>
    </message>
    <message>
        <source>Waiters queue up by the server&apos;s clock and each block on a list; a release hands the lock to the first waiter and wakes no other.</source>
        <translation>等待者按服务器时钟排队，各自阻塞在一个列表上；释放时将锁交给第一个等待者，不唤醒其他等待者。</translation>
    </message>
    <message>
        <source>a waiter fetches the lock within the second it is kept for it</source>
        <translation>等待者在锁为其保留的一秒内取走锁</translation>
    </message>
    <message>
        <source>A sorted set of permits with an expiry each, by the server&apos;s clock: there is room while it has fewer than N.</source>
        <translation>一个有序集合存放许可，每个许可有按服务器时钟计算的过期时间：许可少于 N 个时即有空位。</translation>
    </message>
    <message>
        <source>N holders count as one: all clients use the same N, each is done before its lease is over, and the server loses no acknowledged write</source>
        <translation>N 个持有者视为一个：所有客户端使用相同的 N，每个都在租约结束前完成工作，且服务器不丢失已确认的写入</translation>
    </message>
    <message>
        <source>exclusive</source>
        <translation>独占</translation>
    </message>
    <message>
        <source>read</source>
        <translation>读</translation>
    </message>
    <message>
        <source>write</source>
        <translation>写</translation>
    </message>
    <message>
        <source>semaphore</source>
        <translation>信号量</translation>
    </message>
    <message>
        <source>low</source>
        <translation>低</translation>
    </message>
    <message>
        <source>medium</source>
        <translation>中</translation>
    </message>
    <message>
        <source>high</source>
        <translation>高</translation>
    </message>
    <message>
        <source>released</source>
        <translation>已释放</translation>
    </message>
    <message>
        <source>expired</source>
        <translation>已过期</translation>
    </message>
    <message>
        <source>unwatched</source>
        <translation>已停止监视</translation>
    </message>
    <message>
        <source>unknown field %1: the fields are %2; text with a colon is looked for in quotes</source>
        <translation>未知字段 %1：可用字段为 %2；带冒号的文本请加引号查找</translation>
    </message>
    <message>
        <source>%1 is no text: compare it with &quot;:&quot;, &quot;=&quot;, &quot;&lt;&quot;, &quot;&lt;=&quot;, &quot;&gt;&quot; or &quot;&gt;=&quot;</source>
        <translation>%1 不是文本：请用 &quot;:&quot;、&quot;=&quot;、&quot;&lt;&quot;、&quot;&lt;=&quot;、&quot;&gt;&quot; 或 &quot;&gt;=&quot; 比较</translation>
    </message>
    <message>
        <source>a regular expression ends with its closing &quot;/&quot;</source>
        <translation>正则表达式以结尾的 &quot;/&quot; 结束</translation>
    </message>
    <message>
        <source>this regular expression cannot be read: %1</source>
        <translation>无法解析此正则表达式：%1</translation>
    </message>
    <message>
        <source>the closing &quot;/&quot; is missing</source>
        <translation>缺少结尾的 &quot;/&quot;</translation>
    </message>
    <message>
        <source>there is nothing to repeat before &quot;%1&quot;</source>
        <translation>&quot;%1&quot; 之前没有可重复的内容</translation>
    </message>
    <message>
        <source>the regular expression is too large</source>
        <translation>正则表达式过大</translation>
    </message>
    <message>
        <source>a character is missing behind &quot;\&quot;</source>
        <translation>&quot;\&quot; 之后缺少字符</translation>
    </message>
    <message>
        <source>the closing &quot;]&quot; is missing</source>
        <translation>缺少结尾的 &quot;]&quot;</translation>
    </message>
    <message>
        <source>a range is written as [a-z]</source>
        <translation>范围写作 [a-z]</translation>
    </message>
    <message>
        <source>an unrecorded owner</source>
        <translation>未记录的所有者</translation>
    </message>
    <message>
        <source>Gives %1, held by %2, an expiry of %3, but only if that hold is still there and does not end sooner; otherwise nothing is done.</source>
        <translation>为 %1（由 %2 持有）设置 %3 的过期时间，但仅当该持有仍然存在且不会更早结束；否则不做任何操作。</translation>
    </message>
    <message>
        <source>Ends the hold of %1 on %2 and keeps the lock taken for %3, but only if that hold is still there; otherwise nothing is done.</source>
        <translation>结束 %1 对 %2 的持有，并使该锁继续被占用 %3，但仅当该持有仍然存在；否则不做任何操作。</translation>
    </message>
    <message>
        <source>Ends the hold of %1 on %2, but only if that hold is still there; otherwise nothing is done.</source>
        <translation>结束 %1 对 %2 的持有，但仅当该持有仍然存在；否则不做任何操作。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not supported</source>
        <translation>不支持 &quot;%1&quot;</translation>
    </message>
    <message>
        <source>a repetition is written as {2}, {2,} or {2,4}, up to {1000}</source>
        <translation>重复写作 {2}、{2,} 或 {2,4}，最多 {1000}</translation>
    </message>
    <message>
        <source>it is not UTF-8</source>
        <translation>它不是 UTF-8</translation>
    </message>
    <message>
        <source>%1 is hold %2 of process %3, and a random number.</source>
        <translation>%1 由进程 %3 的第 %2 次持有和一个随机数组成。</translation>
    </message>
    <message>
        <source>Its waiters are subscribed to the channel %1; a release publishes %2 there, which wakes them. Those of a fair lock would queue up in %3.</source>
        <translation>等待者订阅了频道 %1；释放操作会在该频道发布 %2 以唤醒它们。公平锁的等待者则会在 %3 中排队。</translation>
    </message>
    <message>
        <source>Number of clients that want the locks.</source>
        <translation>想要这些锁的客户端数量。</translation>
    </message>
    <message>
        <source>Connections</source>
        <translation>连接数</translation>
    </message>
    <message>
        <source>How many connections to a server all contenders share. They send their commands without waiting for each other&apos;s replies. Empty: one for each contender.</source>
        <translation>所有竞争者共用多少条到服务器的连接。它们发送命令时不等待彼此的回复。留空：每个竞争者一条。</translation>
    </message>
    <message>
        <source>one each</source>
        <translation>每个一条</translation>
    </message>
    <message>
        <source>cannot be predicted</source>
        <translation>无法预测</translation>
    </message>
    <message>
        <source>1 contender</source>
        <translation>1 个竞争者</translation>
    </message>
    <message>
        <source>%1 contenders</source>
        <translation>%1 个竞争者</translation>
    </message>
    <message>
        <source>%1 on 1 connection</source>
        <translation>%1，共用 1 条连接</translation>
    </message>
    <message>
        <source>%1 on %2 connections</source>
        <translation>%1，共用 %2 条连接</translation>
    </message>
    <message>
        <source>%1 · %2 · %3 · lease %4 · for %5 · on %6</source>
        <translation>%1 · %2 · %3 · 租约 %4 · 时长 %5 · 位于%6</translation>
    </message>
    <message>
        <source>No client of this server is blocked on a list now.</source>
        <translation>此服务器目前没有客户端阻塞在列表上。</translation>
    </message>
    <message>
        <source>1 client of this server is blocked on a list now; Redis does not tell on which list.</source>
        <translation>此服务器目前有 1 个客户端阻塞在列表上；Redis 不会说明是哪个列表。</translation>
    </message>
    <message>
        <source>%1 clients of this server are blocked on lists now; Redis does not tell on which lists.</source>
        <translation>此服务器目前有 %1 个客户端阻塞在列表上；Redis 不会说明是哪些列表。</translation>
    </message>
    <message>
        <source>It is unknown whether the lock was put back: the command was sent, but no reply came. Check the lock.</source>
        <translation>不知道锁是否已放回：命令已发送，但没有收到回复。请检查该锁。</translation>
    </message>
    <message>
        <source>The key exists again; nothing was done. It is held by %1.</source>
        <translation>该键又存在了；未做任何操作。它由 %1 持有。</translation>
    </message>
    <message>
        <source>The key exists again; nothing was done.</source>
        <translation>该键又存在了；未做任何操作。</translation>
    </message>
    <message>
        <source>Put back. Its holder may already have noticed the release.</source>
        <translation>已放回。其持有者可能已经察觉到这次释放。</translation>
    </message>
    <message>
        <source>Creates %1 again as it was, held by %2, but only if nothing is under the key; otherwise nothing is done.</source>
        <translation>按原样重新创建由 %2 持有的 %1，但仅当该键不存在时；否则不做任何操作。</translation>
    </message>
    <message>
        <source>at most %1: so many clients are blocked on lists; Redis does not tell on which</source>
        <translation>最多 %1：有这么多客户端阻塞在列表上；Redis 不会说明是哪些列表</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>not visible: nothing listens, but clients may poll</source>
        <translation>不可见：没有客户端订阅，但客户端可能在轮询</translation>
    </message>
    <message>
        <source>not visible: they block on a list, and the clients were not listed</source>
        <translation>不可见：它们阻塞在列表上，而客户端列表未能取得</translation>
    </message>
    <message>
        <source>unknown: could not be read</source>
        <translation>未知：无法读取</translation>
    </message>
    <message>
        <source>not visible: Redis does not record them</source>
        <translation>不可见：Redis 不记录等待者</translation>
    </message>
    <message>
        <source>the task that took a lock gives it back</source>
        <translation>由获取锁的任务归还锁</translation>
    </message>
    <message>
        <source>a lease %1 times as long</source>
        <translation>%1 倍长的租约</translation>
    </message>
    <message>
        <source>WAIT 1 behind each grant</source>
        <translation>每次授予后执行 WAIT 1</translation>
    </message>
    <message>
        <source>%1 independent servers</source>
        <translation>%1 台独立服务器</translation>
    </message>
    <message>
        <source>a resource that refuses smaller fencing tokens than it has seen</source>
        <translation>拒绝比已见过的更小的防护令牌的资源</translation>
    </message>
    <message>
        <source>code of your own</source>
        <translation>自行编写代码</translation>
    </message>
    <message>
        <source>Two things together, %1 and %2: the only harm left with %3 was a late holder, whom the resource refuses.</source>
        <translation>两项措施并用，%1和%2：%3 剩下的唯一危害是迟到的持有者，而资源会拒绝它。</translation>
    </message>
    <message>
        <source>Two things together, %1 and %2: nothing broke %3 then.</source>
        <translation>两项措施并用，%1和%2：%3 未被违反。</translation>
    </message>
    <message>
        <source>released by another task</source>
        <translation>由另一个任务释放</translation>
    </message>
    <message>
        <source>another task of %1 releases %2</source>
        <translation>%1 的另一个任务释放 %2</translation>
    </message>
    <message>
        <source>that task of %1 does not hold %2</source>
        <translation>%1 的这个任务并不持有 %2</translation>
    </message>
    <message>
        <source>Handed over</source>
        <translation>转交释放</translation>
    </message>
    <message>
        <source>Another task of the program releases the lock than the one that acquired it.</source>
        <translation>释放锁的任务不是获取它的任务，而是同一程序的另一个任务。</translation>
    </message>
    <message>
        <source>another task releases the lock</source>
        <translation>由另一个任务释放锁</translation>
    </message>
    <message>
        <source>every task releases its own locks</source>
        <translation>每个任务都自己释放自己的锁</translation>
    </message>
    <message>
        <source>%1. %2</source>
        <translation>%1。%2</translation>
    </message>
    <message>
        <source>A token lock of your own</source>
        <translation>自己的令牌锁</translation>
    </message>
    <message>
        <source>Takes the key with a fresh token and an expiry, tells how long the hold in the way lasts, and deletes the key only while it holds the token.</source>
        <translation>用新令牌和过期时间占用键，告知阻挡它的持有还剩多久；仅当键中仍是该令牌时才删除键。</translation>
    </message>
    <message>
        <source>A reentrant lock with a heartbeat</source>
        <translation>带心跳的可重入锁</translation>
    </message>
    <message>
        <source>A hash counts the holds of its owner; the heartbeat begins the lease anew every third of it, and ends with the hold.</source>
        <translation>哈希记录所有者的重入次数；心跳每隔三分之一租约重新开始租约，并随持有一起结束。</translation>
    </message>
    <message>
        <source>A short lease with a heartbeat</source>
        <translation>带心跳的短租约</translation>
    </message>
    <message>
        <source>Takes the key with a fresh token for five seconds and renews it every two; the key is deleted only while it holds the token.</source>
        <translation>用新令牌占用键五秒，每两秒续期一次；仅当键中仍是该令牌时才删除键。</translation>
    </message>
    <message>
        <source>A token lock that wakes its waiters</source>
        <translation>唤醒等待者的令牌锁</translation>
    </message>
    <message>
        <source>A token lock whose release publishes on a channel of the lock; a client that is refused listens there, and tries again when it hears something, or when the hold in its way runs out.</source>
        <translation>释放时在锁的频道上发布消息的令牌锁；被拒绝的客户端在该频道上监听，收到消息或阻挡它的持有到期时重试。</translation>
    </message>
    <message>
        <source>A token lock in two keys</source>
        <translation>使用两个键的令牌锁</translation>
    </message>
    <message>
        <source>A token lock with a second key that counts the grants: the number is a fence, which the protected resource compares.</source>
        <translation>令牌锁，另有一个键对授予计数：该数字是防护令牌，由受保护的资源进行比较。</translation>
    </message>
    <message>
        <source>A hash counts the holds of its owner; a watchdog renews every 10 s of a 30 s lease; waiters sleep until the unlock is published. Without the latch by which Redisson repeats an unlock.</source>
        <translation>哈希记录所有者的重入次数；租约 30 s，看门狗每 10 s 续期一次；等待者休眠，直到解锁消息发布。不含 Redisson 用来重复解锁的闩锁。</translation>
    </message>
    <message>
        <source>the name of the master is missing: redis+sentinel://host:port/mymaster</source>
        <translation>缺少主节点的名称：redis+sentinel://host:port/mymaster</translation>
    </message>
    <message>
        <source>only the name of the master may follow the Sentinels; the database is an option: ?db=N</source>
        <translation>Sentinel 之后只能是主节点的名称；数据库是选项：?db=N</translation>
    </message>
    <message>
        <source>name of the master</source>
        <translation>主节点的名称</translation>
    </message>
    <message>
        <source>the password of the Sentinels must not be a parameter: put it into LOCKSCOPE_SENTINEL_PASSWORD or a file</source>
        <translation>Sentinel 的密码不能作为参数：请放在 LOCKSCOPE_SENTINEL_PASSWORD 或文件中</translation>
    </message>
    <message>
        <source>No Sentinel could be asked for the master. Check the addresses of the Sentinels, and whether they are running.</source>
        <translation>无法向任何 Sentinel 询问主节点。请检查各 Sentinel 的地址，以及它们是否在运行。</translation>
    </message>
    <message>
        <source>The Sentinels do not accept the user name and password given for them. These are not those of the server: see --sentinel-password-file and ?sentinel-user=.</source>
        <translation>Sentinel 不接受为它们提供的用户名和密码。这不是服务器的用户名和密码：见 --sentinel-password-file 和 ?sentinel-user=。</translation>
    </message>
    <message>
        <source>The master named by the Sentinels cannot be reached. Check whether it is running, and whether its address can be reached from here.</source>
        <translation>无法连接 Sentinel 所指的主节点。请检查它是否在运行，以及从这里能否连接其地址。</translation>
    </message>
    <message>
        <source>The server named by the Sentinels is not a master at present. A failover may be under way.</source>
        <translation>Sentinel 所指的服务器目前不是主节点。可能正在进行故障转移。</translation>
    </message>
    <message>
        <source>The Sentinels name another server as the master now.</source>
        <translation>Sentinel 现在指定另一台服务器为主节点。</translation>
    </message>
    <message>
        <source>The Sentinels watch no master named %1. They watch none at all.</source>
        <translation>Sentinel 没有监视名为 %1 的主节点，也没有监视任何其他主节点。</translation>
    </message>
    <message>
        <source>The Sentinels watch no master named %1. They watch %2.</source>
        <translation>Sentinel 没有监视名为 %1 的主节点。它们监视的是 %2。</translation>
    </message>
    <message>
        <source>this is not a Sentinel</source>
        <translation>这不是 Sentinel</translation>
    </message>
    <message>
        <source>%1 according to the Sentinel at %2</source>
        <translation>%1，来自 %2 的 Sentinel</translation>
    </message>
    <message>
        <source>This is a Sentinel, which stores no keys and therefore no locks. It watches no master.</source>
        <translation>这是 Sentinel，不存储键，因此没有锁。它没有监视任何主节点。</translation>
    </message>
    <message>
        <source>%1 (now %2): %3</source>
        <translation>%1（目前是 %2）：%3</translation>
    </message>
    <message>
        <source>This is a Sentinel, which stores no keys and therefore no locks. Connect to a master that it watches: %1</source>
        <translation>这是 Sentinel，不存储键，因此没有锁。请连接它所监视的主节点：%1</translation>
    </message>
    <message>
        <source>, </source>
        <translation>，</translation>
    </message>
    <message>
        <source>an unnamed owner</source>
        <translation>未命名的持有者</translation>
    </message>
    <message>
        <source>%1: held by %2 for %3; %4 wait behind it, %5 together</source>
        <translation>%1：由 %2 持有 %3；其后有 %4 个在等待，合计 %5</translation>
    </message>
    <message>
        <source>%1 waits for %2</source>
        <translation>%1 已等待 %2</translation>
    </message>
    <message>
        <source>%1 waits for %2, and holds</source>
        <translation>%1 已等待 %2，并持有</translation>
    </message>
    <message>
        <source>Deadlock: each holder waits for the next lock.</source>
        <translation>死锁：每个持有者都在等待下一把锁。</translation>
    </message>
    <message>
        <source>%1: held by %2</source>
        <translation>%1：由 %2 持有</translation>
    </message>
    <message>
        <source>Nobody is known by name to wait for a lock.</source>
        <translation>没有已知名称的客户端在等待锁。</translation>
    </message>
    <message>
        <source>Locks with waiters whose names no server knows: %1.</source>
        <translation>等待者名称未知的锁：%1。</translation>
    </message>
    <message>
        <source>Risk of a false alarm: %1.</source>
        <translation>误报风险：%1。</translation>
    </message>
    <message>
        <source>Not known %1: %2</source>
        <translation>尚不清楚%1：%2</translation>
    </message>
    <message>
        <source>There is no sign that it is stuck.</source>
        <translation>没有迹象表明它卡住了。</translation>
    </message>
    <message>
        <source>There is no sign that it is stuck, as far as is known.</source>
        <translation>就目前所知，没有迹象表明它卡住了。</translation>
    </message>
    <message>
        <source>Locks without expiry</source>
        <translation>没有过期时间的锁</translation>
    </message>
    <message>
        <source>The first holder that crashes leaves a lock that nobody can acquire until a human deletes it.</source>
        <translation>第一个崩溃的持有者会留下一把谁也无法获取的锁，直到有人手动删除。</translation>
    </message>
    <message>
        <source>Acquire with SET key token NX PX milliseconds, in one command: with EXPIRE as a second command, a crash in between leaves such a lock as well.</source>
        <translation>用一条命令获取锁：SET key token NX PX 毫秒数。如果把 EXPIRE 作为第二条命令，两者之间崩溃同样会留下这样的锁。</translation>
    </message>
    <message>
        <source>Locks whose value tells no hold from the next</source>
        <translation>值无法区分前后两次持有的锁</translation>
    </message>
    <message>
        <source>A holder that is late releases the lock of the next one, because it cannot see that the lock is no longer its own.</source>
        <translation>迟到的持有者会释放下一个持有者的锁，因为它看不出锁已不再属于自己。</translation>
    </message>
    <message>
        <source>Write a new random token for every hold, and release with a script that compares it.</source>
        <translation>每次持有都写入新的随机令牌，并用比较令牌的脚本来释放。</translation>
    </message>
    <message>
        <source>Leases shorter than the holds</source>
        <translation>租约短于持有时间</translation>
    </message>
    <message>
        <source>The lease ends while its holder still works, and another client works at the same time.</source>
        <translation>租约结束时持有者仍在工作，另一个客户端同时也在工作。</translation>
    </message>
    <message>
        <source>Make the leases longer than the longest hold, renew them while the work goes on, and give what the lock protects a fencing token.</source>
        <translation>让租约长于最长的持有时间，在工作期间续期，并为锁所保护的内容使用防护令牌。</translation>
    </message>
    <message>
        <source>Data under names of locks</source>
        <translation>以锁的名称存放的数据</translation>
    </message>
    <message>
        <source>A script that tidies up locks by their names deletes data, and a lock that has the name of data fails to be acquired.</source>
        <translation>按名称清理锁的脚本会删除数据，而与数据同名的锁无法获取。</translation>
    </message>
    <message>
        <source>Give locks a prefix that no data has, such as lock:, and say of other names what they are: lockscope-cli treat PATTERN --not-a-lock.</source>
        <translation>给锁加上数据不使用的前缀，例如 lock:，并说明其他名称是什么：lockscope-cli treat PATTERN --not-a-lock。</translation>
    </message>
    <message>
        <source>The server may throw locks away</source>
        <translation>服务器可能丢弃锁</translation>
    </message>
    <message>
        <source>When its memory is full, a lock vanishes while it is held, and another client acquires it.</source>
        <translation>内存占满时，被持有的锁会消失，另一个客户端便会获取它。</translation>
    </message>
    <message>
        <source>Keep locks on a server with maxmemory-policy noeviction, apart from caches.</source>
        <translation>请将锁放在 maxmemory-policy 为 noeviction 的服务器上，与缓存分开。</translation>
    </message>
    <message>
        <source>A restart forgets locks</source>
        <translation>重启会遗忘锁</translation>
    </message>
    <message>
        <source>After a crash of the server the locks that were granted last are gone while their holders still work.</source>
        <translation>服务器崩溃后，最后授予的锁已消失，而它们的持有者仍在工作。</translation>
    </message>
    <message>
        <source>Set appendonly yes and appendfsync always, or let a server that crashed stay down for longer than the longest lease.</source>
        <translation>设置 appendonly yes 和 appendfsync always，或让崩溃的服务器停机时间长于最长的租约。</translation>
    </message>
    <message>
        <source>A failover may lose locks</source>
        <translation>故障转移可能丢失锁</translation>
    </message>
    <message>
        <source>Replication is asynchronous: a replica that becomes the master may not have the lock that was granted last, and grants it again.</source>
        <translation>复制是异步的：成为主节点的副本可能没有最后授予的锁，会再次授予它。</translation>
    </message>
    <message>
        <source>Give what the lock protects a fencing token, or use independent masters. WAIT and min-replicas-to-write only make it rarer.</source>
        <translation>为锁所保护的内容使用防护令牌，或使用相互独立的主节点。WAIT 和 min-replicas-to-write 只能使其更少发生。</translation>
    </message>
    <message>
        <source>The clocks of the set are apart</source>
        <translation>这组服务器的时钟不一致</translation>
    </message>
    <message>
        <source>A clock that is set forward ends leases before their time, and a second client gets a majority.</source>
        <translation>被拨快的时钟会提前结束租约，于是第二个客户端获得多数。</translation>
    </message>
    <message>
        <source>Let an NTP daemon keep the clocks of the servers, and let it slew them instead of setting them.</source>
        <translation>请让 NTP 守护进程维护服务器的时钟，并逐渐调整而不是直接设置。</translation>
    </message>
    <message>
        <source>%1 of %2 locks never expire.</source>
        <translation>%2 把锁中有 %1 把永不过期。</translation>
    </message>
    <message>
        <source>%1 of %2 locks have a value without an owner, or one too short to be random.</source>
        <translation>%2 把锁中有 %1 把的值没有持有者，或短得不可能是随机的。</translation>
    </message>
    <message>
        <source>%1 keys have names of locks, and values of data.</source>
        <translation>%1 个键有锁的名称，却存放着数据。</translation>
    </message>
    <message>
        <source>A single look does not show how holds end: watch with --for.</source>
        <translation>只看一次无法知道持有如何结束：请用 --for 观察。</translation>
    </message>
    <message>
        <source>Of %1 locks most holds ran out instead of being released, during %2.</source>
        <translation>在 %2 内，有 %1 把锁的大多数持有是到期而不是被释放。</translation>
    </message>
    <message>
        <source>Server %1 did not answer INFO.</source>
        <translation>服务器 %1 没有应答 INFO。</translation>
    </message>
    <message>
        <source>maxmemory-policy is %1, with a limit of %2 bytes of which %3 are used; %4 keys were evicted since the server started.</source>
        <translation>maxmemory-policy 为 %1，上限 %2 字节，已使用 %3；服务器启动以来已淘汰 %4 个键。</translation>
    </message>
    <message>
        <source>Its replicas: %1.</source>
        <translation>它的副本：%1。</translation>
    </message>
    <message>
        <source>The server does not tell about its persistence.</source>
        <translation>服务器没有说明其持久化方式。</translation>
    </message>
    <message>
        <source>appendonly is off: at most a snapshot is on disk.</source>
        <translation>appendonly 已关闭：磁盘上最多只有快照。</translation>
    </message>
    <message>
        <source>appendonly is on, but CONFIG GET appendfsync is refused.</source>
        <translation>appendonly 已开启，但 CONFIG GET appendfsync 被拒绝。</translation>
    </message>
    <message>
        <source>appendfsync is %1: the latest writes are not on disk yet.</source>
        <translation>appendfsync 为 %1：最近的写入尚未落盘。</translation>
    </message>
    <message>
        <source>Nothing was found that will hurt the locks.</source>
        <translation>没有发现会损害锁的问题。</translation>
    </message>
    <message>
        <source>Such as %1.</source>
        <translation>例如 %1。</translation>
    </message>
    <message>
        <source>Not known: %1. %2</source>
        <translation>尚不清楚：%1。%2</translation>
    </message>
    <message>
        <source>%1 MB</source>
        <translation>%1 MB</translation>
    </message>
    <message>
        <source>%1 bytes</source>
        <translation>%1 字节</translation>
    </message>
    <message>
        <source>That client was %1, found because %2.</source>
        <translation>该客户端是 %1，识别依据：%2。</translation>
    </message>
    <message>
        <source>This is the first look at it.</source>
        <translation>这是第一次看到它。</translation>
    </message>
    <message>
        <source>The votes of %1 of %2 servers are not known.</source>
        <translation>%2 台服务器中有 %1 台的投票未知。</translation>
    </message>
    <message>
        <source>No client in the server&apos;s list fits its owner: neither an address nor the name of a client is in the token.</source>
        <translation>服务器的客户端列表中没有与其持有者匹配的客户端：令牌中既没有客户端的地址，也没有客户端的名称。</translation>
    </message>
    <message>
        <source>Its value names no owner.</source>
        <translation>它的值没有指明持有者。</translation>
    </message>
    <message>
        <source>None of its holds was watched from beginning to end.</source>
        <translation>没有从头到尾观察过它的任何一次持有。</translation>
    </message>
    <message>
        <source>Too few of its holds were watched from beginning to end: %1.</source>
        <translation>从头到尾观察过的持有次数太少：%1。</translation>
    </message>
    <message>
        <source>It was not renewed.</source>
        <translation>它没有被续期。</translation>
    </message>
    <message>
        <source>Held for %1 so far; the last %2 holds that were watched took at most %3.</source>
        <translation>到目前为止已持有 %1；最近观察的 %2 次持有最长为 %3。</translation>
    </message>
    <message>
        <source>%1 of the last %2 holds that were watched ran out instead of being released; the last lease was %3.</source>
        <translation>最近观察的 %2 次持有中有 %1 次是到期而不是被释放；最后一次的租约为 %3。</translation>
    </message>
    <message>
        <source>%1 of the last %2 holds that were watched took longer than its lease of %3, which was not renewed.</source>
        <translation>最近观察的 %2 次持有中有 %1 次的时间超过了它 %3 的租约，而该租约没有被续期。</translation>
    </message>
    <message>
        <source>The reader %1 is still counted, but its lease is over; other readers keep the lock alive.</source>
        <translation>读者 %1 仍被计数，但其租约已结束；其他读者使这把锁继续存在。</translation>
    </message>
    <message>
        <source>The reader %1 and %2 more are still counted, but their leases are over; other readers keep the lock alive.</source>
        <translation>读者 %1 和另外 %2 个仍被计数，但它们的租约已结束；其他读者使这把锁继续存在。</translation>
    </message>
    <message>
        <source>%1 is the next in its queue, and no client listens on the channel on which it would be woken.</source>
        <translation>%1 是它的队首，但没有客户端在用于唤醒它的频道上监听。</translation>
    </message>
    <message>
        <source>It loses its place in %1.</source>
        <translation>它将在 %1 后失去位置。</translation>
    </message>
    <message>
        <source>The server was not asked.</source>
        <translation>没有询问服务器。</translation>
    </message>
    <message>
        <source>The server did not answer INFO.</source>
        <translation>服务器没有应答 INFO。</translation>
    </message>
    <message>
        <source>maxmemory is %1, of which %2 are used; the policy %3 may then throw away this key. %4 keys were evicted since the server started.</source>
        <translation>maxmemory 为 %1，已使用 %2；内存占满时，策略 %3 可能会丢弃这个键。服务器启动以来已淘汰 %4 个键。</translation>
    </message>
    <message>
        <source>This server is a replica of %1, which it does not reach: what it shows of the lock may be out of date.</source>
        <translation>此服务器是 %1 的副本，但无法连接到它：它显示的锁状态可能已过时。</translation>
    </message>
    <message>
        <source>This server is a replica of %1, which has been silent for %2: what it shows of the lock may be out of date.</source>
        <translation>此服务器是 %1 的副本，后者已有 %2 没有响应：它显示的锁状态可能已过时。</translation>
    </message>
    <message>
        <source>The replica %1 has told nothing for %2, longer than the lease of %3.</source>
        <translation>副本 %1 已有 %2 没有消息，超过了 %3 的租约。</translation>
    </message>
    <message>
        <source>Fewer than two servers told their time.</source>
        <translation>报告时间的服务器不足两台。</translation>
    </message>
    <message>
        <source>The clocks of its servers are %1 apart, measured to within %2; with its lease, Redlock allows for %3.</source>
        <translation>它的各服务器时钟相差 %1，测量误差在 %2 以内；按其租约，Redlock 允许相差 %3。</translation>
    </message>
    <message>
        <source>Make sure that its holder is gone, then release it. Acquire it with an expiry from now on: SET key token NX PX milliseconds, in one command.</source>
        <translation>先确认持有者已不在，再释放它。今后获取锁时同时设置过期时间：用一条命令 SET key token NX PX 毫秒数。</translation>
    </message>
    <message>
        <source>Nothing, where its clients take over expired locks: the next one does. Otherwise compare the clocks of the clients with the server&apos;s, then release it.</source>
        <translation>如果客户端会接管已过期的锁，则什么也不用做：下一个客户端会接管。否则先比较客户端与服务器的时钟，再释放它。</translation>
    </message>
    <message>
        <source>Look for a path in the program of its holder that acquires the lock and returns or fails without releasing it. A release from here ends all of its holds at once.</source>
        <translation>在持有者的程序中查找获取锁之后未释放就返回或失败的路径。从这里释放会一次结束它的全部持有。</translation>
    </message>
    <message>
        <source>whether its hold count ever shrinks</source>
        <translation>它的持有次数是否会减少</translation>
    </message>
    <message>
        <source>Its process is alive and its timer renews the lock: look whether the work behind it still goes on. Where it hangs, restart the process; after a release alone the timer may create the lock again.</source>
        <translation>它的进程还活着，由定时器为锁续期：请查看实际工作是否仍在进行。如果已挂起，请重启该进程；仅仅释放的话，定时器可能会重新创建这把锁。</translation>
    </message>
    <message>
        <source>whether it is being renewed</source>
        <translation>它是否在被续期</translation>
    </message>
    <message>
        <source>Release what is left on these servers, or wait until it expires. A client that fails to get a majority should release on all servers, also on those that did not answer.</source>
        <translation>释放这些服务器上的残留，或等待其到期。未获得多数的客户端应在所有服务器上释放，包括没有应答的服务器。</translation>
    </message>
    <message>
        <source>whether a majority of the servers has it</source>
        <translation>是否有多数服务器持有它</translation>
    </message>
    <message>
        <source>Wait for the leases to end. If it happens often, let the clients wait a random time between their attempts.</source>
        <translation>等待租约结束。如果经常发生，请让客户端在两次尝试之间等待随机的时间。</translation>
    </message>
    <message>
        <source>Treat what the lock protects as possibly damaged, then release the hold whose work is over.</source>
        <translation>把锁所保护的内容视为可能已损坏，然后释放工作已结束的那次持有。</translation>
    </message>
    <message>
        <source>Make sure that its holder is gone, then release it, and set the expiry of every key in the command or script that creates it.</source>
        <translation>先确认持有者已不在，再释放它；并在创建键的命令或脚本中为每个键设置过期时间。</translation>
    </message>
    <message>
        <source>Look whether its process still runs, on the host of its address. If it does not, release the lock.</source>
        <translation>在其地址所在的主机上查看它的进程是否仍在运行。如果没有，请释放这把锁。</translation>
    </message>
    <message>
        <source>whether its holder is still connected</source>
        <translation>它的持有者是否仍然连接着</translation>
    </message>
    <message>
        <source>at risk in a failover</source>
        <translation>故障转移时有风险</translation>
    </message>
    <message>
        <source>May be wrong if a replica received it in the last moment: masters tell that once a second.</source>
        <translation>如果副本在最后一刻收到了它，则可能有误：主节点每秒才报告一次。</translation>
    </message>
    <message>
        <source>Expect that another client may acquire it after the failover while its holder goes on. Where that must not happen, check a fencing token at the resource.</source>
        <translation>请预期故障转移后可能有另一个客户端获取它，而其持有者仍在继续。若不允许发生这种情况，请在资源处检查防护令牌。</translation>
    </message>
    <message>
        <source>whether a replica has it</source>
        <translation>是否有副本拥有它</translation>
    </message>
    <message>
        <source>Do not release it. If it is a lock, say so: treat its name as a lock of some format.</source>
        <translation>不要释放它。如果它确实是锁，请说明：将其名称作为某种格式的锁处理。</translation>
    </message>
    <message>
        <source>held longer than usual</source>
        <translation>持有时间超过平常</translation>
    </message>
    <message>
        <source>May be wrong if this run has more to do than those that were watched.</source>
        <translation>如果这一次要做的工作比观察过的那些更多，则可能有误。</translation>
    </message>
    <message>
        <source>Look what its holder is doing: it may hang, or have died. Release the lock once the work is known to be over.</source>
        <translation>查看持有者在做什么：它可能已挂起，或已崩溃。确认工作已结束后再释放锁。</translation>
    </message>
    <message>
        <source>how long it is usually held</source>
        <translation>它通常被持有多久</translation>
    </message>
    <message>
        <source>lease shorter than the holds</source>
        <translation>租约短于持有时间</translation>
    </message>
    <message>
        <source>May be wrong if the lock is meant to run out, as a rate limit is, or if the holders crashed.</source>
        <translation>如果这把锁本来就应到期（例如用于限速），或者持有者崩溃了，则可能有误。</translation>
    </message>
    <message>
        <source>Make the lease longer than the longest hold, or renew it while the work goes on. Work that goes on after the lease is not protected.</source>
        <translation>让租约长于最长的持有时间，或在工作期间续期。租约结束后仍在进行的工作不受保护。</translation>
    </message>
    <message>
        <source>whether its lease is long enough</source>
        <translation>它的租约是否足够长</translation>
    </message>
    <message>
        <source>dead readers</source>
        <translation>已失效的读者</translation>
    </message>
    <message>
        <source>May be wrong for a moment while a reader leaves, and with libraries that keep no lease for each reader.</source>
        <translation>读者离开的瞬间，以及不为每个读者保存租约的库，可能造成误报。</translation>
    </message>
    <message>
        <source>Release the hold of that reader alone. While other readers renew the lock, nothing else removes it, and writers wait.</source>
        <translation>只释放该读者的持有。只要其他读者还在为锁续期，就没有别的东西会移除它，写者只能等待。</translation>
    </message>
    <message>
        <source>next in the queue is silent</source>
        <translation>队首没有反应</translation>
    </message>
    <message>
        <source>May be wrong for a moment: a waiter joins the queue before it begins to listen.</source>
        <translation>短时间内可能有误：等待者先加入队列，然后才开始监听。</translation>
    </message>
    <message>
        <source>Wait until its place in the queue times out, or remove it from the queue. Until then a release wakes nobody.</source>
        <translation>等待它在队列中的位置超时，或将它移出队列。在此之前，释放不会唤醒任何客户端。</translation>
    </message>
    <message>
        <source>may be evicted</source>
        <translation>可能被淘汰</translation>
    </message>
    <message>
        <source>Not a reason to be stuck, but to vanish; it does no harm while the memory is never full.</source>
        <translation>这不会使锁卡住，但可能使锁消失；只要内存从不占满，就没有害处。</translation>
    </message>
    <message>
        <source>whether the server may evict it</source>
        <translation>服务器是否可能淘汰它</translation>
    </message>
    <message>
        <source>clocks of the set apart</source>
        <translation>这组服务器的时钟不一致</translation>
    </message>
    <message>
        <source>A constant difference does no harm to a lease; a clock that is being corrected shortens or lengthens those under way.</source>
        <translation>固定的差值对租约没有害处；正在校正的时钟会缩短或延长进行中的租约。</translation>
    </message>
    <message>
        <source>whether the clocks of the set agree</source>
        <translation>这组服务器的时钟是否一致</translation>
    </message>
    <message>
        <source>replica lags behind</source>
        <translation>副本落后</translation>
    </message>
    <message>
        <source>Not a reason to be stuck; it does harm when that replica becomes the master.</source>
        <translation>这不会使锁卡住；当该副本成为主节点时才有害处。</translation>
    </message>
    <message>
        <source>Find out why that replica does not answer before a failover makes it the master: the locks of that time would be unknown to it.</source>
        <translation>在故障转移使其成为主节点之前，查明该副本为何没有应答：它不知道这段时间内的锁。</translation>
    </message>
    <message>
        <source>whether a failover would lose it</source>
        <translation>故障转移是否会丢失它</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>The node of the cluster that has the lock&apos;s slot</source>
        <translation>拥有这把锁所在槽位的集群节点</translation>
    </message>
    <message>
        <source>Slot</source>
        <translation>槽位</translation>
    </message>
    <message>
        <source>The hash slot of the lock&apos;s key</source>
        <translation>锁的键所在的哈希槽</translation>
    </message>
    <message>
        <source>At risk: a failover may lose it</source>
        <translation>有风险：故障转移可能使它丢失</translation>
    </message>
    <message>
        <source>The connection to its master was lost before a replica is known to have the lock: after a failover another client may acquire it.</source>
        <translation>与其主节点的连接断开时，尚不知道有副本已收到这把锁：故障转移之后，另一个客户端可能获取它。</translation>
    </message>
    <message>
        <source>unknown scheme %1: use redis://, rediss://, unix://, redis+sentinel:// or redis+cluster://</source>
        <translation>未知的协议 %1：请使用 redis://、rediss://、unix://、redis+sentinel:// 或 redis+cluster://</translation>
    </message>
    <message>
        <source>The keys of this lock are in different hash slots of the cluster, and no command can change them together. What their names have in common has to be in braces: {job}. A lock that is there already is released by its own library.</source>
        <translation>这把锁的各个键位于集群的不同哈希槽中，没有命令能一起修改它们。各名称的共同部分必须放在花括号中：{job}。已经存在的锁由其自己的客户端库释放。</translation>
    </message>
    <message>
        <source>No node of the cluster could be asked which node has which keys. Check the addresses, and whether the nodes are running.</source>
        <translation>无法向集群的任何节点询问哪个节点拥有哪些键。请检查地址，以及各节点是否在运行。</translation>
    </message>
    <message>
        <source>This server is not a node of a cluster. Use redis:// for it.</source>
        <translation>这台服务器不是集群的节点。请对它使用 redis://。</translation>
    </message>
    <message>
        <source>A master of the cluster cannot be reached: the locks in its slots are unknown. Check whether it is running, and whether the address that the cluster announces can be reached from here.</source>
        <translation>无法连接集群的一个主节点：其槽位中的锁是未知的。请检查它是否在运行，以及从这里能否连接集群公布的地址。</translation>
    </message>
    <message>
        <source>No node of the cluster serves some of the hash slots: locks in them are unknown.</source>
        <translation>集群中没有节点负责某些哈希槽：其中的锁是未知的。</translation>
    </message>
    <message>
        <source>This is not possible with a cluster. Use the address of a single server.</source>
        <translation>这在集群上无法进行。请使用单台服务器的地址。</translation>
    </message>
    <message>
        <source>For all of them use %1</source>
        <translation>要查看所有节点，请使用 %1</translation>
    </message>
    <message>
        <source>An object is needed here: tokens and their names.</source>
        <translation>此处需要一个对象：令牌及其名称。</translation>
    </message>
    <message>
        <source>A text is needed here.</source>
        <translation>此处需要文本。</translation>
    </message>
    <message>
        <source>your table of names has the token</source>
        <translation>你的名称表中有该令牌</translation>
    </message>
    <message>
        <source>your rule %1 fits the token</source>
        <translation>你的规则 %1 与该令牌匹配</translation>
    </message>
    <message>
        <source>Nothing was found that will hurt the locks, as far as is known.</source>
        <translation>就目前所知，没有发现会损害锁的问题。</translation>
    </message>
    <message>
        <source> It was stopped early, because the server sends so much.</source>
        <translation> 由于服务器发送的内容太多，已提前停止。</translation>
    </message>
    <message>
        <source> It ended early, because the connection was lost.</source>
        <translation> 由于连接丢失，已提前结束。</translation>
    </message>
    <message>
        <source>sent the token of the owner %1</source>
        <translation>发送了所有者 %1 的令牌</translation>
    </message>
    <message>
        <source>Listened for %1: %2 commands of all clients, %3 bytes.</source>
        <translation>监听了 %1：所有客户端共 %2 条命令，%3 字节。</translation>
    </message>
    <message>
        <source>No client sent a command about the keys of this lock.</source>
        <translation>没有客户端发送过涉及这把锁的键的命令。</translation>
    </message>
    <message>
        <source>No client sent the token of the owner: it neither renewed nor released the lock in this time.</source>
        <translation>没有客户端发送过所有者的令牌：在这段时间里，它既没有续期也没有释放这把锁。</translation>
    </message>
    <message>
        <source>%1, expires in %2</source>
        <translation>%1，%2 后到期</translation>
    </message>
    <message>
        <source>%1, no expiry</source>
        <translation>%1，无到期时间</translation>
    </message>
    <message>
        <source>no such key</source>
        <translation>没有该键</translation>
    </message>
    <message>
        <source>a key that is no vote</source>
        <translation>有该键，但不是投票</translation>
    </message>
    <message>
        <source>unknown: no reply</source>
        <translation>未知：没有应答</translation>
    </message>
    <message>
        <source>unknown: %1</source>
        <translation>未知：%1</translation>
    </message>
    <message>
        <source>clock agrees (± %1)</source>
        <translation>时钟一致（± %1）</translation>
    </message>
    <message>
        <source>clock %1 behind (± %2)</source>
        <translation>时钟慢 %1（± %2）</translation>
    </message>
    <message>
        <source>clock %1 ahead (± %2)</source>
        <translation>时钟快 %1（± %2）</translation>
    </message>
    <message>
        <source>%1 of %2 servers, a majority (%3 are needed)</source>
        <translation>%2 台服务器中的 %1 台，多数（需要 %3 台）</translation>
    </message>
    <message>
        <source>%1 of %2 servers: split, nobody has a majority (%3 are needed)</source>
        <translation>%2 台服务器中的 %1 台：分裂，没有人达到多数（需要 %3 台）</translation>
    </message>
    <message>
        <source>%1 of %2 servers, not a majority (%3 are needed)</source>
        <translation>%2 台服务器中的 %1 台，不是多数（需要 %3 台）</translation>
    </message>
    <message>
        <source>%1 of %2 servers, %3 unknown: it is not known whether it is held (%4 are needed)</source>
        <translation>%2 台服务器中的 %1 台，%3 台未知：不知道是否被持有（需要 %4 台）</translation>
    </message>
    <message>
        <source>replied in %1</source>
        <translation>%1 内应答</translation>
    </message>
    <message>
        <source>These votes are left over: nothing is sent if by then their owner has a majority of the servers, or may have one.</source>
        <translation>这些票是残留的：如果届时其所有者在服务器中有多数或可能有多数，就什么也不发送。</translation>
    </message>
    <message>
        <source>the server does not list the connection any more</source>
        <translation>服务器不再列出该连接</translation>
    </message>
    <message>
        <source>whether the connection is gone was not answered</source>
        <translation>没有答复该连接是否已消失</translation>
    </message>
    <message>
        <source>It is not part of the chain: it was inserted or changed, or written by an older version.</source>
        <translation>它不属于链：它是插入的、被修改过的，或由旧版本写入。</translation>
    </message>
    <message>
        <source>Its number is %1 instead of %2: lines were removed, inserted or moved.</source>
        <translation>其编号为 %1 而不是 %2：有行被删除、插入或移动。</translation>
    </message>
    <message>
        <source>It does not match the lines before the chain: they were changed, or removed.</source>
        <translation>它与链之前的行不符：那些行被修改或删除。</translation>
    </message>
    <message>
        <source>It does not match the line before it: that line was changed, or lines were exchanged.</source>
        <translation>它与前一行不符：前一行被修改，或行被调换。</translation>
    </message>
    <message>
        <source>Broken at line %1. %2</source>
        <translation>在第 %1 行断裂。%2</translation>
    </message>
    <message>
        <source>The file is empty.</source>
        <translation>文件为空。</translation>
    </message>
    <message>
        <source>Not verifiable: the lines are of a version that did not chain them. The next attempt seals them.</source>
        <translation>无法验证：这些行来自没有链的版本。下一次尝试会将它们封存。</translation>
    </message>
    <message>
        <source>Intact: %1 lines, each as it was written.</source>
        <translation>完好：%1 行，均与写入时相同。</translation>
    </message>
    <message>
        <source>Lines 1 to %1 are older than the chain. It shows whether they changed after it began, not before.</source>
        <translation>第 1 至 %1 行早于链。链能显示它们在链开始之后是否变化，但不能显示之前的变化。</translation>
    </message>
    <message>
        <source>Line %1 cannot be read: its write was interrupted, or it was damaged while it was the last one.</source>
        <translation>第 %1 行无法读取：其写入被中断，或在它是最后一行时遭到损坏。</translation>
    </message>
    <message>
        <source>No line has the expected hash: lines were removed at the end, or the file was written anew.</source>
        <translation>没有任何行具有预期的哈希：末尾的行被删除，或文件被重写。</translation>
    </message>
    <message>
        <source>The last line has the expected hash.</source>
        <translation>最后一行具有预期的哈希。</translation>
    </message>
    <message>
        <source>The line with the expected hash is still there; %1 lines came after it.</source>
        <translation>具有预期哈希的行仍在；其后新增了 %1 行。</translation>
    </message>
    <message>
        <source>Wait: this does not help, because it has no expiry.</source>
        <translation>等待：没有用，因为它没有过期时间。</translation>
    </message>
    <message>
        <source>Wait: this does not help while its holder renews it.</source>
        <translation>等待：只要持有者继续续期就没有用。</translation>
    </message>
    <message>
        <source>Wait: it expires in %1, at %2, unless its holder renews it.</source>
        <translation>等待：除非持有者续期，它将在 %1 后（%2）过期。</translation>
    </message>
    <message>
        <source>Cap the TTL: it gets an expiry, and ends unless its holder renews it.</source>
        <translation>限定过期时间：它会有过期时间，除非持有者续期，否则到期结束。</translation>
    </message>
    <message>
        <source>Release one hold: the other holders keep theirs.</source>
        <translation>释放一个持有：其他持有者保留各自的持有。</translation>
    </message>
    <message>
        <source>Release the lock, if it is still held as shown here.</source>
        <translation>释放锁，前提是它仍如此处所示被持有。</translation>
    </message>
    <message>
        <source>Disconnect the holder, %1: the lock stays until it expires, and the client may connect again.</source>
        <translation>断开持有者 %1：锁保留到过期，客户端可能重新连接。</translation>
    </message>
    <message>
        <source>Its lock is gone.</source>
        <translation>它的锁已不存在。</translation>
    </message>
    <message>
        <source>Its lock is still there and expires in %1.</source>
        <translation>它的锁仍在，将在 %1 后过期。</translation>
    </message>
    <message>
        <source>Its lock is still there and never expires: release it.</source>
        <translation>它的锁仍在且永不过期：请释放它。</translation>
    </message>
    <message>
        <source>Nothing was done. %1</source>
        <translation>什么都没有做。%1</translation>
    </message>
    <message>
        <source>Disconnected: the server does not list %1 any more.</source>
        <translation>已断开：服务器不再列出 %1。</translation>
    </message>
    <message>
        <source>Disconnected, but whether %1 is gone was not answered.</source>
        <translation>已断开，但没有答复 %1 是否已消失。</translation>
    </message>
    <message>
        <source>Nothing was done: the server has another client under this number now.</source>
        <translation>什么都没有做：服务器上该编号现在属于另一个客户端。</translation>
    </message>
    <message>
        <source>Nothing was done: %1 is not connected any more.</source>
        <translation>什么都没有做：%1 已不再连接。</translation>
    </message>
    <message>
        <source>It is not known whether %1 was disconnected: %2</source>
        <translation>不知道 %1 是否已断开：%2</translation>
    </message>
    <message>
        <source>This closes the connection on the server. It does not release the lock, which stays until it expires. The client may connect again and renew it, and everything else that it does over this connection is interrupted as well.</source>
        <translation>这会在服务器上关闭该连接。它不释放锁，锁保留到过期。客户端可能重新连接并续期，它通过此连接所做的其他一切也会中断。</translation>
    </message>
    <message>
        <source>unknown option %1: this kind of address takes %2</source>
        <translation>未知选项 %1：这种地址可用的选项是 %2</translation>
    </message>
    <message>
        <source>an SSH host is written host, user@host or user@host:port</source>
        <translation>SSH 主机写作 host、user@host 或 user@host:port</translation>
    </message>
    <message>
        <source>This server is a replica. Its master %1 could not be asked: %2</source>
        <translation>该服务器是副本。无法询问它的主节点 %1：%2</translation>
    </message>
    <message>
        <source>The server could not be reached through ssh.</source>
        <translation>无法通过 ssh 访问服务器。</translation>
    </message>
    <message>
        <source>ssh could not log in without a question. Run ssh to this host once in a terminal: to check its key, or to load yours into the agent.</source>
        <translation>ssh 无法在不提问的情况下登录。请在终端中用 ssh 连接一次该主机：核对它的密钥，或把你的密钥加载到代理（agent）中。</translation>
    </message>
    <message>
        <source>A holder on several servers has a connection to each: name one server.</source>
        <translation>多台服务器上的持有者与每台都有连接：请指定一台服务器。</translation>
    </message>
    <message>
        <source>In a cluster a holder may be connected to any node: name the node that lists the client.</source>
        <translation>在集群中持有者可能连接到任一节点：请指定列出该客户端的节点。</translation>
    </message>
    <message>
        <source>The lock no longer exists.</source>
        <translation>锁已不存在。</translation>
    </message>
    <message>
        <source>This owner does not hold the lock any more.</source>
        <translation>该所有者已不再持有此锁。</translation>
    </message>
    <message>
        <source>Several connected clients fit this owner, so none of them is certainly the holder.</source>
        <translation>有多个已连接的客户端与该所有者相符，因此无法确定其中哪个是持有者。</translation>
    </message>
    <message>
        <source>No connected client is certainly this owner: its token names neither an address nor a client name.</source>
        <translation>没有任何已连接的客户端确定是该所有者：其令牌既不含地址也不含客户端名称。</translation>
    </message>
    <message>
        <source>This owner has %1 of %2 servers: that is a majority and not a leftover.</source>
        <translation>该所有者有 %2 台服务器中的 %1 台：这是多数，不是残留。</translation>
    </message>
    <message>
        <source>This owner has %1 of %2 servers, and %3 could not be asked: it may have a majority.</source>
        <translation>该所有者有 %2 台服务器中的 %1 台，另有 %3 台无法询问：它可能有多数。</translation>
    </message>
    <message>
        <source>The node %1 did not answer INFO.</source>
        <translation>节点 %1 没有应答 INFO。</translation>
    </message>
    <message>
        <source> It was stopped early, as asked.</source>
        <translation> 已按要求提前停止。</translation>
    </message>
    <message>
        <source>a limit of commands or bytes a second is a whole number</source>
        <translation>每秒命令数或字节数的上限必须是整数</translation>
    </message>
    <message>
        <source>a limit in percent is a number above 0, at most 100</source>
        <translation>百分比上限是大于 0、不超过 100 的数</translation>
    </message>
    <message>
        <source>%1 cannot be started: %2</source>
        <translation>无法启动 %1：%2</translation>
    </message>
    <message>
        <source>the adapter ended before it was ready</source>
        <translation>适配器在就绪之前就结束了</translation>
    </message>
    <message>
        <source>the adapter ended before it was ready: %1</source>
        <translation>适配器在就绪之前就结束了：%1</translation>
    </message>
    <message>
        <source>the adapter did not print a line &quot;ready …&quot;</source>
        <translation>适配器没有输出“ready …”这一行</translation>
    </message>
    <message>
        <source>the adapter printed a line that is no answer: &quot;%1&quot;</source>
        <translation>适配器输出了一行不是应答的内容：“%1”</translation>
    </message>
    <message>
        <source>the adapter answered what it was not asked: &quot;%1&quot;</source>
        <translation>适配器应答了没有问过的内容：“%1”</translation>
    </message>
    <message>
        <source>requests came without end</source>
        <translation>请求没完没了</translation>
    </message>
    <message>
        <source>%1 did not come to rest</source>
        <translation>%1 没有静下来</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>an error</source>
        <translation>一个错误</translation>
    </message>
    <message>
        <source>it did not answer &quot;%1&quot;, although nothing is in its way</source>
        <translation>没有任何阻碍，它却没有应答“%1”</translation>
    </message>
    <message>
        <source>it answered &quot;%1&quot; with %2, although nothing is in its way</source>
        <translation>没有任何阻碍，它对“%1”的应答却是%2</translation>
    </message>
    <message>
        <source>it took a lock without a word to the server: none of its commands names the key that it was given</source>
        <translation>它没有和服务器说话就取得了锁：它的命令都没有提到给它的键</translation>
    </message>
    <message>
        <source>its line &quot;ready …&quot; does not name acquire and release</source>
        <translation>它的“ready …”行没有列出 acquire 和 release</translation>
    </message>
    <message>
        <source>%1 is under way for longer than the lease</source>
        <translation>%1 在途中的时间超过租约</translation>
    </message>
    <message>
        <source>%1 is delayed</source>
        <translation>%1 被延迟</translation>
    </message>
    <message>
        <source>the answer to %1 is under way for longer than the lease</source>
        <translation>对 %1 的应答在途中的时间超过租约</translation>
    </message>
    <message>
        <source>the answer to %1 is delayed</source>
        <translation>对 %1 的应答被延迟</translation>
    </message>
    <message>
        <source>%1 stands still for longer than the lease</source>
        <translation>%1 停顿的时间超过租约</translation>
    </message>
    <message>
        <source>%1 stands still for a while</source>
        <translation>%1 停顿了一会儿</translation>
    </message>
    <message>
        <source>%1 is cut off for longer than the lease</source>
        <translation>%1 断开连接的时间超过租约</translation>
    </message>
    <message>
        <source>%1 is cut off for a while</source>
        <translation>%1 断开连接了一会儿</translation>
    </message>
    <message>
        <source>%1&apos;s %2</source>
        <translation>%1 的 %2</translation>
    </message>
    <message>
        <source>%1&apos;s %2 (number %3)</source>
        <translation>%1 的 %2（第 %3 次）</translation>
    </message>
    <message>
        <source>the connection breaks and %1 is lost</source>
        <translation>连接中断，%1 丢失</translation>
    </message>
    <message>
        <source>the connection breaks and the answer to %1 is lost</source>
        <translation>连接中断，对 %1 的应答丢失</translation>
    </message>
    <message>
        <source>%1 is killed as soon as %2 is carried out</source>
        <translation>%2 一执行完，%1 就被杀死</translation>
    </message>
    <message>
        <source>%1 is killed</source>
        <translation>%1 被杀死</translation>
    </message>
    <message>
        <source>the call of %1 is interrupted, and %2 is lost with the connection</source>
        <translation>%1 的调用被中断，%2 随连接一起丢失</translation>
    </message>
    <message>
        <source>the call of %1 is interrupted, and the answer to %2 comes after</source>
        <translation>%1 的调用被中断，对 %2 的应答随后才到</translation>
    </message>
    <message>
        <source>more time passes than a lease</source>
        <translation>过去的时间超过一个租约</translation>
    </message>
    <message>
        <source>%1 answers with %2</source>
        <translation>%1 的应答是%2</translation>
    </message>
    <message>
        <source>%1 says that it holds the lock</source>
        <translation>%1 说它持有锁</translation>
    </message>
    <message>
        <source>%1 says that it did not get the lock</source>
        <translation>%1 说它没有得到锁</translation>
    </message>
    <message>
        <source>%1 says that it gave the lock back</source>
        <translation>%1 说它已归还锁</translation>
    </message>
    <message>
        <source>%1 says that it had nothing to give back</source>
        <translation>%1 说它没有什么可归还</translation>
    </message>
    <message>
        <source>%1 says that it extended the lock</source>
        <translation>%1 说它已延长锁</translation>
    </message>
    <message>
        <source>%1 says that it could not extend the lock</source>
        <translation>%1 说它无法延长锁</translation>
    </message>
    <message>
        <source>%1 says that it still holds the lock</source>
        <translation>%1 说它仍持有锁</translation>
    </message>
    <message>
        <source>%1 says that it does not hold the lock any more</source>
        <translation>%1 说它不再持有锁</translation>
    </message>
    <message>
        <source>%1 asks for the lock as a reader</source>
        <translation>%1 以读者身份请求锁</translation>
    </message>
    <message>
        <source>%1 asks for the lock</source>
        <translation>%1 请求锁</translation>
    </message>
    <message>
        <source>%1 gives the lock back</source>
        <translation>%1 归还锁</translation>
    </message>
    <message>
        <source>%1 extends the lock</source>
        <translation>%1 延长锁</translation>
    </message>
    <message>
        <source>%1&apos;s library reports that the lock is lost</source>
        <translation>%1 的库报告锁已丢失</translation>
    </message>
    <message>
        <source>%1 sends %2: %3</source>
        <translation>%1 发送 %2：%3</translation>
    </message>
    <message>
        <source>%1 has ended</source>
        <translation>%1 已结束</translation>
    </message>
    <message>
        <source>%1 arrives</source>
        <translation>%1 到达</translation>
    </message>
    <message>
        <source>the answer to %1 arrives</source>
        <translation>对 %1 的应答到达</translation>
    </message>
    <message>
        <source>%1 goes on</source>
        <translation>%1 继续运行</translation>
    </message>
    <message>
        <source>%1 may connect again</source>
        <translation>%1 可以重新连接</translation>
    </message>
    <message>
        <source>%1 writes: %2</source>
        <translation>%1 输出：%2</translation>
    </message>
    <message>
        <source>%1 got the lock while %2 held it, and nothing had hindered %2</source>
        <translation>%2 持有锁期间 %1 也取得了锁，而 %2 没有受到任何干扰</translation>
    </message>
    <message>
        <source>%1 is told that it holds the lock, but its lease is over and %2 has it</source>
        <translation>%1 得知自己持有锁，但它的租约已过，锁在 %2 手中</translation>
    </message>
    <message>
        <source>%1 still works although its lease is over, and %2 holds the lock</source>
        <translation>%1 的租约已过却仍在工作，而锁由 %2 持有</translation>
    </message>
    <message>
        <source>%1 goes on to believe that it holds the lock, which %2 got meanwhile</source>
        <translation>%1 仍以为自己持有锁，而 %2 已在此期间得到它</translation>
    </message>
    <message>
        <source>nobody holds the lock any more, but it is kept alive: %1 cannot have it</source>
        <translation>已无人持有锁，但它一直被续期：%1 无法得到它</translation>
    </message>
    <message>
        <source>nobody holds the lock any more, but %1 cannot have it</source>
        <translation>已无人持有锁，但 %1 无法得到它</translation>
    </message>
    <message>
        <source>%1 waits for a lock that is free</source>
        <translation>%1 在等待一把空闲的锁</translation>
    </message>
    <message>
        <source>%1; it renews its lock by itself</source>
        <translation>%1；它会自行为锁续期</translation>
    </message>
    <message>
        <source>%1; its lock lasts as long as the lease</source>
        <translation>%1；它的锁与租约同样长</translation>
    </message>
    <message>
        <source>one lock in turn</source>
        <translation>一把锁轮流使用</translation>
    </message>
    <message>
        <source>waiting for one lock</source>
        <translation>等待一把锁</translation>
    </message>
    <message>
        <source>two locks side by side</source>
        <translation>两把锁并用</translation>
    </message>
    <message>
        <source>no run came to what it was to do</source>
        <translation>没有一次运行做到了它该做的事</translation>
    </message>
    <message>
        <source>its clock cannot be moved, as liblockscope-vclock.so is not where it was installed; use the real clock</source>
        <translation>无法移动它的时钟，因为 liblockscope-vclock.so 不在安装位置；请使用真实时钟</translation>
    </message>
    <message>
        <source>Not a step of a schedule; steps are written &quot;kill-after A 0 0 in-time 1 SETNX&quot;.</source>
        <translation>不是调度中的步骤；步骤写作“kill-after A 0 0 in-time 1 SETNX”。</translation>
    </message>
    <message>
        <source>Not a find of prove: &quot;%1&quot; is expected.</source>
        <translation>不是 prove 的发现：应为“%1”。</translation>
    </message>
    <message>
        <source>The clock is virtual, flowing or real.</source>
        <translation>时钟为 virtual、flowing 或 real。</translation>
    </message>
    <message>
        <source>it cannot be run against a real server, as there is no redis-server in PATH</source>
        <translation>PATH 中没有 redis-server，因此无法用真实服务器运行它</translation>
    </message>
    <message>
        <source>%1 does not start</source>
        <translation>%1 无法启动</translation>
    </message>
    <message>
        <source>the real server does not answer</source>
        <translation>真实服务器没有应答</translation>
    </message>
    <message>
        <source>yes, with the number %1</source>
        <translation>是，编号为 %1</translation>
    </message>
    <message>
        <source>%1 is down for longer than the lease</source>
        <translation>%1宕机的时间超过租约</translation>
    </message>
    <message>
        <source>%1 is down for a while</source>
        <translation>%1宕机了一会儿</translation>
    </message>
    <message>
        <source>%1 fails over to a replica that has not got %2</source>
        <translation>%1故障转移到尚未收到 %2 的副本</translation>
    </message>
    <message>
        <source>the replicas of %1 get nothing for a while, from %2 on</source>
        <translation>从 %2 起，%1的副本有一会儿收不到任何数据</translation>
    </message>
    <message>
        <source>%1 to server %2</source>
        <translation>发往 %2 号服务器的 %1</translation>
    </message>
    <message>
        <source>%1 forgets its scripts before %2</source>
        <translation>%1在 %2 之前忘掉了脚本</translation>
    </message>
    <message>
        <source>%1 sends %2 to server %3: %4</source>
        <translation>%1 向 %3 号服务器发送 %2：%4</translation>
    </message>
    <message>
        <source>server %1 is up again, with its data</source>
        <translation>%1 号服务器重新上线，数据保留</translation>
    </message>
    <message>
        <source>a replica takes over that has what was written before %1</source>
        <translation>一个副本接管，它拥有 %1 之前写入的数据</translation>
    </message>
    <message>
        <source>the replicas catch up</source>
        <translation>副本已追上</translation>
    </message>
    <message>
        <source>%1 still works although a failover lost its lock, and %2 holds it</source>
        <translation>%1 的锁已在故障转移中丢失，它却仍在工作，而锁由 %2 持有</translation>
    </message>
    <message>
        <source>%1 gets the lock, which %2 took twice and gave back once</source>
        <translation>%1 得到了锁，而 %2 取得了两次，只归还了一次</translation>
    </message>
    <message>
        <source>the lock was given back as often as it was taken, but %1 cannot have it</source>
        <translation>锁的归还次数与取得次数相同，但 %1 无法得到它</translation>
    </message>
    <message>
        <source>%1 gets the lock although %2 has waited for it longer</source>
        <translation>%1 得到了锁，尽管 %2 等待得更久</translation>
    </message>
    <message>
        <source>the number of %1&apos;s grant is not greater than that of the one before</source>
        <translation>%1 得到的授予编号不大于前一次的编号</translation>
    </message>
    <message>
        <source>%1 is told that its lock is lost, and it is not</source>
        <translation>%1 得知自己的锁已丢失，而实际上并没有</translation>
    </message>
    <message>
        <source>two threads of a process</source>
        <translation>一个进程的两个线程</translation>
    </message>
    <message>
        <source>one lock taken twice</source>
        <translation>一把锁取得两次</translation>
    </message>
    <message>
        <source>%1&apos;s t%2</source>
        <translation>%1 的 t%2</translation>
    </message>
    <message>
        <source>writes: %1</source>
        <translation>输出：%1</translation>
    </message>
    <message>
        <source>%1 is told that it lost %2, and has not</source>
        <translation>%1 得知自己已失去 %2，而实际上并没有</translation>
    </message>
    <message>
        <source>its clock cannot be moved, as with programs in Go and static ones; use the real clock</source>
        <translation>无法移动它的时钟，Go 程序和静态链接的程序都是如此；请使用真实时钟</translation>
    </message>
    <message>
        <source>the program wrote to LOCKSCOPE_SECTION what is neither &quot;enter&quot; nor &quot;leave&quot;: &quot;%1&quot;</source>
        <translation>程序写入 LOCKSCOPE_SECTION 的内容既不是“enter”也不是“leave”：“%1”</translation>
    </message>
    <message>
        <source>it did not enter its protected section: nothing wrote &quot;enter&quot; to the file that LOCKSCOPE_SECTION names</source>
        <translation>它没有进入受保护区：没有任何内容把“enter”写入 LOCKSCOPE_SECTION 所指的文件</translation>
    </message>
    <message>
        <source>it did not leave its protected section: nothing wrote &quot;leave&quot; to the file that LOCKSCOPE_SECTION names</source>
        <translation>它没有离开受保护区：没有任何内容把“leave”写入 LOCKSCOPE_SECTION 所指的文件</translation>
    </message>
    <message>
        <source>whole programs</source>
        <translation>整个程序</translation>
    </message>
    <message>
        <source>%1 is delayed until long after the others are done</source>
        <translation>%1 被推迟到其他各方完成很久之后</translation>
    </message>
    <message>
        <source>%1 repeats that %2 times and always gets %3: %4</source>
        <translation>%1 又重复了 %2 次，每次都得到 %3：%4</translation>
    </message>
    <message>
        <source>%1 repeats that to server %2, %3 times, and always gets %4: %5</source>
        <translation>%1 向 %2 号服务器又重复了 %3 次，每次都得到 %4：%5</translation>
    </message>
    <message>
        <source>%1 renewed a lock that it had lost, and does not know that %2 got it meanwhile</source>
        <translation>%1 续期了一个它已经失去的锁，并不知道 %2 在此期间得到过它</translation>
    </message>
    <message>
        <source>nobody holds the lock any more, but %1 cannot have it, and what is left of it never expires</source>
        <translation>已经没有人持有该锁，但 %1 得不到它，而且它留下的键永不过期</translation>
    </message>
    <message>
        <source>%1 ended by itself although nothing was done to it</source>
        <translation>没有对 %1 做任何事，它却自行结束了</translation>
    </message>
    <message>
        <source>%1 ended by itself (%2)</source>
        <translation>%1 自行结束了（%2）</translation>
    </message>
    <message>
        <source>%1 got the lock while %2 held it</source>
        <translation>%2 持有锁期间 %1 也取得了锁</translation>
    </message>
    <message>
        <source>larger than %1 MB</source>
        <translation>大于 %1 MB</translation>
    </message>
    <message>
        <source>Leases that are absurdly long, or grow</source>
        <translation>长得离谱或不断增长的租约</translation>
    </message>
    <message>
        <source>A holder that crashes blocks other clients as if the lock had no expiry.</source>
        <translation>崩溃的持有者会阻塞其他客户端，就像锁没有过期时间一样。</translation>
    </message>
    <message>
        <source>Check the unit of the expiry where the lock is acquired, and let a renewal set the time to live instead of adding to what is left.</source>
        <translation>检查获取锁时过期时间的单位，并让续期设置剩余时间，而不是在剩余时间上累加。</translation>
    </message>
    <message>
        <source>%1 of %2 locks have a lease of more than %3, or one that each renewal makes longer.</source>
        <translation>%2 把锁中有 %1 把的租约超过 %3，或随每次续期而变长。</translation>
    </message>
    <message>
        <source>deadlock</source>
        <translation>死锁</translation>
    </message>
    <message>
        <source>May be wrong if a waiter gives up soon, or if two programs use the same owner token.</source>
        <translation>如果某个等待者很快放弃，或者两个程序使用相同的所有者令牌，此判断可能有误。</translation>
    </message>
    <message>
        <source>Release one of these locks once its holder is stopped: the others go on by themselves. Then let the programs acquire these locks in the same order everywhere.</source>
        <translation>停止其中一把锁的持有者后释放这把锁：其余的会自行继续。然后让各程序在所有地方以相同的顺序获取这些锁。</translation>
    </message>
    <message>
        <source>absurdly long lease</source>
        <translation>租约长得离谱</translation>
    </message>
    <message>
        <source>May be wrong if the key marks that something is done, and is meant to stay that long.</source>
        <translation>如果这个键是某事已完成的标记，并且有意保留这么久，此判断可能有误。</translation>
    </message>
    <message>
        <source>Check the unit of the expiry where the lock is acquired: milliseconds or nanoseconds are often given where seconds are expected. If its holder is gone, release the lock.</source>
        <translation>检查获取锁时过期时间的单位：在需要秒的地方经常给出毫秒或纳秒。如果持有者已不在，请释放锁。</translation>
    </message>
    <message>
        <source>lease grows</source>
        <translation>租约不断增长</translation>
    </message>
    <message>
        <source>May be wrong if its holder asks for more time on purpose, as the work turns out longer.</source>
        <translation>如果因工作比预期更长，持有者有意要求更多时间，此判断可能有误。</translation>
    </message>
    <message>
        <source>Let a renewal set the time to live instead of adding to what is left: PEXPIRE key lease. The longer the lease has grown, the longer a crash of its holder blocks other clients.</source>
        <translation>让续期设置剩余时间，而不是在剩余时间上累加：PEXPIRE 键 租约。租约增长得越长，持有者崩溃后阻塞其他客户端的时间就越长。</translation>
    </message>
    <message>
        <source>whether its lease grows</source>
        <translation>它的租约是否在增长</translation>
    </message>
    <message>
        <source>Deadlock: its holder waits for another lock</source>
        <translation>死锁：它的持有者在等待另一把锁</translation>
    </message>
    <message>
        <source>Suspicious: a lease of %1</source>
        <translation>可疑：租约为 %1</translation>
    </message>
    <message>
        <source>Suspicious: its lease grows</source>
        <translation>可疑：它的租约不断增长</translation>
    </message>
    <message>
        <source>Suspicious: held far longer than usual</source>
        <translation>可疑：持有时间远超平常</translation>
    </message>
    <message>
        <source>Suspicious: some of its readers are dead</source>
        <translation>可疑：它的一些读者已失效</translation>
    </message>
    <message>
        <source>Suspicious: the next in its queue does not listen</source>
        <translation>可疑：它的队首没有监听</translation>
    </message>
    <message>
        <source>Its holder waits for a lock whose holder waits for this one.</source>
        <translation>它的持有者在等待另一把锁，而那把锁的持有者在等待这一把。</translation>
    </message>
    <message>
        <source>Its holder waits for the lock that it holds.</source>
        <translation>它的持有者在等待自己持有的这把锁。</translation>
    </message>
    <message>
        <source>Its holder waits for %1, and the holder of that lock waits for this one: neither can go on.</source>
        <translation>它的持有者在等待 %1，而那把锁的持有者在等待这一把：双方都无法继续。</translation>
    </message>
    <message>
        <source>It is one of %1 locks whose holders wait for each other in a ring: %2.</source>
        <translation>它是 %1 把锁之一，这些锁的持有者互相等待成环：%2。</translation>
    </message>
    <message>
        <source>Held for %1 so far.</source>
        <translation>到目前为止已持有 %1。</translation>
    </message>
    <message>
        <source>Its lease is %1, which is as good as no expiry: if its holder dies, it blocks other clients for that long.</source>
        <translation>它的租约是 %1，与没有过期时间无异：如果持有者失效，它会阻塞其他客户端这么久。</translation>
    </message>
    <message>
        <source>Each renewal left more time than the one before, and the last one left %1.</source>
        <translation>每次续期留下的时间都比前一次多，最后一次留下了 %1。</translation>
    </message>
    <message>
        <source>Readers whose leases are over are still counted, while other readers keep the lock alive.</source>
        <translation>租约已结束的读者仍被计数，而其他读者使锁继续存在。</translation>
    </message>
    <message>
        <source>No client listens on the channel on which the next in its queue would be woken.</source>
        <translation>没有客户端在用于唤醒其队首的频道上监听。</translation>
    </message>
    <message>
        <source>%1 of %2 runs with a single deviation were played.</source>
        <translation>%2 次只含一个偏差的运行中已进行 %1 次。</translation>
    </message>
    <message>
        <source>%1 of them did not meet their message.</source>
        <translation>其中 %1 次没有遇到相应的消息。</translation>
    </message>
    <message>
        <source>%1 of them could not be carried out to their end.</source>
        <translation>其中 %1 次未能进行到底。</translation>
    </message>
    <message>
        <source>The undisturbed run of %1 workloads failed, so that no deviation could be planned for them.</source>
        <translation>%1 个工作负载在无干扰时的运行失败，因此无法为它们安排偏差。</translation>
    </message>
    <message>
        <source>Give the search more time.</source>
        <translation>请给搜索更多时间。</translation>
    </message>
    <message>
        <source>%1 answered %2 %3 times with an error although nothing was done to it: %4</source>
        <translation>%1 对 %2 有 %3 次回答错误，尽管没有对它做任何事：%4</translation>
    </message>
    <message>
        <source>the timestamp is not that of the expiry of the key, so it is not taken for the end of the hold</source>
        <translation>时间戳与键的过期时间不符，因此不视为持有的结束时间</translation>
    </message>
    <message>
        <source>Its value %1 is a time in epoch ms: %2. It is the end of the hold, or the time at which it began: the value does not tell.</source>
        <translation>其值 %1 是一个 epoch 毫秒时间：%2。它是持有的结束时间，或持有的开始时间：从值看不出来。</translation>
    </message>
    <message>
        <source>Its value %1 is a time in epoch ms: %2. The key expires at another time, so it is not taken for the end of the hold.</source>
        <translation>其值 %1 是一个 epoch 毫秒时间：%2。键在另一时间过期，因此不视为持有的结束时间。</translation>
    </message>
    <message>
        <source>If the time in its value is the end of the hold, any client takes it over then, even if the key is still there.</source>
        <translation>如果值中的时间是持有的结束时间，此后任何客户端都会接管，即使键仍然存在。</translation>
    </message>
    <message>
        <source>you decided that its value counts holders</source>
        <translation>您已指定其值是持有者计数</translation>
    </message>
    <message>
        <source>A number of clients that hold a lock together, as the concurrent rate limiter of dramatiq keeps it: nobody is named. Read only where you decide so (treat), because a number alone is no proof of a count.</source>
        <translation>共同持有一个锁的客户端数，dramatiq 的并发限流器以此方式记录：不写明任何持有者。仅在您如此决定时才这样读取（treat），因为单凭一个数字不能证明它是计数。</translation>
    </message>
    <message>
        <source>the value is a time of the past: probably when it was taken</source>
        <translation>值是一个过去的时间：可能是获取锁的时刻</translation>
    </message>
    <message>
        <source>the value is a number: probably the id of its owner, or a constant</source>
        <translation>值是一个数字：可能是所有者的 id，或一个常量</translation>
    </message>
    <message>
        <source>The number is taken for the owner. If it counts holders, a release ends the holds of all of them: then treat the key as holder-count.</source>
        <translation>该数字被当作所有者。如果它是持有者的计数，释放会结束所有持有者的持有：此时请将该键视为 holder-count。</translation>
    </message>
    <message>
        <source>Its value %1 is a time: %2, probably when the lock was taken.</source>
        <translation>其值 %1 是一个时间：%2，可能是获取锁的时刻。</translation>
    </message>
    <message>
        <source>Its value %1 is a number, probably the id of its owner: a user, a process or a thread.</source>
        <translation>其值 %1 是一个数字，可能是所有者的 id：用户、进程或线程。</translation>
    </message>
    <message>
        <source>Number</source>
        <translation>数字</translation>
    </message>
    <message>
        <source>A number written by SET NX EX: the id of a user, a process or a thread, or the time at which the lock was taken.</source>
        <translation>由 SET NX EX 写入的数字：用户、进程或线程的 id，或获取锁的时刻。</translation>
    </message>
    <message>
        <source>%1 This server does not let Lockscope detect writes (WATCH), so this hold and the next cannot be distinguished: a release is refused. Wait until the lock expires.</source>
        <translation>%1此服务器不允许 Lockscope 检测写入（WATCH），因此这次持有与下一次无法区分：释放会被拒绝。请等待锁过期。</translation>
    </message>
    <message>
        <source>%1 This server does not let Lockscope detect writes (WATCH), so this hold and the next cannot be distinguished: a release is refused. Cap the TTL instead.</source>
        <translation>%1此服务器不允许 Lockscope 检测写入（WATCH），因此这次持有与下一次无法区分：释放会被拒绝。请改为限定过期时间（TTL）。</translation>
    </message>
    <message>
        <source>its own timestamp has passed</source>
        <translation>自身时间戳已过</translation>
    </message>
    <message>
        <source>%1&apos;s release is answered with an error</source>
        <translation>对 %1 的释放，服务器回复错误</translation>
    </message>
    <message>
        <source>Unknown whether it is held: the time in its value has passed</source>
        <translation>不知是否仍被持有：其值中的时间已过</translation>
    </message>
    <message>
        <source>Not known to be a lock, probably data</source>
        <translation>不能确定是锁，可能是数据</translation>
    </message>
    <message>
        <source>The time in its value has passed. It is unknown whether the next client may take it over: the time may be the end of the hold, or the time at which the lock was acquired.</source>
        <translation>其值中的时间已过。不知道下一个客户端能否接管：该时间可能是持有的结束时间，也可能是获取锁的时刻。</translation>
    </message>
    <message>
        <source>Neither its name nor its value shows that it is a lock. It is read as one because you asked for this key.</source>
        <translation>其名称和值都不能表明它是锁。仅因为您查询了这个键，才按锁读取。</translation>
    </message>
    <message>
        <source>Acquired again after %1. Whether by the same client cannot be told: the owner of this lock does not identify its holder.</source>
        <translation>%1 后再次被获取。无法判断是否为同一客户端：此锁的所有者不能标识其持有者。</translation>
    </message>
    <message>
        <source>This lock, or another one that was watched together with it, was written to since it was read, so this may be another hold. Check the lock again.</source>
        <translation>此锁或与它一同监视的另一个锁自读取后被写过，因此现在可能是另一次持有。请重新检查该锁。</translation>
    </message>
    <message>
        <source>The server did not let Lockscope watch this lock on a connection of its own. Check the lock again.</source>
        <translation>服务器不允许 Lockscope 用单独的连接监视此锁。请重新检查该锁。</translation>
    </message>
    <message>
        <source>The master is another server by now. Look for the holder again.</source>
        <translation>主节点现在已是另一台服务器。请重新查找持有者。</translation>
    </message>
    <message>
        <source>%1 could not be asked: %2</source>
        <translation>无法询问 %1：%2</translation>
    </message>
    <message>
        <source>Nothing that is stored tells this hold from the next, and writes to the lock are not detected (WATCH), so another hold may have started unnoticed.</source>
        <translation>存储的内容无法区分这次持有与下一次，且未检测对该锁的写入（WATCH），因此可能有另一次持有在未被察觉时开始。</translation>
    </message>
    <message>
        <source>It is a replica as well.</source>
        <translation>它也是副本。</translation>
    </message>
    <message>
        <source>%1 of %2 servers, %3 unknown, not a majority (%4 are needed)</source>
        <translation>%2 台服务器中的 %1 台，%3 台未知，不是多数（需要 %4 台）</translation>
    </message>
    <message>
        <source>At most %1 of %2 servers have this token, fewer than a majority: the lock is not held, but it may block others.</source>
        <translation>%2 台服务器中最多 %1 台有此令牌，未达多数：锁未被持有，但可能阻塞其他客户端。</translation>
    </message>
    <message>
        <source>it was interrupted</source>
        <translation>它被中断了</translation>
    </message>
    <message>
        <source>the adapter printed a line of more than %1 bytes: &quot;%2&quot;</source>
        <translation>适配器输出了超过 %1 字节的一行：“%2”</translation>
    </message>
    <message>
        <source>it sent what cannot be played here: %1</source>
        <translation>它发送了此处无法模拟的内容：%1</translation>
    </message>
    <message>
        <source>the adapter printed a second line &quot;ready …&quot;: &quot;%1&quot;</source>
        <translation>适配器第二次输出了“ready …”行：“%1”</translation>
    </message>
    <message>
        <source>its requests, answers and lines take more than %1 MB</source>
        <translation>它的请求、应答和输出行超过 %1 MB</translation>
    </message>
    <message>
        <source>it did not print a line &quot;ready …&quot; within the time for the search; if it needs longer to start, set a longer budget</source>
        <translation>它未在搜索时间内输出“ready …”行；如果它需要更长时间启动，请设置更长的时间预算</translation>
    </message>
    <message>
        <source>a request of more than %1 MB, which the played server does not take</source>
        <translation>超过 %1 MB 的请求，模拟的服务器不接受</translation>
    </message>
    <message>
        <source>a script that takes more time or memory than the simulated server gives it</source>
        <translation>占用的时间或内存超过模拟服务器所允许的脚本</translation>
    </message>
    <message>
        <source>There are %1 entries; at most %2 are allowed.</source>
        <translation>共有 %1 项；最多允许 %2 项。</translation>
    </message>
    <message>
        <source>The text has %1 bytes; at most %2 are allowed.</source>
        <translation>文本有 %1 字节；最多允许 %2 字节。</translation>
    </message>
    <message>
        <source>Real servers have no such limit; a lock needs far less.</source>
        <translation>真实服务器没有这种限制；锁所需的远少于此。</translation>
    </message>
    <message>
        <source>A script takes more steps or memory than the simulation allows: nothing was tested.</source>
        <translation>某个脚本占用的步数或内存超过模拟所允许的限度：没有检验任何内容。</translation>
    </message>
    <message>
        <source>a contender was passed over %1 times while it waited</source>
        <translation>一个竞争者在等待期间被越过 %1 次</translation>
    </message>
    <message>
        <source>and %1 of %2 never acquired the lock</source>
        <translation>%2 个中有 %1 个从未获取到锁</translation>
    </message>
    <message>
        <source>a third while two work beyond the lease</source>
        <translation>两个超出租约工作时，第三个到来</translation>
    </message>
    <message>
        <source>nested beyond a renewal</source>
        <translation>嵌套持有跨过一次续期</translation>
    </message>
    <message>
        <source>%1 took over the hold of %2</source>
        <translation>%1 接管了 %2 的持有</translation>
    </message>
    <message>
        <source>Broken, although promised: %1.</source>
        <translation>虽有保证却被违反：%1。</translation>
    </message>
    <message>
        <source>Everything promised held, as far as it was put to the test.</source>
        <translation>所有保证均成立（就已检验到的而言）。</translation>
    </message>
    <message>
        <source>Nothing that is promised was put to the test.</source>
        <translation>没有任何保证受到检验。</translation>
    </message>
    <message>
        <source>Broken, but not promised: %1.</source>
        <translation>被违反，但没有保证：%1。</translation>
    </message>
    <message>
        <source>%1; its lock has no lease</source>
        <translation>%1；其锁没有租约</translation>
    </message>
    <message>
        <source>One holder</source>
        <translation>单个持有者</translation>
    </message>
    <message>
        <source>Readers and writers</source>
        <translation>读者和写者</translation>
    </message>
    <message>
        <source>safe with its fence</source>
        <translation>有防护令牌即安全</translation>
    </message>
    <message>
        <source>safe with its fence while %1</source>
        <translation>有防护令牌时的安全前提：%1</translation>
    </message>
    <message>
        <source>Its grants are numbered, and a resource that refuses smaller numbers than it has seen refuses a late holder.</source>
        <translation>其授予带编号；资源若拒绝比已见过的更小的编号，就会拒绝迟到的持有者。</translation>
    </message>
    <message>
        <source>Order</source>
        <translation>顺序</translation>
    </message>
    <message>
        <source>Clients</source>
        <translation>客户端</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>网络</translation>
    </message>
    <message>
        <source>Clocks</source>
        <translation>时钟</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>Misuse</source>
        <translation>误用</translation>
    </message>
    <message>
        <source>just before the end of a lease</source>
        <translation>租约到期前一刻</translation>
    </message>
    <message>
        <source>work beyond a loss</source>
        <translation>失去锁之后继续工作</translation>
    </message>
    <message>
        <source>a third just before the end of two leases</source>
        <translation>两个租约到期前一刻，第三个到来</translation>
    </message>
    <message>
        <source>three after a dead holder</source>
        <translation>已死持有者之后的三个</translation>
    </message>
    <message>
        <source>three at once</source>
        <translation>三个同时</translation>
    </message>
    <message>
        <source>a waiter that gives up</source>
        <translation>放弃等待的客户端</translation>
    </message>
    <message>
        <source>a reader renews a shorter lease</source>
        <translation>读者续约较短的租约</translation>
    </message>
</context>
<context>
    <name>UiText</name>
    <message>
        <source>%1 waits (%2) from %3 to %4</source>
        <translation>%1 次等待（%2）在 %3 到 %4 之间</translation>
    </message>
    <message>
        <source>%1 of all waits are at most %2</source>
        <translation>%1 的等待不超过 %2</translation>
    </message>
    <message>
        <source>%1 per second</source>
        <translation>每秒 %1 次</translation>
    </message>
    <message>
        <source>from %1 to %2</source>
        <translation>从 %1 到 %2</translation>
    </message>
    <message>
        <source>%1 acquisitions, %2, %3</source>
        <translation>%1 次获取，%2，%3</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1、%2</translation>
    </message>
    <message>
        <source>%1: %2 acquisitions, %3</source>
        <translation>%1：%2 次获取，%3</translation>
    </message>
    <message>
        <source>%1, in descending order</source>
        <translation>%1，按降序</translation>
    </message>
    <message>
        <source>contender</source>
        <translation>个竞争者</translation>
    </message>
    <message>
        <source>contenders</source>
        <translation>竞争者</translation>
    </message>
    <message>
        <source>attempts</source>
        <translation>尝试</translation>
    </message>
    <message>
        <source>renewals</source>
        <translation>续期</translation>
    </message>
    <message>
        <source>commands</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>%1 %2 per acquisition, %3 in total</source>
        <translation>%2：每次获取 %1，共 %3</translation>
    </message>
    <message>
        <source>Distribution of waits</source>
        <translation>等待时间分布</translation>
    </message>
    <message>
        <source>No waiting contender acquired the lock.</source>
        <translation>没有等待过的竞争者获取到锁。</translation>
    </message>
    <message>
        <source>bars: share · line: cumulative</source>
        <translation>柱：占比 · 曲线：累计</translation>
    </message>
    <message>
        <source>Acquisitions per second</source>
        <translation>每秒获取次数</translation>
    </message>
    <message>
        <source>No timeline is available: these figures combine several runs.</source>
        <translation>没有时间线：这些数据合并自多次运行。</translation>
    </message>
    <message>
        <source>over time</source>
        <translation>随时间变化</translation>
    </message>
    <message>
        <source>no timeline is available for one of the two runs</source>
        <translation>两次运行中有一次没有时间线</translation>
    </message>
    <message>
        <source>Share of each contender</source>
        <translation>各竞争者的占比</translation>
    </message>
    <message>
        <source>No contender acquired the lock.</source>
        <translation>没有竞争者获取到锁。</translation>
    </message>
    <message>
        <source>Jain %1, %2 · dots: even</source>
        <translation>Jain %1，%2 · 点：完全均匀</translation>
    </message>
    <message>
        <source>Effort per acquisition</source>
        <translation>每次获取的开销</translation>
    </message>
    <message>
        <source>An empty field %1.</source>
        <translation>空字段%1。</translation>
    </message>
    <message>
        <source>“%1” %2.</source>
        <translation>“%1”%2。</translation>
    </message>
    <message>
        <source>no acquisition</source>
        <translation>没有获取</translation>
    </message>
    <message>
        <source>Acquisitions</source>
        <translation>获取次数</translation>
    </message>
    <message>
        <source>Gave up</source>
        <translation>放弃</translation>
    </message>
    <message>
        <source>Wait</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>Hold</source>
        <translation>持有</translation>
    </message>
    <message>
        <source>Attempts per acquisition</source>
        <translation>每次获取的尝试次数</translation>
    </message>
    <message>
        <source>Commands per acquisition</source>
        <translation>每次获取的命令数</translation>
    </message>
    <message>
        <source>Renewals</source>
        <translation>续期</translation>
    </message>
    <message>
        <source>Jain&apos;s index</source>
        <translation>Jain 指数</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Overlaps</source>
        <translation>重叠</translation>
    </message>
    <message>
        <source>Wrong releases</source>
        <translation>错误释放</translation>
    </message>
    <message>
        <source>Late releases</source>
        <translation>迟到的释放</translation>
    </message>
    <message>
        <source>Crashes</source>
        <translation>崩溃</translation>
    </message>
    <message>
        <source>Pauses</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>of %1</source>
        <translation>共 %1</translation>
    </message>
    <message>
        <source>request</source>
        <translation>请求</translation>
    </message>
    <message>
        <source>requests</source>
        <translation>个请求</translation>
    </message>
    <message>
        <source>Number of times a lock was granted.</source>
        <translation>锁被授予的次数。</translation>
    </message>
    <message>
        <source>in %1</source>
        <translation>%1 后</translation>
    </message>
    <message>
        <source>Average number of times a lock was granted per second.</source>
        <translation>平均每秒授予锁的次数。</translation>
    </message>
    <message>
        <source>per acquisition · %1 attempts</source>
        <translation>每次获取 · %1 次尝试</translation>
    </message>
    <message>
        <source>per acquisition</source>
        <translation>每次获取</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Commands sent to the server per acquisition, including renewals and the release.</source>
        <translation>每次获取向服务器发送的命令数，包括续期和释放。</translation>
    </message>
    <message>
        <source>A timeline does not record which hold a release removed.</source>
        <translation>时间线不记录一次释放移除的是哪次持有。</translation>
    </message>
    <message>
        <source>as believed by the contenders</source>
        <translation>以竞争者自己的认知为准</translation>
    </message>
    <message>
        <source>Number of times two contenders believed they held the same lock although only one may hold it.</source>
        <translation>两个竞争者同时认为自己持有同一把锁的次数，而这把锁只允许一个持有者。</translation>
    </message>
    <message>
        <source>same</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>from 0</source>
        <translation>基准为 0</translation>
    </message>
    <message>
        <source>under 0.1 %</source>
        <translation>低于 0.1 %</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>Server load</source>
        <translation>服务器负载</translation>
    </message>
    <message>
        <source>of one processor</source>
        <translation>占单个处理器</translation>
    </message>
    <message>
        <source>How busy the busiest server would be. Near 100 % the server is the limit.</source>
        <translation>最忙的服务器预计有多忙。接近 100 % 时，瓶颈在服务器。</translation>
    </message>
    <message>
        <source>Client load</source>
        <translation>客户端负载</translation>
    </message>
    <message>
        <source>of one thread</source>
        <translation>占单个线程</translation>
    </message>
    <message>
        <source>How busy the busiest thread of the contenders would be. Near 100 % the contenders are the limit.</source>
        <translation>竞争者最忙的线程预计有多忙。接近 100 % 时，瓶颈在竞争者。</translation>
    </message>
    <message>
        <source>%1 in total</source>
        <translation>共 %1</translation>
    </message>
    <message>
        <source>mean %1 · %2 in total</source>
        <translation>平均 %1 · 共 %2</translation>
    </message>
    <message>
        <source>Locks granted per second, over the last second. After the run: over the whole run.</source>
        <translation>最近一秒内每秒授予的锁数。运行结束后：整个运行的平均值。</translation>
    </message>
    <message>
        <source>Winners</source>
        <translation>胜者</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>only %1 may win</source>
        <translation>只允许 %1 个获胜</translation>
    </message>
    <message>
        <source>Number of instances that were granted a lock.</source>
        <translation>获授予锁的实例数。</translation>
    </message>
    <message>
        <source>Takeover</source>
        <translation>接管</translation>
    </message>
    <message>
        <source>p99 %1 · %2 times</source>
        <translation>p99 %1 · %2 次</translation>
    </message>
    <message>
        <source>Median time from the death of the active holder until the next one takes over.</source>
        <translation>从活动持有者死亡到下一个接管的时间中位数。</translation>
    </message>
    <message>
        <source>Hold, p50</source>
        <translation>持有，p50</translation>
    </message>
    <message>
        <source>p99 %1</source>
        <translation>p99 %1</translation>
    </message>
    <message>
        <source>From the grant until the holder releases the lock or learns that it is lost.</source>
        <translation>从授予到持有者释放锁，或得知锁已丢失。</translation>
    </message>
    <message>
        <source>Attempts, commands</source>
        <translation>尝试、命令</translation>
    </message>
    <message>
        <source>per acquisition · %1 renewals</source>
        <translation>每次获取 · %1 次续期</translation>
    </message>
    <message>
        <source>Attempts per acquisition, and commands sent to the server per acquisition, including renewals and the release.</source>
        <translation>每次获取的尝试次数，以及每次获取向服务器发送的命令数，包括续期和释放。</translation>
    </message>
    <message>
        <source>Longest bypass</source>
        <translation>最多被插队次数</translation>
    </message>
    <message>
        <source>later requests were granted first</source>
        <translation>较晚的请求先获授予</translation>
    </message>
    <message>
        <source>Largest number of later requests that were granted before a request that was already waiting.</source>
        <translation>一个请求在等待期间，先于它获授予的较晚请求的最大数量。</translation>
    </message>
    <message>
        <source>Rejected effects</source>
        <translation>被拒绝的操作</translation>
    </message>
    <message>
        <source>rejected by the fence check</source>
        <translation>被防护检查拒绝</translation>
    </message>
    <message>
        <source>The resource had seen a newer fencing token and rejected a late holder. This is what fencing is for.</source>
        <translation>资源已见过更新的防护令牌，因此拒绝了迟到的持有者。这正是防护的作用。</translation>
    </message>
    <message>
        <source>Lost locks</source>
        <translation>丢失的锁</translation>
    </message>
    <message>
        <source>late releases: %1</source>
        <translation>迟到的释放：%1</translation>
    </message>
    <message>
        <source>Holders that learned that their lock was gone, and releases that found no lock.</source>
        <translation>得知锁已不在的持有者，以及没有找到锁的释放。</translation>
    </message>
    <message>
        <source>Crashes, pauses</source>
        <translation>崩溃、暂停</translation>
    </message>
    <message>
        <source>as configured</source>
        <translation>按配置产生</translation>
    </message>
    <message>
        <source>Holders that crashed without releasing, and holders that paused beyond their lease.</source>
        <translation>未释放就崩溃的持有者，以及暂停超过租约的持有者。</translation>
    </message>
    <message>
        <source>%1 still waited at the end</source>
        <translation>结束时仍有 %1 个在等待</translation>
    </message>
    <message>
        <source>server failed %1 · unknown %2</source>
        <translation>服务器失败 %1 · 未知 %2</translation>
    </message>
    <message>
        <source>predicted %1</source>
        <translation>预测 %1</translation>
    </message>
    <message>
        <source>Wait, p50</source>
        <translation>等待，p50</translation>
    </message>
    <message>
        <source>p95 %1</source>
        <translation>p95 %1</translation>
    </message>
    <message>
        <source>From the request to the grant, or until the contender stopped waiting. Half of all waits are at most this long.</source>
        <translation>从请求到授予，或到竞争者停止等待。一半的等待不超过此值。</translation>
    </message>
    <message>
        <source>Wait, p99</source>
        <translation>等待，p99</translation>
    </message>
    <message>
        <source>max %1</source>
        <translation>最大 %1</translation>
    </message>
    <message>
        <source>One wait in a hundred is longer.</source>
        <translation>一百次等待中有一次比这更长。</translation>
    </message>
    <message>
        <source>starving</source>
        <translation>饥饿</translation>
    </message>
    <message>
        <source>%1 never granted</source>
        <translation>%1 个从未获授予</translation>
    </message>
    <message>
        <source>Fairness</source>
        <translation>公平性</translation>
    </message>
    <message>
        <source>Jain&apos;s index over the acquisitions of all contenders: 1 is perfectly even, 1/n means that one of n contenders gets everything.</source>
        <translation>按所有竞争者的获取次数计算的 Jain 指数：1 表示完全均匀，1/n 表示 n 个竞争者中有一个独占全部。</translation>
    </message>
    <message>
        <source>two holders at the same time</source>
        <translation>两个持有者同时持有</translation>
    </message>
    <message>
        <source>The protected resource saw a holder enter while another holder was inside.</source>
        <translation>受保护的资源发现：一个持有者还在其中，另一个又进入。</translation>
    </message>
    <message>
        <source>removed another holder&apos;s lock</source>
        <translation>移除了其他持有者的锁</translation>
    </message>
    <message>
        <source>A release removed a lock that had already been granted to another contender.</source>
        <translation>一次释放移除了已授予其他竞争者的锁。</translation>
    </message>
    <message>
        <source>not enough data</source>
        <translation>数据不足</translation>
    </message>
    <message>
        <source>even</source>
        <translation>均匀</translation>
    </message>
    <message>
        <source>uneven</source>
        <translation>不均匀</translation>
    </message>
    <message>
        <source>The run was aborted</source>
        <translation>运行已中止</translation>
    </message>
    <message>
        <source>%1 winners instead of %2</source>
        <translation>%1 个胜者，应为 %2 个</translation>
    </message>
    <message>
        <source>Several instances believe they won.</source>
        <translation>多个实例认为自己获胜。</translation>
    </message>
    <message>
        <source>1 overlap</source>
        <translation>1 次重叠</translation>
    </message>
    <message>
        <source>%1 overlaps</source>
        <translation>%1 次重叠</translation>
    </message>
    <message>
        <source>Two holders were inside at the same time: each could overwrite the work of the other.</source>
        <translation>两个持有者同时在其中：双方都可能覆盖对方的工作。</translation>
    </message>
    <message>
        <source>1 wrong release</source>
        <translation>1 次错误释放</translation>
    </message>
    <message>
        <source>%1 wrong releases</source>
        <translation>%1 次错误释放</translation>
    </message>
    <message>
        <source>A late holder removed the lock of the next holder.</source>
        <translation>迟到的持有者移除了下一个持有者的锁。</translation>
    </message>
    <message>
        <source>Known flaw: %1</source>
        <translation>已知缺陷：%1</translation>
    </message>
    <message>
        <source>This protocol does not promise mutual exclusion.</source>
        <translation>此协议不保证互斥。</translation>
    </message>
    <message>
        <source>Holders were paused beyond their lease. A lock that expires cannot guarantee exclusion in this case; only fencing at the resource can.</source>
        <translation>有持有者的暂停超过了租约。会过期的锁在这种情况下无法保证互斥，只有资源端的防护可以。</translation>
    </message>
    <message>
        <source>%1 acquisitions in %2, no overlap</source>
        <translation>%2 内 %1 次获取，无重叠</translation>
    </message>
    <message>
        <source>; %1 of %2 contenders never acquired the lock</source>
        <translation>；%2 个竞争者中有 %1 个从未获取到锁</translation>
    </message>
    <message>
        <source>No takeover occurred</source>
        <translation>没有发生接管</translation>
    </message>
    <message>
        <source>The first holder worked until the end of the run. Run longer, or reduce its work.</source>
        <translation>第一个持有者一直工作到运行结束。延长运行，或减少它的工作量。</translation>
    </message>
    <message>
        <source>%1 takeovers in at most %2, no overlap</source>
        <translation>%1 次接管，最长 %2，无重叠</translation>
    </message>
    <message>
        <source>The median takeover took %1. It depends on the lease (%2) and on how often the others retry (every %3).</source>
        <translation>接管时间的中位数为 %1。它取决于租约（%2）和其他竞争者的重试频率（每 %3 一次）。</translation>
    </message>
    <message>
        <source>%1 of %2 won, as expected</source>
        <translation>%2 个中有 %1 个获胜，符合预期</translation>
    </message>
    <message>
        <source>%1 requests did not reach the server.</source>
        <translation>%1 个请求未到达服务器。</translation>
    </message>
    <message>
        <source>Every attempt was refused: another owner holds the lock, or it was left behind.</source>
        <translation>所有尝试都被拒绝：锁由其他所有者持有，或是被遗留下来的。</translation>
    </message>
    <message>
        <source>Stopped early.</source>
        <translation>提前停止。</translation>
    </message>
    <message>
        <source>Contenders that wait are passed over again and again.</source>
        <translation>等待中的竞争者一再被跳过。</translation>
    </message>
    <message>
        <source>One holder learned that its lock was lost.</source>
        <translation>一个持有者得知自己的锁已丢失。</translation>
    </message>
    <message>
        <source>%1 holders learned that their lock was lost.</source>
        <translation>%1 个持有者得知自己的锁已丢失。</translation>
    </message>
    <message>
        <source>Fencing rejected %1 late effects.</source>
        <translation>防护拒绝了 %1 次迟到的操作。</translation>
    </message>
    <message>
        <source>Left behind by crashed holders: %1.</source>
        <translation>崩溃的持有者遗留的键：%1。</translation>
    </message>
    <message>
        <source>Left behind although no holder crashed: %1.</source>
        <translation>没有持有者崩溃，却遗留了键：%1。</translation>
    </message>
    <message>
        <source>They have no expiry and block forever.</source>
        <translation>它们没有过期时间，会永久阻塞。</translation>
    </message>
    <message>
        <source>%1, %2 × held</source>
        <translation>%1，持有 %2 次</translation>
    </message>
    <message>
        <source>Client %1%2 (%3)</source>
        <translation>客户端 %1%2（%3）</translation>
    </message>
    <message>
        <source>Taken at %1, according to the writer&apos;s clock</source>
        <translation>获取于 %1（按写入方的时钟）</translation>
    </message>
    <message>
        <source>, %1 unknown</source>
        <translation>，%1 个未知</translation>
    </message>
    <message>
        <source>reader</source>
        <translation>读者</translation>
    </message>
    <message>
        <source>writer</source>
        <translation>写者</translation>
    </message>
    <message>
        <source>holder</source>
        <translation>持有者</translation>
    </message>
    <message>
        <source>not recorded</source>
        <translation>未记录</translation>
    </message>
    <message>
        <source>%1 holders</source>
        <translation>%1 个持有者</translation>
    </message>
    <message>
        <source>never</source>
        <translation>永不</translation>
    </message>
    <message>
        <source>due</source>
        <translation>已到期</translation>
    </message>
    <message>
        <source>Not confirmed: read before the connection was lost</source>
        <translation>未确认：在连接断开前读取</translation>
    </message>
    <message>
        <source>%1, confidence %2</source>
        <translation>%1，可信度 %2</translation>
    </message>
    <message>
        <source>Key </source>
        <translation>键 </translation>
    </message>
    <message>
        <source>This format does not record who holds the lock</source>
        <translation>此格式不记录锁的持有者</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>另有 %1 个</translation>
    </message>
    <message>
        <source>No expiry: only a release removes it</source>
        <translation>无过期时间：只有释放才能移除</translation>
    </message>
    <message>
        <source>Expired according to the local clock; waiting for the server to confirm</source>
        <translation>按本地时钟已过期；等待服务器确认</translation>
    </message>
    <message>
        <source>Expires in %1</source>
        <translation>%1 后过期</translation>
    </message>
    <message>
        <source>Longest lease seen: %1</source>
        <translation>见过的最长租约：%1</translation>
    </message>
    <message>
        <source>Renewed %1 ×, last %2 ago</source>
        <translation>已续期 %1 次，最近一次在 %2 前</translation>
    </message>
    <message>
        <source>about %1 left</source>
        <translation>约剩 %1</translation>
    </message>
    <message>
        <source>stopping</source>
        <translation>正在停止</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>shortening the stories</source>
        <translation>正在精简过程</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>starting servers</source>
        <translation>正在启动服务器</translation>
    </message>
    <message>
        <source>running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>finished</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>%1 schedules</source>
        <translation>%1 个调度</translation>
    </message>
    <message>
        <source>%1/s</source>
        <translation>%1/s</translation>
    </message>
    <message>
        <source>%1 states</source>
        <translation>%1 个状态</translation>
    </message>
    <message>
        <source>deepest %1</source>
        <translation>最深 %1</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>步</translation>
    </message>
    <message>
        <source>%1 acquisitions</source>
        <translation>%1 次获取</translation>
    </message>
    <message>
        <source>It needs several servers, and a protocol file has one.</source>
        <translation>它需要多个服务器，而协议文件只有一个。</translation>
    </message>
    <message>
        <source>It has readers and writers, and the steps of a file have one mode.</source>
        <translation>它区分读者和写者，而文件的步骤只有一种模式。</translation>
    </message>
    <message>
        <source>Its waiters block on a list, and those of a file poll or listen.</source>
        <translation>它的等待者阻塞在列表上，而文件的等待者只能轮询或监听。</translation>
    </message>
    <message>
        <source>Its clients decide or remember something between two commands, and the steps of a file do not.</source>
        <translation>它的客户端会在两条命令之间作判断或记住状态，而文件的步骤不会。</translation>
    </message>
    <message>
        <source>%1, line %2: %3</source>
        <translation>%1，第 %2 行：%3</translation>
    </message>
    <message>
        <source>Could not read %1: %2</source>
        <translation>无法读取 %1：%2</translation>
    </message>
    <message>
        <source>0 allows no faults: enter at least 1, or select no fault.</source>
        <translation>0 表示不允许故障：至少输入 1，或不选择任何故障。</translation>
    </message>
    <message>
        <source>my scenario</source>
        <translation>我的场景</translation>
    </message>
    <message>
        <source>Contenders</source>
        <translation>竞争者数</translation>
    </message>
    <message>
        <source>Number of clients with the same workload: acquire, work, release.</source>
        <translation>使用相同工作负载（获取、工作、释放）的客户端数量。</translation>
    </message>
    <message>
        <source>Start offset</source>
        <translation>启动间隔</translation>
    </message>
    <message>
        <source>Delay between the starts of two clients. 0s: all at once. 12s: each starts after a lease of 10s has ended.</source>
        <translation>两个客户端启动之间的间隔。0s：同时启动。12s：前一个客户端的 10s 租约结束后再启动下一个。</translation>
    </message>
    <message>
        <source>Rounds</source>
        <translation>轮数</translation>
    </message>
    <message>
        <source>How many times each client acquires the lock.</source>
        <translation>每个客户端获取锁的次数。</translation>
    </message>
    <message>
        <source>Hold time</source>
        <translation>持有时间</translation>
    </message>
    <message>
        <source>How long a lock is held: 4s, 2s..6s, or ~4s for a mean.</source>
        <translation>锁的持有时长：4s、2s..6s，或 ~4s 表示平均值。</translation>
    </message>
    <message>
        <source>Think time</source>
        <translation>思考时间</translation>
    </message>
    <message>
        <source>Time between two rounds: 4s, 2s..6s, or ~4s for a mean.</source>
        <translation>两轮之间的时间：4s、2s..6s，或 ~4s 表示平均值。</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>键数</translation>
    </message>
    <message>
        <source>Number of locks. Each round picks one at random.</source>
        <translation>锁的数量。每轮随机选一把。</translation>
    </message>
    <message>
        <source>Read share</source>
        <translation>读占比</translation>
    </message>
    <message>
        <source>Share of rounds that only read, distributed evenly: 50%.</source>
        <translation>只读轮次的占比，均匀分布：50%。</translation>
    </message>
    <message>
        <source>Reentry depth</source>
        <translation>重入深度</translation>
    </message>
    <message>
        <source>How many times a holder acquires the lock in nested calls.</source>
        <translation>持有者以嵌套调用获取锁的次数。</translation>
    </message>
    <message>
        <source>Lease</source>
        <translation>租约</translation>
    </message>
    <message>
        <source>How long a grant lasts unless it is renewed.</source>
        <translation>一次授予在不续期时持续多久。</translation>
    </message>
    <message>
        <source> for reading</source>
        <translation> （读）</translation>
    </message>
    <message>
        <source> for writing</source>
        <translation> （写）</translation>
    </message>
    <message>
        <source>takes %1%2 for %3</source>
        <translation>获取 %1%2，租约 %3</translation>
    </message>
    <message>
        <source> without renewals</source>
        <translation> （不续期）</translation>
    </message>
    <message>
        <source>works %1</source>
        <translation>工作 %1</translation>
    </message>
    <message>
        <source>releases %1</source>
        <translation>释放 %1</translation>
    </message>
    <message>
        <source>sleeps %1</source>
        <translation>休眠 %1</translation>
    </message>
    <message>
        <source>%1, from %2: %3</source>
        <translation>%1，从 %2 起：%3</translation>
    </message>
    <message>
        <source>; with the identity of %1</source>
        <translation>；使用 %1 的身份</translation>
    </message>
    <message>
        <source>; crashes as soon as it holds a lock</source>
        <translation>；一持有锁就崩溃</translation>
    </message>
    <message>
        <source>taken</source>
        <translation>已获取</translation>
    </message>
    <message>
        <source>handed over</source>
        <translation>已移交</translation>
    </message>
    <message>
        <source>released</source>
        <translation>已释放</translation>
    </message>
    <message>
        <source>expired</source>
        <translation>已过期</translation>
    </message>
    <message>
        <source>our release</source>
        <translation>我的释放</translation>
    </message>
    <message>
        <source>our lock</source>
        <translation>我的锁</translation>
    </message>
    <message>
        <source>connection</source>
        <translation>连接</translation>
    </message>
    <message>
        <source>problem</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>an unrecorded owner</source>
        <translation>未记录的所有者</translation>
    </message>
    <message>
        <source>%1, held %2</source>
        <translation>%1，持有 %2</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>What</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>Use a form such as 250ms, 10s or 5m.</source>
        <translation>使用 250ms、10s 或 5m 这样的写法。</translation>
    </message>
    <message>
        <source>At least %1.</source>
        <translation>至少 %1。</translation>
    </message>
    <message>
        <source>Enter a key.</source>
        <translation>输入键名。</translation>
    </message>
    <message>
        <source>\x must be followed by two hexadecimal digits.</source>
        <translation>\x 后必须是两位十六进制数字。</translation>
    </message>
    <message>
        <source>Enter a whole number of at least 1.</source>
        <translation>输入不小于 1 的整数。</translation>
    </message>
    <message>
        <source>%1 left.</source>
        <translation>剩余 %1。</translation>
    </message>
    <message>
        <source>No expiry: the lock stays until it is released.</source>
        <translation>无过期时间：锁会一直保留到被释放。</translation>
    </message>
    <message>
        <source>Renewed once.</source>
        <translation>已续期 1 次。</translation>
    </message>
    <message>
        <source>Renewed %1 times.</source>
        <translation>已续期 %1 次。</translation>
    </message>
    <message>
        <source>Fence %1.</source>
        <translation>防护令牌 %1。</translation>
    </message>
    <message>
        <source>The reply was lost: you may or may not hold the lock. Do not rely on it. Release it, or wait until it expires.</source>
        <translation>回复已丢失：锁可能在你手中，也可能不在。不要依赖它。释放它，或等它过期。</translation>
    </message>
    <message>
        <source>The reply to the release was lost: the lock may exist until its lease ends. Check the lock table.</source>
        <translation>释放的回复已丢失：锁可能在租约结束前一直存在。查看锁表。</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>connecting</source>
        <translation>正在连接</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>Held by another owner; waiting for %1.</source>
        <translation>由其他所有者持有；已等待 %1。</translation>
    </message>
    <message>
        <source>held</source>
        <translation>持有中</translation>
    </message>
    <message>
        <source>lost</source>
        <translation>已丢失</translation>
    </message>
    <message>
        <source>Stop all work that relies on the lock, then release it.</source>
        <translation>停止所有依赖此锁的工作，然后释放它。</translation>
    </message>
    <message>
        <source>releasing</source>
        <translation>正在释放</translation>
    </message>
    <message>
        <source>Another owner already held the lock; nothing was removed.</source>
        <translation>锁已由其他所有者持有；未移除任何内容。</translation>
    </message>
    <message>
        <source>not acquired</source>
        <translation>未获取</translation>
    </message>
    <message>
        <source>Another owner held the lock the whole time. The lock table shows the owner.</source>
        <translation>其他所有者始终持有锁。锁表中显示了该所有者。</translation>
    </message>
    <message>
        <source>no expiry</source>
        <translation>没有过期时间</translation>
    </message>
    <message>
        <source>The lease expired.</source>
        <translation>租约已过期。</translation>
    </message>
    <message>
        <source>No renewal succeeded within the lease.</source>
        <translation>租约期内没有一次续期成功。</translation>
    </message>
    <message>
        <source>The maximum number of renewals was reached and the lease expired.</source>
        <translation>已达到最大续期次数，租约已过期。</translation>
    </message>
    <message>
        <source>The server refused the renewal.</source>
        <translation>服务器拒绝了续期。</translation>
    </message>
    <message>
        <source>%1 confidence, because</source>
        <translation>可信度 %1，依据：</translation>
    </message>
    <message>
        <source>Unknown: clients of this format poll, or wait on other servers</source>
        <translation>未知：此格式的客户端采用轮询，或在其他服务器上等待</translation>
    </message>
    <message>
        <source>
Unknown on: </source>
        <translation>
状态未知的服务器： </translation>
    </message>
    <message>
        <source>not confirmed</source>
        <translation>未确认</translation>
    </message>
    <message>
        <source> · not confirmed</source>
        <translation> · 未确认</translation>
    </message>
    <message>
        <source>At least this long: the lock was already held when first seen</source>
        <translation>至少这么久：首次发现时锁已被持有</translation>
    </message>
    <message>
        <source>owner </source>
        <translation>所有者 </translation>
    </message>
    <message>
        <source>expires: </source>
        <translation>过期： </translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>Prefix</source>
        <translation>前缀</translation>
    </message>
    <message>
        <source>one holder at a time</source>
        <translation>同一时刻只有一个持有者</translation>
    </message>
    <message>
        <source>one writer or several readers at a time</source>
        <translation>同一时刻只有一个写者或多个读者</translation>
    </message>
    <message>
        <source>only the owner can release</source>
        <translation>只有所有者能释放</translation>
    </message>
    <message>
        <source>a crash does not block others forever</source>
        <translation>崩溃不会永久阻塞他人</translation>
    </message>
    <message>
        <source>reentrant holds are counted</source>
        <translation>重入次数正确计数</translation>
    </message>
    <message>
        <source>waiters are always woken</source>
        <translation>等待者总会被唤醒</translation>
    </message>
    <message>
        <source>fencing tokens increase</source>
        <translation>防护令牌递增</translation>
    </message>
    <message>
        <source>the holder knows when its lease ends</source>
        <translation>持有者知道租约何时结束</translation>
    </message>
    <message>
        <source>some waiter always makes progress</source>
        <translation>总有等待者能继续</translation>
    </message>
    <message>
        <source>no waiter starves</source>
        <translation>没有等待者会饥饿</translation>
    </message>
    <message>
        <source>Makes no promises.</source>
        <translation>不作任何保证。</translation>
    </message>
    <message>
        <source>Promises: %1</source>
        <translation>保证：%1</translation>
    </message>
    <message>
        <source>* %1, if %2</source>
        <translation>* %1，前提：%2</translation>
    </message>
    <message>
        <source>Opened read-only: contenders cannot write there.</source>
        <translation>以只读方式打开：竞争者无法在此写入。</translation>
    </message>
    <message>
        <source>private redis-servers</source>
        <translation>多个私有 redis-server</translation>
    </message>
    <message>
        <source>a private redis-server</source>
        <translation>一个私有 redis-server</translation>
    </message>
    <message>
        <source>Enter a whole number from %1 to %2.</source>
        <translation>输入 %1 到 %2 之间的整数。</translation>
    </message>
    <message>
        <source>Between %1 and %2.</source>
        <translation>%1 到 %2 之间。</translation>
    </message>
    <message>
        <source>Enter off, or a duration such as 10s.</source>
        <translation>输入 off，或 10s 这样的时长。</translation>
    </message>
    <message>
        <source>Use a form such as 10ms, 5ms..20ms or ~20ms.</source>
        <translation>使用 10ms、5ms..20ms 或 ~20ms 这样的写法。</translation>
    </message>
    <message>
        <source>Enter a share such as 5% or 0.5%, at most 100%.</source>
        <translation>输入占比，如 5% 或 0.5%，最大 100%。</translation>
    </message>
    <message>
        <source>Enter a whole number of at least 0.</source>
        <translation>输入不小于 0 的整数。</translation>
    </message>
    <message>
        <source>an unreadable address</source>
        <translation>无法识别的地址</translation>
    </message>
    <message>
        <source> · read-only</source>
        <translation> · 只读</translation>
    </message>
    <message>
        <source>OK</source>
        <translation>确定</translation>
    </message>
    <message>
        <source>giving up</source>
        <translation>放弃重连</translation>
    </message>
    <message>
        <source>reconnecting now (attempt %1)</source>
        <translation>正在重连（第 %1 次尝试）</translation>
    </message>
    <message>
        <source>reconnecting in %1 s (attempt %2)</source>
        <translation>%1 s 后重连（第 %2 次尝试）</translation>
    </message>
    <message>
        <source>loading</source>
        <translation>加载中</translation>
    </message>
    <message>
        <source>no reply</source>
        <translation>无回复</translation>
    </message>
    <message>
        <source>unable to reply</source>
        <translation>无法回复</translation>
    </message>
    <message>
        <source>%1 for %2 s</source>
        <translation>%1，已 %2 s</translation>
    </message>
    <message>
        <source>polling</source>
        <translation>轮询</translation>
    </message>
    <message>
        <source>polling every %1 s</source>
        <translation>每 %1 s 轮询一次</translation>
    </message>
    <message>
        <source>The server is busy: it reports changes only for names that resemble known locks. Other keys are checked periodically.</source>
        <translation>服务器繁忙：只报告名称类似已知锁的键的变化。其他键定期检查。</translation>
    </message>
    <message>
        <source>live push</source>
        <translation>实时推送</translation>
    </message>
    <message>
        <source>keyspace events</source>
        <translation>键空间事件</translation>
    </message>
    <message>
        <source>connected</source>
        <translation>已连接</translation>
    </message>
    <message>
        <source>not connected</source>
        <translation>未连接</translation>
    </message>
    <message>
        <source>connecting…</source>
        <translation>正在连接…</translation>
    </message>
    <message>
        <source>%1 of %2 servers · %3</source>
        <translation>服务器 %1/%2 · %3</translation>
    </message>
    <message>
        <source>scanned while the server was empty</source>
        <translation>扫描时服务器为空</translation>
    </message>
    <message>
        <source>scanned: the server was empty</source>
        <translation>已扫描：服务器为空</translation>
    </message>
    <message>
        <source>scanned %1 keys</source>
        <translation>已扫描 %1 个键</translation>
    </message>
    <message>
        <source>scanned %1 of %2</source>
        <translation>已扫描 %1/%2</translation>
    </message>
    <message>
        <source>%1, %2 not read</source>
        <translation>%1，%2 个未读取</translation>
    </message>
    <message>
        <source>scanning again: %1 %</source>
        <translation>正在重新扫描：%1 %</translation>
    </message>
    <message>
        <source>partial: %1 % of the keys scanned</source>
        <translation>不完整：已扫描 %1 % 的键</translation>
    </message>
    <message>
        <source>1 lock</source>
        <translation>1 个锁</translation>
    </message>
    <message>
        <source>%1 locks</source>
        <translation>%1 个锁</translation>
    </message>
    <message>
        <source>%1 · %2 changes/s</source>
        <translation>%1 · %2 次变化/s</translation>
    </message>
    <message>
        <source>%1 servers: %2</source>
        <translation>%1 个服务器：%2</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Deep sweep</source>
        <translation>深度扫描</translation>
    </message>
    <message>
        <source>Read every key of a production server that could be a lock?</source>
        <translation>读取生产服务器上每个可能是锁的键？</translation>
    </message>
    <message>
        <source>Read every key of the server that could be a lock?</source>
        <translation>读取服务器上每个可能是锁的键？</translation>
    </message>
    <message>
        <source>The sweep is throttled: no call keeps the server busy for more than about a millisecond. It changes nothing. It takes a while if there are many keys.</source>
        <translation>扫描经过限速：任何一次调用占用服务器的时间都不超过约一毫秒。不作任何修改。键很多时需要一些时间。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>The lock expired.</source>
        <translation>锁已过期。</translation>
    </message>
    <message>
        <source>The lock is no longer watched.</source>
        <translation>已不再监视此锁。</translation>
    </message>
    <message>
        <source>The lock was released.</source>
        <translation>锁已释放。</translation>
    </message>
    <message>
        <source>1 byte</source>
        <translation>1 字节</translation>
    </message>
    <message>
        <source>%1 bytes</source>
        <translation>%1 字节</translation>
    </message>
    <message>
        <source>missing</source>
        <translation>不存在</translation>
    </message>
    <message>
        <source>string</source>
        <translation>字符串</translation>
    </message>
    <message>
        <source>hash</source>
        <translation>哈希</translation>
    </message>
    <message>
        <source>list</source>
        <translation>列表</translation>
    </message>
    <message>
        <source>set</source>
        <translation>集合</translation>
    </message>
    <message>
        <source>sorted set</source>
        <translation>有序集合</translation>
    </message>
    <message>
        <source>stream</source>
        <translation>流</translation>
    </message>
    <message>
        <source>other type</source>
        <translation>其他类型</translation>
    </message>
    <message>
        <source>1 field</source>
        <translation>1 个字段</translation>
    </message>
    <message>
        <source>%1 fields</source>
        <translation>%1 个字段</translation>
    </message>
    <message>
        <source>1 member</source>
        <translation>1 个成员</translation>
    </message>
    <message>
        <source>%1 members</source>
        <translation>%1 个成员</translation>
    </message>
    <message>
        <source>not recorded by this format</source>
        <translation>此格式不记录</translation>
    </message>
    <message>
        <source>Client</source>
        <translation>客户端</translation>
    </message>
    <message>
        <source>Same thread also holds</source>
        <translation>同一线程还持有</translation>
    </message>
    <message>
        <source>Same owner also holds</source>
        <translation>同一所有者还持有</translation>
    </message>
    <message>
        <source>Owner</source>
        <translation>所有者</translation>
    </message>
    <message>
        <source>and %1 more holders</source>
        <translation>另有 %1 个持有者</translation>
    </message>
    <message>
        <source>Holds</source>
        <translation>持有次数</translation>
    </message>
    <message>
        <source>Mode</source>
        <translation>模式</translation>
    </message>
    <message>
        <source>Taken</source>
        <translation>获取时间</translation>
    </message>
    <message>
        <source>%1 (according to its own timestamp)</source>
        <translation>%1（据其自身的时间戳）</translation>
    </message>
    <message>
        <source>%1 (seen)</source>
        <translation>%1（亲见）</translation>
    </message>
    <message>
        <source>before %1 (first seen)</source>
        <translation>早于 %1（首次发现）</translation>
    </message>
    <message>
        <source>at least %1</source>
        <translation>至少 %1</translation>
    </message>
    <message>
        <source>Held for</source>
        <translation>已持有</translation>
    </message>
    <message>
        <source>Renewed</source>
        <translation>续期</translation>
    </message>
    <message>
        <source>not since it was first seen</source>
        <translation>首次发现以来没有续期</translation>
    </message>
    <message>
        <source>once</source>
        <translation>1 次</translation>
    </message>
    <message>
        <source>%1 times</source>
        <translation>%1 次</translation>
    </message>
    <message>
        <source>%1, last %2 ago</source>
        <translation>%1，最近一次在 %2 前</translation>
    </message>
    <message>
        <source>Expires</source>
        <translation>过期</translation>
    </message>
    <message>
        <source>now; waiting for the server to confirm</source>
        <translation>此刻；等待服务器确认</translation>
    </message>
    <message>
        <source>Waiters</source>
        <translation>等待者</translation>
    </message>
    <message>
        <source> (%1 confidence)</source>
        <translation> （可信度：%1）</translation>
    </message>
    <message>
        <source>Could also be</source>
        <translation>也可能是</translation>
    </message>
    <message>
        <source>Held on</source>
        <translation>持有于</translation>
    </message>
    <message>
        <source>could not be read: %1</source>
        <translation>无法读取：%1</translation>
    </message>
    <message>
        <source>the first %1 of %2 bytes</source>
        <translation>前 %1 字节，共 %2 字节</translation>
    </message>
    <message>
        <source>empty</source>
        <translation>空</translation>
    </message>
    <message>
        <source>the beginning of a %1 with %2</source>
        <translation>%1的开头，共 %2</translation>
    </message>
    <message>
        <source>: a client keeps it alive</source>
        <translation>：有客户端在为它续期</translation>
    </message>
    <message>
        <source>db %1</source>
        <translation>数据库 %1</translation>
    </message>
    <message>
        <source>evidence: %1</source>
        <translation>依据：%1</translation>
    </message>
    <message>
        <source> on %1</source>
        <translation> 在 %1 上</translation>
    </message>
    <message>
        <source>Redlock set of %1 servers</source>
        <translation>%1 个服务器的 Redlock 组</translation>
    </message>
    <message>
        <source>Not connected</source>
        <translation>未连接</translation>
    </message>
    <message>
        <source>Connect…</source>
        <translation>连接…</translation>
    </message>
    <message>
        <source>Cannot reach %1</source>
        <translation>无法连接到 %1</translation>
    </message>
    <message>
        <source>Change the connection…</source>
        <translation>更改连接…</translation>
    </message>
    <message>
        <source>The server requires different credentials</source>
        <translation>服务器要求使用其他凭据</translation>
    </message>
    <message>
        <source>No permission to scan</source>
        <translation>没有扫描权限</translation>
    </message>
    <message>
        <source>%1 does not answer</source>
        <translation>%1 没有应答</translation>
    </message>
    <message>
        <source>This server cannot contain locks</source>
        <translation>此服务器不可能包含锁</translation>
    </message>
    <message>
        <source>Scanning the keys: %1 %</source>
        <translation>正在扫描键：%1 %</translation>
    </message>
    <message>
        <source>No locks so far. The result is complete when all keys have been scanned.</source>
        <translation>目前没有锁。扫描完所有键后，结果才完整。</translation>
    </message>
    <message>
        <source>No locks among the readable keys</source>
        <translation>可读取的键中没有锁</translation>
    </message>
    <message>
        <source>Some keys could not be read and may be locks. The reason is shown above.</source>
        <translation>部分键无法读取，它们可能是锁。原因见上方。</translation>
    </message>
    <message>
        <source>No locks found</source>
        <translation>未找到锁</translation>
    </message>
    <message>
        <source>All keys were read, and none is a lock. New locks appear here automatically.</source>
        <translation>已读取所有键，其中没有锁。新的锁会自动显示在这里。</translation>
    </message>
    <message>
        <source>All keys were scanned, and none looks like a lock by name and value. A deep sweep reads every key that could be a lock by type and size, whatever its name. New locks appear here automatically.</source>
        <translation>已扫描所有键，没有一个在名称和值上像锁。深度扫描会读取每个类型和大小可能是锁的键，不论其名称。新的锁会自动显示在这里。</translation>
    </message>
    <message>
        <source>1 lock hidden by the filter</source>
        <translation>1 把锁被筛选隐藏</translation>
    </message>
    <message>
        <source>%1 locks hidden by the filter</source>
        <translation>%1 把锁被筛选隐藏</translation>
    </message>
    <message>
        <source>No lock matches. Press Escape in the filter box to clear it.</source>
        <translation>没有匹配的锁。在筛选框中按 Esc 清除筛选。</translation>
    </message>
    <message>
        <source>Clear the filter</source>
        <translation>清除筛选</translation>
    </message>
    <message>
        <source>Connecting to %1…</source>
        <translation>正在连接 %1…</translation>
    </message>
    <message>
        <source>Incomplete: %1</source>
        <translation>不完整：%1</translation>
    </message>
    <message>
        <source>All rows are out of date (shown in grey) · %1 · %2</source>
        <translation>所有行均已过时（以灰色显示） · %1 · %2</translation>
    </message>
    <message>
        <source>Rows not confirmed since the connection was lost are grey · %1 · %2</source>
        <translation>灰色的行自连接断开后尚未确认 · %1 · %2</translation>
    </message>
    <message>
        <source>reading again</source>
        <translation>正在重新读取</translation>
    </message>
    <message>
        <source>PNG images (*.png)</source>
        <translation>PNG 图像 (*.png)</translation>
    </message>
    <message>
        <source>SVG images (*.svg)</source>
        <translation>SVG 图像 (*.svg)</translation>
    </message>
    <message>
        <source>CSV tables (*.csv)</source>
        <translation>CSV 表格 (*.csv)</translation>
    </message>
    <message>
        <source>Markdown files (*.md)</source>
        <translation>Markdown 文件 (*.md)</translation>
    </message>
    <message>
        <source>&amp;Image (PNG)…</source>
        <translation>图像（PNG）(&amp;I)…</translation>
    </message>
    <message>
        <source>Image (&amp;SVG)…</source>
        <translation>图像（SVG）(&amp;S)…</translation>
    </message>
    <message>
        <source>Table (&amp;CSV), one line per promise…</source>
        <translation>表格（CSV），每个保证一行(&amp;C)…</translation>
    </message>
    <message>
        <source>Table (&amp;Markdown)…</source>
        <translation>表格（Markdown）(&amp;M)…</translation>
    </message>
    <message>
        <source>Export the matrix</source>
        <translation>导出矩阵</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <source>Every function is available from the keyboard</source>
        <translation>所有功能都可用键盘操作</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Esc</source>
        <translation>Esc</translation>
    </message>
    <message>
        <source>Clear the filter, or close a dialog without changes</source>
        <translation>清除筛选，或不作更改地关闭对话框</translation>
    </message>
    <message>
        <source>Up, Down</source>
        <translation>上、下</translation>
    </message>
    <message>
        <source>In the filter box: previous filters</source>
        <translation>在筛选框中：以前的筛选</translation>
    </message>
    <message>
        <source>Right, Left</source>
        <translation>右、左</translation>
    </message>
    <message>
        <source>In the table: show or hide the holders of a lock</source>
        <translation>在表格中：显示或隐藏锁的持有者</translation>
    </message>
    <message>
        <source>Enter</source>
        <translation>Enter</translation>
    </message>
    <message>
        <source>In the table: the details of the lock</source>
        <translation>在表格中：锁的详情</translation>
    </message>
    <message>
        <source>About Lockscope</source>
        <translation>关于 Lockscope</translation>
    </message>
    <message>
        <source>Lockscope %1</source>
        <translation>Lockscope %1</translation>
    </message>
    <message>
        <source>See, watch and release the distributed locks of a Redis server.

Free software under the GNU General Public License, version 3 or later.
Qt %1</source>
        <translation>查看、监视和释放 Redis 服务器上的分布式锁。

自由软件，采用 GNU 通用公共许可证第 3 版或更高版本。
Qt %1</translation>
    </message>
    <message>
        <source>Could not read the settings in %1. Defaults are used. Check the owner and permissions of the file.</source>
        <translation>无法读取 %1 中的设置，已使用默认值。检查该文件的所有者和权限。</translation>
    </message>
    <message>
        <source>not searched yet</source>
        <translation>尚未搜索</translation>
    </message>
    <message>
        <source>%1 in %2</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>%1 in %2; not promised otherwise</source>
        <translation>%1（%2）；协议未保证不发生</translation>
    </message>
    <message>
        <source>does not happen</source>
        <translation>不会发生</translation>
    </message>
    <message>
        <source>did not happen as far as it was searched</source>
        <translation>在已搜索的范围内未发生</translation>
    </message>
    <message>
        <source>could have happened in no run</source>
        <translation>没有一次运行有机会发生</translation>
    </message>
    <message>
        <source>nothing was tested</source>
        <translation>未做任何测试</translation>
    </message>
    <message>
        <source>has nothing that could go wrong this way</source>
        <translation>此处没有可能出错之处</translation>
    </message>
    <message>
        <source>has no effect</source>
        <translation>无影响</translation>
    </message>
    <message>
        <source>%1 · %2: %3</source>
        <translation>%1 · %2：%3</translation>
    </message>
    <message>
        <source>“%1” breaks: %2</source>
        <translation>“%1”被违反：%2</translation>
    </message>
    <message>
        <source>%1 (plan “%2”)</source>
        <translation>%1（方案“%2”）</translation>
    </message>
    <message>
        <source>%1 schedules and %2 states were explored</source>
        <translation>已探索 %1 个调度和 %2 个状态</translation>
    </message>
    <message>
        <source>No run had a chance to break a promise: %1</source>
        <translation>没有一次运行有机会违反保证：%1</translation>
    </message>
    <message>
        <source>%1, the complete search space of the plans.</source>
        <translation>%1，即方案的全部搜索空间。</translation>
    </message>
    <message>
        <source>%1 before the bound was reached.</source>
        <translation>%1，之后达到上限。</translation>
    </message>
    <message>
        <source>No run had a chance for it: %1.</source>
        <translation>没有一次运行有机会发生：%1。</translation>
    </message>
    <message>
        <source> Without a chance in any run: %1.</source>
        <translation> 没有一次运行有机会发生的：%1。</translation>
    </message>
    <message>
        <source> What happens besides: %1.</source>
        <translation> 另外还会发生：%1。</translation>
    </message>
    <message>
        <source>… and %1 more</source>
        <translation>… 另有 %1</translation>
    </message>
    <message>
        <source>line</source>
        <translation>行</translation>
    </message>
    <message>
        <source>lines</source>
        <translation>行</translation>
    </message>
    <message>
        <source>it happens in 7 steps, although the protocol promises otherwise</source>
        <translation>7 步内发生，而协议保证不发生</translation>
    </message>
    <message>
        <source>it happens, and the protocol does not promise otherwise</source>
        <translation>会发生，协议未保证不发生</translation>
    </message>
    <message>
        <source>it does not happen, search complete</source>
        <translation>不会发生，搜索完整</translation>
    </message>
    <message>
        <source>it did not happen up to the bound</source>
        <translation>达到上限前未发生</translation>
    </message>
    <message>
        <source>no effect</source>
        <translation>无影响</translation>
    </message>
    <message>
        <source>by %1</source>
        <translation>%1</translation>
    </message>
    <message>
        <source>to %1</source>
        <translation>转给 %1</translation>
    </message>
    <message>
        <source>The lock no longer exists; there is nothing to release.</source>
        <translation>该锁已不存在，无需释放。</translation>
    </message>
    <message>
        <source>Locks of this format cannot be released safely.</source>
        <translation>此格式的锁无法安全释放。</translation>
    </message>
    <message>
        <source>The lock no longer exists.</source>
        <translation>该锁已不存在。</translation>
    </message>
    <message>
        <source>This lock already has an expiry, or the TTL of its format cannot be capped safely.</source>
        <translation>该锁已有过期时间，或者其格式的 TTL 无法安全限定。</translation>
    </message>
    <message>
        <source>The hold you selected was released in the meantime.</source>
        <translation>所选的持有在此期间已被释放。</translation>
    </message>
    <message>
        <source>The hold you selected expired in the meantime.</source>
        <translation>所选的持有在此期间已过期。</translation>
    </message>
    <message>
        <source>The hold you selected has ended, and the lock was acquired again.</source>
        <translation>所选的持有已结束，该锁又被重新获取。</translation>
    </message>
    <message>
        <source>A holder you selected no longer has the lock.</source>
        <translation>所选的某个持有者已不再持有该锁。</translation>
    </message>
    <message>
        <source>The expiry changed in the meantime: the lock was renewed, or released and acquired again. These two cases cannot be distinguished.</source>
        <translation>过期时间在此期间发生了变化：该锁被续期，或被释放后重新获取。这两种情况无法区分。</translation>
    </message>
    <message>
        <source>this is no file of profiles that Lockscope exported</source>
        <translation>这不是 Lockscope 导出的配置文件</translation>
    </message>
    <message>
        <source>it was written by a newer version of Lockscope</source>
        <translation>它由更新版本的 Lockscope 写入</translation>
    </message>
    <message>
        <source>profile %1 has no name, or an address that cannot be read</source>
        <translation>第 %1 个配置没有名称，或其地址无法读取</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>主题(&amp;T)</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>&amp;Language</source>
        <translation>语言(&amp;L)</translation>
    </message>
    <message>
        <source>Takes effect at the next start.</source>
        <translation>下次启动时生效。</translation>
    </message>
    <message>
        <source>Ti&amp;mes</source>
        <translation>时间(&amp;M)</translation>
    </message>
    <message>
        <source>Files and commands always use UTC.</source>
        <translation>文件和命令始终使用 UTC。</translation>
    </message>
    <message>
        <source>Local time</source>
        <translation>本地时间</translation>
    </message>
    <message>
        <source>UTC</source>
        <translation>UTC</translation>
    </message>
    <message>
        <source>Lock &amp;name patterns</source>
        <translation>锁名模式(&amp;N)</translation>
    </message>
    <message>
        <source>Redis patterns of keys that are locks, whatever they look like, with spaces between: job:* cron-?</source>
        <translation>视为锁的键的 Redis 模式（无论其值如何），以空格分隔：job:* cron-?</translation>
    </message>
    <message>
        <source>Show keys that are &amp;probably data</source>
        <translation>显示很可能是数据的键(&amp;P)</translation>
    </message>
    <message>
        <source>%1: not recorded</source>
        <translation>%1：未记录</translation>
    </message>
    <message>
        <source>commands: not recorded</source>
        <translation>命令：未记录</translation>
    </message>
    <message>
        <source>not visible in a timeline</source>
        <translation>时间线中看不到</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>nothing broke</source>
        <translation>未违反任何保证</translation>
    </message>
    <message>
        <source>%1, random runs</source>
        <translation>%1，随机运行</translation>
    </message>
    <message>
        <source>%1, custom scenario</source>
        <translation>%1，自定义场景</translation>
    </message>
    <message>
        <source>%1, no faults</source>
        <translation>%1，无故障</translation>
    </message>
    <message>
        <source>%1, %2 faults</source>
        <translation>%1，%2 种故障</translation>
    </message>
    <message>
        <source>alert</source>
        <translation>告警</translation>
    </message>
    <message>
        <source>There is no program %1.</source>
        <translation>找不到程序 %1。</translation>
    </message>
    <message>
        <source>Enter an address that begins with https:// or http://.</source>
        <translation>请输入以 https:// 或 http:// 开头的地址。</translation>
    </message>
    <message>
        <source>Leave out name and password: the address is kept in a file.</source>
        <translation>请去掉用户名和密码：该地址会保存在文件中。</translation>
    </message>
    <message>
        <source>%1: %2 for %3</source>
        <translation>%1：%2，已持续 %3</translation>
    </message>
    <message>
        <source>%1 is over: %2 for %3</source>
        <translation>%1 已结束：%2，曾持续 %3</translation>
    </message>
    <message>
        <source>%1 and %2 more</source>
        <translation>%1 及另外 %2 个</translation>
    </message>
    <message>
        <source>The command could not be started: %1</source>
        <translation>无法启动命令：%1</translation>
    </message>
    <message>
        <source>The command crashed.</source>
        <translation>命令崩溃了。</translation>
    </message>
    <message>
        <source>The command exited with status %1.</source>
        <translation>命令以状态码 %1 退出。</translation>
    </message>
    <message>
        <source>The webhook was not reached: %1</source>
        <translation>无法连接 webhook：%1</translation>
    </message>
    <message>
        <source>The webhook answered with HTTP status %1.</source>
        <translation>webhook 返回了 HTTP 状态码 %1。</translation>
    </message>
    <message>
        <source>Violet</source>
        <translation>紫色</translation>
    </message>
    <message>
        <source>Teal</source>
        <translation>青色</translation>
    </message>
    <message>
        <source>Magenta</source>
        <translation>洋红色</translation>
    </message>
    <message>
        <source>Grey</source>
        <translation>灰色</translation>
    </message>
    <message>
        <source>Colour rule: %1</source>
        <translation>颜色规则：%1</translation>
    </message>
    <message>
        <source>Enter a filter, such as waiters&gt;5.</source>
        <translation>请输入筛选条件，例如 waiters&gt;5。</translation>
    </message>
    <message>
        <source>Next run</source>
        <translation>下一次运行</translation>
    </message>
    <message>
        <source>This desktop has no tray: notifications cannot be shown.</source>
        <translation>此桌面没有系统托盘：无法显示通知。</translation>
    </message>
    <message>
        <source>The tray of this desktop shows no notifications.</source>
        <translation>此桌面的托盘不显示通知。</translation>
    </message>
    <message>
        <source>Could not save the file</source>
        <translation>无法保存文件</translation>
    </message>
    <message>
        <source>Colour rule</source>
        <translation>颜色规则</translation>
    </message>
    <message>
        <source>It took too long and was stopped.</source>
        <translation>耗时过长，已被停止。</translation>
    </message>
    <message>
        <source>Too many commands and webhooks are running; this one was skipped.</source>
        <translation>正在运行的命令和 Webhook 过多，已跳过这一个。</translation>
    </message>
    <message>
        <source>number of the contender</source>
        <translation>竞争者编号</translation>
    </message>
    <message>
        <source>At most: so many clients of this server are blocked on lists, and Redis does not tell on which</source>
        <translation>最多：此服务器有这么多客户端阻塞在列表上，Redis 不会说明是哪些列表</translation>
    </message>
    <message>
        <source>Locks</source>
        <translation>锁</translation>
    </message>
    <message>
        <source>Oldest hold</source>
        <translation>最早的持有</translation>
    </message>
    <message>
        <source>Shortest TTL</source>
        <translation>最短 TTL</translation>
    </message>
    <message>
        <source>scanned the only key</source>
        <translation>已扫描唯一的键</translation>
    </message>
    <message>
        <source>scanned all %1 keys</source>
        <translation>已扫描全部 %1 个键</translation>
    </message>
    <message>
        <source>Connect to a Redis server to see its locks, their owners, and which of them are stuck. The demo starts a private server with locks of every kind.</source>
        <translation>连接到 Redis 服务器，即可查看其中的锁、持有者以及哪些锁已卡住。演示会启动一个带有各种锁的私有服务器。</translation>
    </message>
    <message>
        <source>Start the demo</source>
        <translation>启动演示</translation>
    </message>
    <message>
        <source>Follow the system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>releases %1 from another task</source>
        <translation>由另一个任务释放 %1</translation>
    </message>
    <message>
        <source>%1 · master %2</source>
        <translation>%1 · 主节点 %2</translation>
    </message>
    <message>
        <source>A loss is noticed at once.</source>
        <translation>一旦丢失，会立即发现。</translation>
    </message>
    <message>
        <source>The lock no longer exists on the server.</source>
        <translation>服务器上已经没有这把锁。</translation>
    </message>
    <message>
        <source>Another owner holds the lock.</source>
        <translation>锁由其他所有者持有。</translation>
    </message>
    <message>
        <source>over %1</source>
        <translation>历时 %1</translation>
    </message>
    <message>
        <source>, </source>
        <translation>，</translation>
    </message>
    <message>
        <source>Slot</source>
        <translation>槽位</translation>
    </message>
    <message>
        <source>%1, which no node serves</source>
        <translation>%1，没有节点负责</translation>
    </message>
    <message>
        <source>%1, on %2</source>
        <translation>%1，位于 %2</translation>
    </message>
    <message>
        <source>release</source>
        <translation>释放</translation>
    </message>
    <message>
        <source>cap the TTL</source>
        <translation>限定过期时间</translation>
    </message>
    <message>
        <source>tombstone</source>
        <translation>墓碑</translation>
    </message>
    <message>
        <source>undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>disconnect</source>
        <translation>断开</translation>
    </message>
    <message>
        <source>capped</source>
        <translation>已限定</translation>
    </message>
    <message>
        <source>replaced</source>
        <translation>已替换</translation>
    </message>
    <message>
        <source>restored</source>
        <translation>已恢复</translation>
    </message>
    <message>
        <source>disconnected</source>
        <translation>已断开</translation>
    </message>
    <message>
        <source>changed hands</source>
        <translation>已易主</translation>
    </message>
    <message>
        <source>already gone</source>
        <translation>已不存在</translation>
    </message>
    <message>
        <source>refused</source>
        <translation>被拒绝</translation>
    </message>
    <message>
        <source>interrupted</source>
        <translation>被中断</translation>
    </message>
    <message>
        <source>Read-only by Lockscope&apos;s own list of commands, because the server may not be asked which commands only read (+command|info).</source>
        <translation>按 Lockscope 自己的命令列表保持只读，因为不允许询问服务器哪些命令只读取数据（+command|info）。</translation>
    </message>
    <message>
        <source>Redlock set of %1 servers: %2</source>
        <translation>由 %1 台服务器组成的 Redlock 组：%2</translation>
    </message>
    <message>
        <source>held by %1</source>
        <translation>由 %1 持有</translation>
    </message>
    <message>
        <source>waits</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>waits, and holds what others wait for</source>
        <translation>等待中，同时持有别人在等待的锁</translation>
    </message>
    <message>
        <source>Deadlock</source>
        <translation>死锁</translation>
    </message>
    <message>
        <source>each holder waits for the next lock</source>
        <translation>每个持有者都在等待下一把锁</translation>
    </message>
    <message>
        <source>Lock, and who waits for it</source>
        <translation>锁及其等待者</translation>
    </message>
    <message>
        <source>For</source>
        <translation>时长</translation>
    </message>
    <message>
        <source>Waited in total</source>
        <translation>等待总计</translation>
    </message>
    <message>
        <source>%1 commands/s</source>
        <translation>%1 条命令/s</translation>
    </message>
    <message>
        <source>%1 kB/s</source>
        <translation>%1 kB/s</translation>
    </message>
    <message>
        <source>%1 % of the server&apos;s time</source>
        <translation>服务器时间的 %1 %</translation>
    </message>
    <message>
        <source>sweeps limited to %1</source>
        <translation>扫描上限：%1</translation>
    </message>
    <message>
        <source>our cost: %1 commands/s, %2 messages/s, %3 kB/s, %4 % of a core · slowest call %5 ms</source>
        <translation>本程序开销：%1 条命令/s、%2 条消息/s、%3 kB/s、%4 % 的核心 · 最慢调用 %5 ms</translation>
    </message>
    <message>
        <source>Cost of watching for the server: our commands, the changes it reports to us, and the comparison of every write with our subscriptions. The share of a CPU core is an estimate from what was sent and what the server says each command takes. The options max-commands, max-bytes and max-percent in the address of a server limit what looking through all keys may cost.</source>
        <translation>监视给服务器带来的开销：本程序的命令、服务器报告的变化，以及每次写入与本程序订阅的比对。CPU 核心占比是根据实际发送的命令和服务器所说的各命令耗时估计的。服务器地址中的选项 max-commands、max-bytes 和 max-percent 可以限制查看所有键的开销。</translation>
    </message>
    <message>
        <source>Who</source>
        <translation>谁</translation>
    </message>
    <message>
        <source>No limit</source>
        <translation>不限制</translation>
    </message>
    <message>
        <source>&amp;Cost to a server</source>
        <translation>对服务器的开销(&amp;C)</translation>
    </message>
    <message>
        <source>What looking through all keys may take of a server&apos;s time, where its address does not say. Takes effect at the next connection.</source>
        <translation>查看全部键最多可占用服务器多少时间；地址中另有说明的除外。下次连接时生效。</translation>
    </message>
    <message>
        <source>trying the adapter</source>
        <translation>正在试用适配器</translation>
    </message>
    <message>
        <source>%1 runs</source>
        <translation>%1 次运行</translation>
    </message>
    <message>
        <source>%1 broken</source>
        <translation>%1 项被破坏</translation>
    </message>
    <message>
        <source>%1 runs were tried, not all that differ in one step.</source>
        <translation>尝试了 %1 次运行，尚未覆盖所有相差一步的情况。</translation>
    </message>
    <message>
        <source>%1 runs were tried, among them all that differ in up to %2 steps.</source>
        <translation>尝试了 %1 次运行，其中包括所有相差不超过 %2 步的情况。</translation>
    </message>
    <message>
        <source>No mistake of the client, but the limit of every lease without a fence: %1</source>
        <translation>并非客户端的错误，而是没有围栏的租约固有的局限：%1</translation>
    </message>
    <message>
        <source>The order of threads between two messages is not controlled.</source>
        <translation>两条消息之间线程的先后次序不受控制。</translation>
    </message>
    <message>
        <source>Enter the command that starts the adapter.</source>
        <translation>请输入启动适配器的命令。</translation>
    </message>
    <message>
        <source>Replayed %1 times; it showed %2 times.</source>
        <translation>重放了 %1 次，其中 %2 次再现。</translation>
    </message>
    <message>
        <source>The adapter knows %1.</source>
        <translation>适配器支持：%1。</translation>
    </message>
    <message>
        <source>The adapter does not work.</source>
        <translation>适配器不能工作。</translation>
    </message>
    <message>
        <source>%1 runs could not be carried out, the latest because %2.</source>
        <translation>有 %1 次运行未能完成，最近一次的原因：%2。</translation>
    </message>
    <message>
        <source>The client had its own clock: leases took as long as they last.</source>
        <translation>客户端使用自己的时钟：租约按实际时长流逝。</translation>
    </message>
    <message>
        <source>No run came to what it was to do.</source>
        <translation>没有一次运行做到它要做的事。</translation>
    </message>
    <message>
        <source>No promise was broken within these runs. That does not mean that none can be.</source>
        <translation>在这些运行中没有承诺被破坏。这并不意味着不会被破坏。</translation>
    </message>
    <message>
        <source>%1 runs were tried, among them all that differ in one step.</source>
        <translation>尝试了 %1 次运行，其中包括所有相差一步的情况。</translation>
    </message>
    <message>
        <source>On %1 it showed %2 of %3 times.</source>
        <translation>在 %1 上重放 %3 次，其中 %2 次再现。</translation>
    </message>
    <message>
        <source>The search was still going on: there may be a shorter way.</source>
        <translation>当时搜索仍在进行：可能还有更短的途径。</translation>
    </message>
    <message>
        <source>Story</source>
        <translation>过程</translation>
    </message>
    <message>
        <source>Shortest so far</source>
        <translation>目前最短</translation>
    </message>
    <message>
        <source>%1 of %2 replays</source>
        <translation>%2 次重放中 %1 次再现</translation>
    </message>
    <message>
        <source>%1 of %2 on %3</source>
        <translation>在 %3 上 %2 次中 %1 次再现</translation>
    </message>
    <message>
        <source>%1. That happened in %2 runs.</source>
        <translation>%1。这在 %2 次运行中发生过。</translation>
    </message>
    <message>
        <source>output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>%1. That happened in %2 runs. It wrote:</source>
        <translation>%1。这在 %2 次运行中发生过。它写出：</translation>
    </message>
    <message>
        <source>Requests that ran out of time or attempts; requests that the server answered with an error; requests that did not reach the server; requests with an unknown outcome. Requests that still waited at the end did not give up.</source>
        <translation>用尽时间或尝试次数的请求、服务器回复错误的请求、未到达服务器的请求、结果未知的请求。结束时仍在等待的请求不算放弃。</translation>
    </message>
    <message>
        <source>errors %1 · server failed %2 · unknown %3</source>
        <translation>错误 %1 · 服务器失败 %2 · 未知 %3</translation>
    </message>
    <message>
        <source>The server answered one request with an error.</source>
        <translation>服务器对一个请求回复了错误。</translation>
    </message>
    <message>
        <source>The server answered %1 requests with an error.</source>
        <translation>服务器对 %1 个请求回复了错误。</translation>
    </message>
    <message>
        <source>The first: %1</source>
        <translation>第一个：%1</translation>
    </message>
    <message>
        <source>No promise was broken, but too little was tried to say anything.</source>
        <translation>没有承诺被破坏，但尝试得太少，无法得出结论。</translation>
    </message>
    <message>
        <source>The servers that answer do not have the lock, but other servers may have it.</source>
        <translation>有响应的服务器上没有这把锁，但其他服务器上可能有。</translation>
    </message>
    <message>
        <source>It is sent to %1, the master of %2.</source>
        <translation>将发送到 %1，即 %2 的主节点。</translation>
    </message>
    <message>
        <source>The settings in %1 are damaged. Defaults are used. The damaged file is kept as %2.</source>
        <translation>%1 中的设置已损坏，已使用默认值。损坏的文件保留为 %2。</translation>
    </message>
    <message>
        <source>Some settings in %1 are damaged: %2. Their defaults are used. The damaged file is kept as %3.</source>
        <translation>%1 中的部分设置已损坏：%2。这些设置已使用默认值。损坏的文件保留为 %3。</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>%1

Click, or press Space in the column, to fold the group %2.</source>
        <translation>%1

单击，或在该列中按空格键，可折叠“%2”组。</translation>
    </message>
    <message>
        <source>The worst of: %1.

Click, or press Space in the column, for a column per fault.</source>
        <translation>其中最糟的一种：%1。

单击，或在该列中按空格键，每种故障显示一列。</translation>
    </message>
</context>
<context>
    <name>lockscope::app::Composition</name>
    <message>
        <source>There is no page called “%1”. There is: %2.</source>
        <translation>没有名为“%1”的页面。可用的页面：%2。</translation>
    </message>
    <message>
        <source>Audit of releases</source>
        <translation>释放审计记录</translation>
    </message>
    <message>
        <source>Own formats</source>
        <translation>自定义格式</translation>
    </message>
</context>
<context>
    <name>lockscope::models::AdviceModel</name>
    <message>
        <source>Nothing holds.</source>
        <translation>没有协议满足要求。</translation>
    </message>
    <message>
        <source>%1 of %2 protocols hold.</source>
        <translation>%2 个协议中有 %1 个满足要求。</translation>
    </message>
    <message>
        <source>holds</source>
        <translation>满足要求</translation>
    </message>
    <message>
        <source>held as far as it was searched</source>
        <translation>在已搜索的范围内满足要求</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>Protocol</source>
        <translation>协议</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>Commands of an acquisition with its release, of a client that is alone</source>
        <translation>没有竞争的客户端完成一次获取和释放所用的命令数</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Waits of ten clients for one lock, predicted: median and 99th percentile</source>
        <translation>十个客户端争用一把锁的预测等待时间：中位数和第 99 百分位</translation>
    </message>
    <message>
        <source>Waits (p50 · p99)</source>
        <translation>等待（p50 · p99）</translation>
    </message>
    <message>
        <source>Libraries</source>
        <translation>客户端库</translation>
    </message>
    <message>
        <source>no choice: %1</source>
        <translation>不可取：%1</translation>
    </message>
</context>
<context>
    <name>lockscope::models::AuditModel</name>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>Action</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Owner</source>
        <translation>所有者</translation>
    </message>
    <message>
        <source>By</source>
        <translation>操作者</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>原因</translation>
    </message>
</context>
<context>
    <name>lockscope::models::AxisText</name>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>步</translation>
    </message>
</context>
<context>
    <name>lockscope::models::ComparisonModel</name>
    <message>
        <source>%1, measured by %2</source>
        <translation>%1，以 %2 为基准</translation>
    </message>
    <message>
        <source>Figure</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>差异</translation>
    </message>
</context>
<context>
    <name>lockscope::models::ContenderTableModel</name>
    <message>
        <source>thinking</source>
        <translation>思考中</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>holding</source>
        <translation>持有中</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>parked</source>
        <translation>待恢复</translation>
    </message>
    <message>
        <source>crashed</source>
        <translation>已崩溃</translation>
    </message>
    <message>
        <source>finished</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>Contender</source>
        <translation>竞争者</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>For</source>
        <translation>已持续</translation>
    </message>
    <message>
        <source>Acquisitions</source>
        <translation>获取次数</translation>
    </message>
</context>
<context>
    <name>lockscope::models::EventListModel</name>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Who</source>
        <translation>主体</translation>
    </message>
    <message>
        <source>What</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>Lock</source>
        <translation>锁</translation>
    </message>
    <message>
        <source>Detail</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>also believes it holds the lock</source>
        <translation>也认为自己持有锁</translation>
    </message>
    <message>
        <source>together with %1, for %2</source>
        <translation>与 %1 同时，持续 %2</translation>
    </message>
    <message>
        <source>after %1</source>
        <translation>历时 %1</translation>
    </message>
    <message>
        <source>for %1, until the record ends</source>
        <translation>持续 %1，直到记录结束</translation>
    </message>
    <message>
        <source>for %1, then %2</source>
        <translation>持续 %1，之后：%2</translation>
    </message>
    <message>
        <source>waits</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>holds, shared</source>
        <translation>共享持有</translation>
    </message>
    <message>
        <source>holds</source>
        <translation>持有</translation>
    </message>
    <message>
        <source>is paused</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>crashes</source>
        <translation>崩溃</translation>
    </message>
    <message>
        <source>no longer lists %1</source>
        <translation>不再列出 %1</translation>
    </message>
    <message>
        <source>lists %1 as holder</source>
        <translation>将 %1 列为持有者</translation>
    </message>
    <message>
        <source>for %1</source>
        <translation>共 %1</translation>
    </message>
    <message>
        <source>applied after %1</source>
        <translation>%1 后执行</translation>
    </message>
    <message>
        <source>never arrived</source>
        <translation>从未到达</translation>
    </message>
    <message>
        <source>answered after %1</source>
        <translation>%1 后得到回复</translation>
    </message>
    <message>
        <source>no answer</source>
        <translation>没有回复</translation>
    </message>
    <message>
        <source>server %1</source>
        <translation>%1 号服务器</translation>
    </message>
    <message>
        <source>writes: %1</source>
        <translation>输出：%1</translation>
    </message>
</context>
<context>
    <name>lockscope::models::HeldLocksModel</name>
    <message>
        <source>Key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>Protocol</source>
        <translation>协议</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Time left</source>
        <translation>剩余时间</translation>
    </message>
    <message>
        <source>Renewals</source>
        <translation>续期</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>服务器</translation>
    </message>
</context>
<context>
    <name>lockscope::models::MatrixModel</name>
    <message>
        <source>Lock protocols under faults</source>
        <translation>各种故障下的锁协议</translation>
    </message>
    <message>
        <source>something else happens</source>
        <translation>发生其他情况</translation>
    </message>
</context>
<context>
    <name>lockscope::models::PromiseListModel</name>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>in %1</source>
        <translation>%1后</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>步</translation>
    </message>
    <message>
        <source>plan “%1”</source>
        <translation>方案“%1”</translation>
    </message>
    <message>
        <source>chance to break it</source>
        <translation>次违反机会</translation>
    </message>
    <message>
        <source>chances to break it</source>
        <translation>次违反机会</translation>
    </message>
    <message>
        <source>all runs within the plans were explored</source>
        <translation>已探索方案内的所有运行</translation>
    </message>
    <message>
        <source>in the runs explored before the bound was reached</source>
        <translation>在达到上限前探索的运行中</translation>
    </message>
    <message>
        <source>%1; %2</source>
        <translation>%1；%2</translation>
    </message>
    <message>
        <source>no run had a chance to break it</source>
        <translation>没有一次运行有机会违反它</translation>
    </message>
    <message>
        <source>in this run; %1</source>
        <translation>在此次运行中；%1</translation>
    </message>
    <message>
        <source>in this run</source>
        <translation>在此次运行中</translation>
    </message>
    <message>
        <source>this run had no chance to break it</source>
        <translation>此次运行没有机会违反它</translation>
    </message>
    <message>
        <source> at %1</source>
        <translation> （%1）</translation>
    </message>
    <message>
        <source>%1: broken%2</source>
        <translation>%1：被违反%2</translation>
    </message>
    <message>
        <source>%1: broken%2, and not promised</source>
        <translation>%1：被违反%2，但并未作此保证</translation>
    </message>
    <message>
        <source>%1: held</source>
        <translation>%1：成立</translation>
    </message>
    <message>
        <source>%1: not exercised</source>
        <translation>%1：未触及</translation>
    </message>
    <message>
        <source>%1: not applicable</source>
        <translation>%1：不适用</translation>
    </message>
    <message>
        <source>%1. %2</source>
        <translation>%1. %2</translation>
    </message>
    <message>
        <source>in the runs explored, of which %1 were cut before their end</source>
        <translation>在已探索的运行中（其中 %1 次在结束前被截断）</translation>
    </message>
</context>
<context>
    <name>lockscope::models::ProtocolListModel</name>
    <message>
        <source>%1
Imitates %2</source>
        <translation>%1
模仿 %2</translation>
    </message>
    <message>
        <source>One holder</source>
        <translation>单个持有者</translation>
    </message>
    <message>
        <source>One holder, reentrant</source>
        <translation>单个持有者，可重入</translation>
    </message>
    <message>
        <source>Readers and writers</source>
        <translation>读者和写者</translation>
    </message>
    <message>
        <source>Several servers</source>
        <translation>多个服务器</translation>
    </message>
    <message>
        <source>Fences and permits</source>
        <translation>防护和许可</translation>
    </message>
    <message>
        <source>Custom</source>
        <translation>自定义</translation>
    </message>
</context>
<context>
    <name>lockscope::models::StoryModel</name>
    <message>
        <source>From here on the violation was unavoidable: all of %1 random continuations ended in it, but only %2 of %1 from one step earlier.</source>
        <translation>从此处起，违例已不可避免：%1 次随机续跑全部以它告终，而从前一步开始时，%1 次中只有 %2 次。</translation>
    </message>
    <message>
        <source>At %1: %2</source>
        <translation>%1 时：%2</translation>
    </message>
    <message>
        <source>%1. %2</source>
        <translation>%1. %2</translation>
    </message>
</context>
<context>
    <name>lockscope::models::TimelineWords</name>
    <message>
        <source>the recording ends first</source>
        <translation>记录先行结束</translation>
    </message>
    <message>
        <source>granted</source>
        <translation>已获授予</translation>
    </message>
    <message>
        <source>gave up</source>
        <translation>已放弃</translation>
    </message>
    <message>
        <source>released</source>
        <translation>已释放</translation>
    </message>
    <message>
        <source>expired</source>
        <translation>已过期</translation>
    </message>
    <message>
        <source>found to be lost</source>
        <translation>发现已丢失</translation>
    </message>
    <message>
        <source>removed by another client</source>
        <translation>被其他客户端移除</translation>
    </message>
    <message>
        <source>crashed</source>
        <translation>已崩溃</translation>
    </message>
    <message>
        <source>resumes</source>
        <translation>恢复运行</translation>
    </message>
    <message>
        <source>outcome unknown</source>
        <translation>结果未知</translation>
    </message>
    <message>
        <source>%1 is refused %2</source>
        <translation>%1 获取 %2 被拒绝</translation>
    </message>
    <message>
        <source>%1 renews %2</source>
        <translation>%1 续期 %2</translation>
    </message>
    <message>
        <source>%1 fails to renew %2</source>
        <translation>%1 续期 %2 失败</translation>
    </message>
    <message>
        <source>%1 tries to release %2 without holding it</source>
        <translation>%1 未持有 %2 却尝试释放</translation>
    </message>
    <message>
        <source>%1 is rejected by the resource that %2 protects</source>
        <translation>%1 被 %2 所保护的资源拒绝</translation>
    </message>
    <message>
        <source>is refused</source>
        <translation>被拒绝</translation>
    </message>
    <message>
        <source>renews</source>
        <translation>续期</translation>
    </message>
    <message>
        <source>fails to renew</source>
        <translation>续期失败</translation>
    </message>
    <message>
        <source>releases without holding</source>
        <translation>未持有却释放</translation>
    </message>
    <message>
        <source>is rejected by the resource</source>
        <translation>被资源拒绝</translation>
    </message>
    <message>
        <source>Server %1</source>
        <translation>服务器 %1</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>%1, %2.</source>
        <translation>%1，%2。</translation>
    </message>
    <message>
        <source>%1 until %2.</source>
        <translation>%1，至 %2。</translation>
    </message>
    <message>
        <source>lane</source>
        <translation>条泳道</translation>
    </message>
    <message>
        <source>lanes</source>
        <translation>条泳道</translation>
    </message>
    <message>
        <source>No two contenders believed they held the same lock.</source>
        <translation>没有两个竞争者同时认为自己持有同一把锁。</translation>
    </message>
    <message>
        <source>Two contenders believed they held the same lock %1. First: %2.</source>
        <translation>两个竞争者同时认为自己持有同一把锁 %1。首次：%2。</translation>
    </message>
    <message>
        <source>time</source>
        <translation>次</translation>
    </message>
    <message>
        <source>times</source>
        <translation>次</translation>
    </message>
    <message>
        <source>%1: %2 holds %3</source>
        <translation>%1：%2 持有 %3</translation>
    </message>
    <message>
        <source>last seen then; ended by %1 at the latest</source>
        <translation>此时最后见到，最迟 %1 结束</translation>
    </message>
    <message>
        <source>%1 and %2 both believe they hold %3</source>
        <translation>%1 和 %2 都认为自己持有 %3</translation>
    </message>
    <message>
        <source>%1 waits for %2</source>
        <translation>%1 等待 %2</translation>
    </message>
    <message>
        <source>%1 holds %2, shared</source>
        <translation>%1 共享持有 %2</translation>
    </message>
    <message>
        <source>%1 holds %2</source>
        <translation>%1 持有 %2</translation>
    </message>
    <message>
        <source>%1 is paused</source>
        <translation>%1 已暂停</translation>
    </message>
    <message>
        <source>%1 is down</source>
        <translation>%1 已宕机</translation>
    </message>
    <message>
        <source>%1 writes: %2</source>
        <translation>%1 输出：%2</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::AcquireDialog</name>
    <message>
        <source>Acquire a lock</source>
        <translation>获取锁</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>name of the lock, as other clients use it</source>
        <translation>锁的名称，与其他客户端所用的一致</translation>
    </message>
    <message>
        <source>Protocol</source>
        <translation>协议</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>write</source>
        <translation>写</translation>
    </message>
    <message>
        <source>read</source>
        <translation>读</translation>
    </message>
    <message>
        <source>Mode</source>
        <translation>模式</translation>
    </message>
    <message>
        <source>Permits</source>
        <translation>许可数</translation>
    </message>
    <message>
        <source>Lease</source>
        <translation>租约</translation>
    </message>
    <message>
        <source>Maximum wait</source>
        <translation>最长等待</translation>
    </message>
    <message>
        <source>Then the request gives up. 0s: a single attempt.</source>
        <translation>超过后请求放弃。0s：只尝试一次。</translation>
    </message>
    <message>
        <source>Renew until released</source>
        <translation>持续续期直到释放</translation>
    </message>
    <message>
        <source>Acquire</source>
        <translation>获取</translation>
    </message>
    <message>
        <source>Acquire the lock %1 on a production server?</source>
        <translation>在生产服务器上获取锁 %1？</translation>
    </message>
    <message>
        <source>Other clients that need this lock have to wait as long as you hold it.</source>
        <translation>在你持有期间，需要此锁的其他客户端必须等待。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Stop waiting</source>
        <translation>停止等待</translation>
    </message>
    <message>
        <source>Release</source>
        <translation>释放</translation>
    </message>
    <message>
        <source>Close and keep the lock</source>
        <translation>关闭并保留锁</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::ActivityPanel</name>
    <message>
        <source>Activity</source>
        <translation>活动</translation>
    </message>
    <message>
        <source>No activity yet. Acquired, released and expired locks and your own releases appear here.</source>
        <translation>尚无活动。锁的获取、释放、过期以及你的释放会显示在这里。</translation>
    </message>
    <message>
        <source>No line has these words.</source>
        <translation>没有包含这些词的行。</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::ActivityView</name>
    <message>
        <source>Filter the activity</source>
        <translation>筛选活动</translation>
    </message>
    <message>
        <source>Filter: words of a line, such as a key or “released”</source>
        <translation>筛选：行中的词，例如键名或“已释放”</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Copy lines</source>
        <translation>复制所选行</translation>
    </message>
    <message>
        <source>Export as CSV…</source>
        <translation>导出为 CSV…</translation>
    </message>
    <message>
        <source>CSV (*.csv)</source>
        <translation>CSV (*.csv)</translation>
    </message>
    <message>
        <source>Export as JSON…</source>
        <translation>导出为 JSON…</translation>
    </message>
    <message>
        <source>JSON (*.json)</source>
        <translation>JSON (*.json)</translation>
    </message>
    <message>
        <source>Export the activity</source>
        <translation>导出活动</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::AdviceDialog</name>
    <message>
        <source>Which lock should I use?</source>
        <translation>该用哪种锁？</translation>
    </message>
    <message>
        <source>independent servers: </source>
        <translation>独立服务器： </translation>
    </message>
    <message>
        <source>Independent servers that there are</source>
        <translation>可用的独立服务器数量</translation>
    </message>
    <message>
        <source>&amp;reentrant</source>
        <translation>可重入(&amp;R)</translation>
    </message>
    <message>
        <source>r&amp;eaders and writers</source>
        <translation>读者和写者(&amp;E)</translation>
    </message>
    <message>
        <source>several &amp;holders</source>
        <translation>多个持有者(&amp;H)</translation>
    </message>
    <message>
        <source>Language of the library</source>
        <translation>客户端库的语言</translation>
    </message>
    <message>
        <source>any language</source>
        <translation>任意语言</translation>
    </message>
    <message>
        <source>a library for %1</source>
        <translation>有 %1 的客户端库</translation>
    </message>
    <message>
        <source>Protocols, the best first</source>
        <translation>协议，最佳者在前</translation>
    </message>
    <message>
        <source>What must not happen: %1. What may go wrong, one at a time: %2 of %3 kinds of faults. Both are chosen above the matrix.</source>
        <translation>不得发生：%1。可能出错（每次一种）：%3 种故障中的 %2 种。两者都在矩阵上方选择。</translation>
    </message>
    <message>
        <source>What would help:</source>
        <translation>可行的改进：</translation>
    </message>
    <message>
        <source>Searching whether a longer lease or WAIT would help …</source>
        <translation>正在搜索更长的租约或 WAIT 是否有帮助 …</translation>
    </message>
    <message>
        <source>Searching whether two things together would help …</source>
        <translation>正在搜索两项措施并用是否有帮助 …</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::AlertDesk</name>
    <message>
        <source>%1 more locks fired at the same time; command and webhook were not told of them.</source>
        <translation>另有 %1 个锁同时触发；未通知命令和 webhook。</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::AlertsTab</name>
    <message>
        <source>Alerts</source>
        <translation>告警</translation>
    </message>
    <message>
        <source>a program and its arguments; the lock is in LOCKSCOPE_KEY, …</source>
        <translation>程序及其参数；锁在 LOCKSCOPE_KEY 等变量中…</translation>
    </message>
    <message>
        <source>https://… gets a POST with JSON</source>
        <translation>向 https://… 发送 JSON 的 POST 请求</translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation>名称(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Filter</source>
        <translation>筛选条件(&amp;F)</translation>
    </message>
    <message>
        <source>Matches for</source>
        <translation>持续匹配</translation>
    </message>
    <message>
        <source>Tell by</source>
        <translation>通知方式</translation>
    </message>
    <message>
        <source>&amp;Command</source>
        <translation>命令(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Webhook</source>
        <translation>Webhook(&amp;W)</translation>
    </message>
    <message>
        <source>Least time between two alerts about the same lock</source>
        <translation>同一个锁两次告警之间的最短时间</translation>
    </message>
    <message>
        <source>then again about the same lock after</source>
        <translation>同一个锁再次告警的间隔</translation>
    </message>
    <message>
        <source>No&amp;tification</source>
        <translation>通知(&amp;T)</translation>
    </message>
    <message>
        <source>S&amp;ound</source>
        <translation>声音(&amp;O)</translation>
    </message>
    <message>
        <source>Alert %1</source>
        <translation>告警 %1</translation>
    </message>
    <message>
        <source>%1 for %2</source>
        <translation>%1，持续 %2</translation>
    </message>
    <message>
        <source>not complete: %1</source>
        <translation>不完整：%1</translation>
    </message>
    <message>
        <source>End the snooze (%1 left)</source>
        <translation>结束暂停（剩余 %1）</translation>
    </message>
    <message>
        <source>Snooze for 1 hour</source>
        <translation>暂停 1 小时</translation>
    </message>
    <message>
        <source>An alert fires when a lock has matched its filter for the given time without a break. It is also listed in the Activity.</source>
        <translation>当锁在给定时间内持续匹配其筛选条件时，告警触发。它也会列在“活动”中。</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::AuditDetails</name>
    <message>
        <source>%1: %2, %3</source>
        <translation>%1：%2，%3</translation>
    </message>
    <message>
        <source>Its outcome was never written: the program was ended in between, or is still waiting. It is not known whether it was applied.</source>
        <translation>其结果从未写入：程序在中途结束，或仍在等待。不知道是否已执行。</translation>
    </message>
    <message>
        <source>Reason: %1</source>
        <translation>原因：%1</translation>
    </message>
    <message>
        <source>By %1 on %2, with %3 (process %4).</source>
        <translation>由 %2 上的 %1 使用 %3 执行（进程 %4）。</translation>
    </message>
    <message>
        <source>Line %1</source>
        <translation>第 %1 行</translation>
    </message>
    <message>
        <source>Lines of the file</source>
        <translation>文件中的行</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::AuditWindow</name>
    <message>
        <source>Audit of releases</source>
        <translation>释放审计</translation>
    </message>
    <message>
        <source>Copy the last hash</source>
        <translation>复制最后的哈希</translation>
    </message>
    <message>
        <source>Kept elsewhere, it shows later whether lines were removed at the end: lockscope-cli audit --expect HASH</source>
        <translation>将它保存在别处，以后可以看出末尾的行是否被删除：lockscope-cli audit --expect HASH</translation>
    </message>
    <message>
        <source>Filter the attempts</source>
        <translation>筛选尝试</translation>
    </message>
    <message>
        <source>Filter: words of an attempt, such as a key, a user or “refused”</source>
        <translation>筛选：某次尝试中的词，如键、用户或“refused”</translation>
    </message>
    <message>
        <source>Past attempts</source>
        <translation>以往的尝试</translation>
    </message>
    <message>
        <source>Copy lines</source>
        <translation>复制行</translation>
    </message>
    <message>
        <source>Reload</source>
        <translation>重新加载</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Export as CSV…</source>
        <translation>导出为 CSV…</translation>
    </message>
    <message>
        <source>CSV (*.csv)</source>
        <translation>CSV (*.csv)</translation>
    </message>
    <message>
        <source>Export as JSON…</source>
        <translation>导出为 JSON…</translation>
    </message>
    <message>
        <source>JSON (*.json)</source>
        <translation>JSON (*.json)</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>No attempt to change a lock was ever made from here. Each will be recorded in this file before it is sent.</source>
        <translation>从未在这里尝试更改过锁。每次尝试在发送之前都会记录在此文件中。</translation>
    </message>
    <message>
        <source>No attempts are recorded.</source>
        <translation>没有记录任何尝试。</translation>
    </message>
    <message>
        <source>No attempt has these words.</source>
        <translation>没有包含这些词的尝试。</translation>
    </message>
    <message>
        <source>Export the audit</source>
        <translation>导出审计</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::BulkDialog</name>
    <message>
        <source>Cap the TTL of several locks</source>
        <translation>限定多个锁的过期时间</translation>
    </message>
    <message>
        <source>Release several locks</source>
        <translation>释放多个锁</translation>
    </message>
    <message>
        <source>Locks, and what will be done</source>
        <translation>锁，以及将执行的操作</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>What will be done</source>
        <translation>将执行的操作</translation>
    </message>
    <message>
        <source>Expires after</source>
        <translation>过期时长</translation>
    </message>
    <message>
        <source>Reason for the audit file</source>
        <translation>写入审计文件的原因</translation>
    </message>
    <message>
        <source>To confirm, type the number of locks</source>
        <translation>请输入涉及的锁的数量以确认</translation>
    </message>
    <message>
        <source>Cap the TTL</source>
        <translation>限定过期时间</translation>
    </message>
    <message>
        <source>Release</source>
        <translation>释放</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Reading the lock again…</source>
        <translation>正在重新读取该锁…</translation>
    </message>
    <message>
        <source>Sent; no reply yet.</source>
        <translation>已发送，尚无回复。</translation>
    </message>
    <message>
        <source>Left out: %1</source>
        <translation>未包含：%1</translation>
    </message>
    <message>
        <source>Nothing: it looks healthy. Tick it to include it.</source>
        <translation>无：它看起来正常。勾选即可包含。</translation>
    </message>
    <message>
        <source>Nothing: it is not ticked.</source>
        <translation>无：未勾选。</translation>
    </message>
    <message>
        <source>Required on production</source>
        <translation>生产环境必填</translation>
    </message>
    <message>
        <source>Optional</source>
        <translation>可选</translation>
    </message>
    <message>
        <source>Done: %1. Not as asked for: %2. Not tried: %3.</source>
        <translation>已完成：%1。结果与要求不符：%2。未尝试：%3。</translation>
    </message>
    <message>
        <source>Reading the locks again…</source>
        <translation>正在重新读取这些锁…</translation>
    </message>
    <message>
        <source>%1 of %2 locks get an expiry, one after the other.</source>
        <translation>将依次为 %2 个锁中的 %1 个设置过期时间。</translation>
    </message>
    <message>
        <source>%1 of %2 locks are released, one after the other.</source>
        <translation>将依次释放 %2 个锁中的 %1 个。</translation>
    </message>
    <message>
        <source>Healthy among them: %1.</source>
        <translation>其中正常的：%1。</translation>
    </message>
    <message>
        <source>Each is compared on the server first. The first outcome that is not the one asked for stops the rest.</source>
        <translation>每个锁都先在服务器上比较。一旦出现与要求不符的结果，其余的不再执行。</translation>
    </message>
    <message>
        <source>Nothing can be sent now.</source>
        <translation>现在无法发送任何命令。</translation>
    </message>
    <message>
        <source>No lock is ticked that this can be done to.</source>
        <translation>没有勾选任何可执行此操作的锁。</translation>
    </message>
    <message>
        <source>Nothing was sent. Enter an expiry such as 250ms, 10s, 5m or 2h.</source>
        <translation>未发送任何命令。请输入过期时长，例如 250ms、10s、5m 或 2h。</translation>
    </message>
    <message>
        <source>Nothing was sent. Enter a reason; it is required on production.</source>
        <translation>未发送任何命令。请输入原因；生产环境必填。</translation>
    </message>
    <message>
        <source>Nothing was sent. Type how many locks it is about: %1.</source>
        <translation>未发送任何命令。请输入涉及的锁的数量：%1。</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Putting the locks back, one after the other.</source>
        <translation>正在逐一放回这些锁。</translation>
    </message>
    <message>
        <source>Put back: %1 of those that were released. The result says how each ended.</source>
        <translation>已放回 %1 把已释放的锁。各自的结果见“结果”列。</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::BulkRelease</name>
    <message>
        <source>It is not the hold that the table shows any more.</source>
        <translation>它已不是表格中显示的那次持有。</translation>
    </message>
    <message>
        <source>It has several holders: release it alone, and choose whose hold is to end.</source>
        <translation>它有多个持有者：请单独释放，并选择要结束谁的持有。</translation>
    </message>
    <message>
        <source>Not tried.</source>
        <translation>未尝试。</translation>
    </message>
    <message>
        <source>Nothing was sent.</source>
        <translation>未发送任何命令。</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::CapTtlDialog</name>
    <message>
        <source>Cap the TTL of a lock</source>
        <translation>限定锁的过期时间</translation>
    </message>
    <message>
        <source>Cap the TTL</source>
        <translation>限定过期时间</translation>
    </message>
    <message>
        <source>This lock has no expiry. Set one: a live holder that renews keeps the lock, a dead holder loses it after this time.</source>
        <translation>此锁没有过期时间。设置一个：存活且续期的持有者会保留锁，死亡的持有者会在此时间后失去锁。</translation>
    </message>
    <message>
        <source>Expires after</source>
        <translation>过期时间</translation>
    </message>
    <message>
        <source>Optional</source>
        <translation>可选</translation>
    </message>
    <message>
        <source>Reason for the audit file</source>
        <translation>写入审计文件的原因</translation>
    </message>
    <message>
        <source>This format does not record the owner.</source>
        <translation>此格式不记录所有者。</translation>
    </message>
    <message>
        <source>Held by %1</source>
        <translation>由 %1 持有</translation>
    </message>
    <message>
        <source>Use a form such as 250ms, 10s, 5m or 2h.</source>
        <translation>使用 250ms、10s、5m 或 2h 这样的写法。</translation>
    </message>
    <message>
        <source>Nothing was sent. Enter an expiry such as 250ms, 10s, 5m or 2h.</source>
        <translation>未发送任何内容。输入过期时间，如 250ms、10s、5m 或 2h。</translation>
    </message>
    <message>
        <source>What will be done</source>
        <translation>将执行的操作</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::ClientProof</name>
    <message>
        <source>Prove a client</source>
        <translation>证明客户端</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::ColorRulesTab</name>
    <message>
        <source>Colour rules</source>
        <translation>颜色规则</translation>
    </message>
    <message>
        <source>The first rule that matches marks the row: with its colour, and with its name under Warnings, in the tooltip and in the details.</source>
        <translation>第一条匹配的规则会标记该行：用它的颜色，并在“警告”列、工具提示和详情中显示它的名称。</translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation>名称(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Filter</source>
        <translation>筛选条件(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Colour</source>
        <translation>颜色(&amp;C)</translation>
    </message>
    <message>
        <source>Rule %1</source>
        <translation>规则 %1</translation>
    </message>
    <message>
        <source>does nothing: %1</source>
        <translation>不起作用：%1</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::ColumnsLine</name>
    <message>
        <source>There is no room for these columns. Click to choose what to show;
the table then scrolls sideways, and the key stays in place.</source>
        <translation>这些列放不下。点击可选择要显示的列；
此后表格可横向滚动，键列保持不动。</translation>
    </message>
    <message>
        <source>Not shown: %1</source>
        <translation>未显示：%1</translation>
    </message>
    <message>
        <source>Columns not shown: %1</source>
        <translation>未显示的列：%1</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::CommandBox</name>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::CommandPalette</name>
    <message>
        <source>Find an action</source>
        <translation>查找操作</translation>
    </message>
    <message>
        <source>Type a part of its name</source>
        <translation>输入名称的一部分</translation>
    </message>
    <message>
        <source>Name of the action</source>
        <translation>操作名称</translation>
    </message>
    <message>
        <source>Actions</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::ConnectionDialog</name>
    <message>
        <source>Line %1: %2</source>
        <translation>第 %1 行：%2</translation>
    </message>
    <message>
        <source>1 key</source>
        <translation>1 个键</translation>
    </message>
    <message>
        <source>%1 keys</source>
        <translation>%1 个键</translation>
    </message>
    <message>
        <source>replies in %1 ms</source>
        <translation>%1 ms 内回复</translation>
    </message>
    <message>
        <source>Connect to a server</source>
        <translation>连接到服务器</translation>
    </message>
    <message>
        <source>The password above is used for all servers whose URL contains none.</source>
        <translation>上面的密码用于 URL 中未含密码的所有服务器。</translation>
    </message>
    <message>
        <source>Test connection</source>
        <translation>测试连接</translation>
    </message>
    <message>
        <source>Connect</source>
        <translation>连接</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Trying…</source>
        <translation>正在尝试…</translation>
    </message>
    <message>
        <source>Connection successful. %1</source>
        <translation>连接成功。%1</translation>
    </message>
    <message>
        <source>Limitations:</source>
        <translation>限制：</translation>
    </message>
    <message>
        <source>Manage</source>
        <translation>管理</translation>
    </message>
    <message>
        <source>Save as profile…</source>
        <translation>保存为配置…</translation>
    </message>
    <message>
        <source>Connect instead</source>
        <translation>改为连接</translation>
    </message>
    <message>
        <source>Closes the server that is shown</source>
        <translation>关闭当前显示的服务器</translation>
    </message>
    <message>
        <source>More servers or databases, one URL per line</source>
        <translation>更多服务器或数据库，每行一个 URL</translation>
    </message>
    <message>
        <source>Redlock set if three or more</source>
        <translation>三台或更多时为 Redlock 组</translation>
    </message>
    <message>
        <source>Redlock set: tokens are votes</source>
        <translation>Redlock 组：令牌即投票</translation>
    </message>
    <message>
        <source>Separate servers in one table</source>
        <translation>一个表格中的独立服务器</translation>
    </message>
    <message>
        <source>Together they are</source>
        <translation>它们合在一起是</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::ContendForm</name>
    <message>
        <source>Scenario</source>
        <translation>场景</translation>
    </message>
    <message>
        <source>Lock</source>
        <translation>锁</translation>
    </message>
    <message>
        <source>Faults</source>
        <translation>故障</translation>
    </message>
    <message>
        <source>Protocol</source>
        <translation>协议</translation>
    </message>
    <message>
        <source>Load a protocol file…</source>
        <translation>加载协议文件…</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>Number of servers</source>
        <translation>服务器数量</translation>
    </message>
    <message>
        <source>Independent masters that are started for the run and stopped afterwards.</source>
        <translation>为此次运行启动、结束后停止的独立主节点。</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>线程</translation>
    </message>
    <message>
        <source>Number of event loops that share the contenders.</source>
        <translation>分担竞争者的事件循环数量。</translation>
    </message>
    <message>
        <source>contention</source>
        <translation>竞争</translation>
    </message>
    <message>
        <source>All contenders think, acquire, hold and release, in a loop.</source>
        <translation>所有竞争者循环执行：思考、获取、持有、释放。</translation>
    </message>
    <message>
        <source>hot standby</source>
        <translation>热备</translation>
    </message>
    <message>
        <source>One contender works until it dies; the others retry until one takes over.</source>
        <translation>一个竞争者工作到死亡为止；其他竞争者不断重试，直到有一个接管。</translation>
    </message>
    <message>
        <source>draw</source>
        <translation>抽签</translation>
    </message>
    <message>
        <source>All contenders make one attempt at the same time. Exactly one may win.</source>
        <translation>所有竞争者同时尝试一次。恰好一个可以获胜。</translation>
    </message>
    <message>
        <source>Workload</source>
        <translation>工作负载</translation>
    </message>
    <message>
        <source>Advanced</source>
        <translation>高级</translation>
    </message>
    <message>
        <source>Same as</source>
        <translation>等同于</translation>
    </message>
    <message>
        <source>Too large to run on one machine. Predict computes it instead.</source>
        <translation>规模太大，一台机器无法运行。改用“预测”计算。</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::ContendPage</name>
    <message>
        <source>Live contention</source>
        <translation>实机竞争</translation>
    </message>
    <message>
        <source>Run %1 contenders against production (%2)?</source>
        <translation>对生产环境（%2）运行 %1 个竞争者？</translation>
    </message>
    <message>
        <source>Run %1 contenders against %2?</source>
        <translation>对 %2 运行 %1 个竞争者？</translation>
    </message>
    <message>
        <source>This server was not started by Lockscope and may be in use. The contenders send as many commands as they can. They use only keys that begin with %1, but commands of other clients will be slower.</source>
        <translation>此服务器不是由 Lockscope 启动的，可能正在使用。竞争者会尽可能多地发送命令。它们只使用以 %1 开头的键，但其他客户端的命令会变慢。</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>See how a lock behaves under contention</source>
        <translation>观察锁在竞争下的表现</translation>
    </message>
    <message>
        <source>Choose a protocol and press Start. Contenders with their own connections acquire real locks on a real server, and this page shows the results. Predict computes them without a server.</source>
        <translation>选择协议并按“开始”。竞争者各用自己的连接，在真实服务器上获取真实的锁，结果显示在此页。“预测”不用服务器即可计算结果。</translation>
    </message>
    <message>
        <source>Predicted, not measured</source>
        <translation>预测值，非实测</translation>
    </message>
    <message>
        <source>up to %1</source>
        <translation>最高 %1</translation>
    </message>
    <message>
        <source>p50 %1, p99 %2 · line: cumulative</source>
        <translation>p50 %1，p99 %2 · 曲线：累计</translation>
    </message>
    <message>
        <source>Load a protocol file</source>
        <translation>加载协议文件</translation>
    </message>
    <message>
        <source>Protocol files (*.json)</source>
        <translation>协议文件 (*.json)</translation>
    </message>
    <message>
        <source>Protocol file</source>
        <translation>协议文件</translation>
    </message>
    <message>
        <source>The file is not a valid lock protocol.</source>
        <translation>该文件不是有效的锁协议。</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1, line %2: %3</source>
        <translation>%1，第 %2 行：%3</translation>
    </message>
    <message>
        <source>Views of the run</source>
        <translation>运行的视图</translation>
    </message>
    <message>
        <source>%1 · %2 · %3</source>
        <translation>%1 · %2 · %3</translation>
    </message>
    <message>
        <source>%1. %2</source>
        <translation>%1。%2</translation>
    </message>
    <message>
        <source>Overvie&amp;w</source>
        <translation>概览(&amp;W)</translation>
    </message>
    <message>
        <source>S&amp;tatistics and comparison</source>
        <translation>统计与对比(&amp;T)</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::ContenderView</name>
    <message>
        <source>Contenders</source>
        <translation>竞争者数</translation>
    </message>
    <message>
        <source>Contender</source>
        <translation>竞争者</translation>
    </message>
    <message>
        <source>Acquisitions</source>
        <translation>获取次数</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::DataLine</name>
    <message>
        <source>Their names sound like locks, but nothing else about them does.
The filter finds them either way.</source>
        <translation>它们的名称像锁，但除此之外都不像。
无论是否显示，筛选都能找到它们。</translation>
    </message>
    <message>
        <source>1 key is probably data</source>
        <translation>1 个键可能是数据</translation>
    </message>
    <message>
        <source>%1 keys are probably data</source>
        <translation>%1 个键可能是数据</translation>
    </message>
    <message>
        <source>Hide</source>
        <translation>隐藏</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>hide</source>
        <translation>隐藏</translation>
    </message>
    <message>
        <source>show</source>
        <translation>显示</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::DiagnosisView</name>
    <message>
        <source>Why is it stuck?</source>
        <translation>它为什么卡住？</translation>
    </message>
    <message>
        <source>Hide what is not known</source>
        <translation>隐藏尚不清楚的事项</translation>
    </message>
    <message>
        <source>What is not known</source>
        <translation>尚不清楚的事项</translation>
    </message>
    <message>
        <source>Is it stuck?</source>
        <translation>它卡住了吗？</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::DisconnectDialog</name>
    <message>
        <source>Disconnect the holder of a lock</source>
        <translation>断开锁的持有者</translation>
    </message>
    <message>
        <source>Looking for the client…</source>
        <translation>正在查找客户端…</translation>
    </message>
    <message>
        <source>As the server lists it</source>
        <translation>服务器列出的内容</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Reason for the audit file</source>
        <translation>写入审计文件的原因</translation>
    </message>
    <message>
        <source>Type it by hand: pasting is off on production.</source>
        <translation>请手动输入：生产环境中不能粘贴。</translation>
    </message>
    <message>
        <source>Disconnect</source>
        <translation>断开</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Owner</source>
        <translation>所有者</translation>
    </message>
    <message>
        <source>Client</source>
        <translation>客户端</translation>
    </message>
    <message>
        <source>number %1, %2</source>
        <translation>编号 %1，%2</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Known because</source>
        <translation>判断依据</translation>
    </message>
    <message>
        <source>To disconnect the client, type %1, the end of its address.</source>
        <translation>要断开该客户端，请输入 %1，即其地址的结尾。</translation>
    </message>
    <message>
        <source>To disconnect the client, type %1, its number.</source>
        <translation>要断开该客户端，请输入 %1，即其编号。</translation>
    </message>
    <message>
        <source>Required on production</source>
        <translation>生产环境中必填</translation>
    </message>
    <message>
        <source>Optional</source>
        <translation>可选</translation>
    </message>
    <message>
        <source>Nothing was sent. To disconnect the client, type %1.</source>
        <translation>没有发送任何内容。要断开该客户端，请输入 %1。</translation>
    </message>
    <message>
        <source>Nothing was sent. Enter a reason; it is required on production.</source>
        <translation>没有发送任何内容。请输入原因；生产环境中必填。</translation>
    </message>
    <message>
        <source>Sending…</source>
        <translation>正在发送…</translation>
    </message>
    <message>
        <source>disconnect sent, no reply yet; the outcome will be in the audit</source>
        <translation>已发送断开请求，尚无答复；结果将记录在审计中</translation>
    </message>
    <message>
        <source>holder not disconnected: nothing was sent</source>
        <translation>未断开持有者：没有发送任何内容</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::EndpointForm</name>
    <message>
        <source>URL</source>
        <translation>URL</translation>
    </message>
    <message>
        <source>TCP</source>
        <translation>TCP</translation>
    </message>
    <message>
        <source>TCP with TLS</source>
        <translation>TCP（TLS 加密）</translation>
    </message>
    <message>
        <source>Unix socket</source>
        <translation>Unix 套接字</translation>
    </message>
    <message>
        <source>default user</source>
        <translation>默认用户</translation>
    </message>
    <message>
        <source>optional; production is marked in red</source>
        <translation>可选；生产环境以红色标记</translation>
    </message>
    <message>
        <source>Read-only: locks cannot be released</source>
        <translation>只读：不能释放锁</translation>
    </message>
    <message>
        <source>CA file; leave empty to use the system&apos;s</source>
        <translation>CA 文件；留空则使用系统的</translation>
    </message>
    <message>
        <source>file, if the server requires a client certificate</source>
        <translation>文件，服务器要求客户端证书时使用</translation>
    </message>
    <message>
        <source>file; leave empty if the certificate file contains it</source>
        <translation>文件；若证书文件已包含则留空</translation>
    </message>
    <message>
        <source>name in the server&apos;s certificate, if not the host</source>
        <translation>服务器证书中的名称，若与主机不同</translation>
    </message>
    <message>
        <source>Transport</source>
        <translation>传输方式</translation>
    </message>
    <message>
        <source>Host</source>
        <translation>主机</translation>
    </message>
    <message>
        <source>Port</source>
        <translation>端口</translation>
    </message>
    <message>
        <source>Socket</source>
        <translation>套接字</translation>
    </message>
    <message>
        <source>CA certificates</source>
        <translation>CA 证书</translation>
    </message>
    <message>
        <source>Certificate</source>
        <translation>证书</translation>
    </message>
    <message>
        <source>Private key</source>
        <translation>私钥</translation>
    </message>
    <message>
        <source>Server name</source>
        <translation>服务器名称</translation>
    </message>
    <message>
        <source>User</source>
        <translation>用户</translation>
    </message>
    <message>
        <source>Password</source>
        <translation>密码</translation>
    </message>
    <message>
        <source>Database</source>
        <translation>数据库</translation>
    </message>
    <message>
        <source>Environment</source>
        <translation>环境</translation>
    </message>
    <message>
        <source>The password was entered for %1 and was not sent to the other server.</source>
        <translation>此密码是为 %1 输入的，未发送给其他服务器。</translation>
    </message>
    <message>
        <source>Enter the path of the socket.</source>
        <translation>输入套接字的路径。</translation>
    </message>
    <message>
        <source>Enter a host.</source>
        <translation>输入主机。</translation>
    </message>
    <message>
        <source>asked each time, unless the keyring keeps it</source>
        <translation>每次询问，除非由密钥环保存</translation>
    </message>
    <message>
        <source>Keep the password in the keyring of this desktop</source>
        <translation>将密码保存在此桌面的密钥环中</translation>
    </message>
    <message>
        <source>if the private key is encrypted</source>
        <translation>如果私钥已加密</translation>
    </message>
    <message>
        <source>Key passphrase</source>
        <translation>私钥口令</translation>
    </message>
    <message>
        <source>Keep password and passphrase in the keyring of this desktop</source>
        <translation>将密码和私钥口令保存在此桌面的密钥环中</translation>
    </message>
    <message>
        <source>Sentinel</source>
        <translation>Sentinel</translation>
    </message>
    <message>
        <source>Sentinel with TLS</source>
        <translation>Sentinel（TLS 加密）</translation>
    </message>
    <message>
        <source>name of the master, such as mymaster</source>
        <translation>主节点的名称，例如 mymaster</translation>
    </message>
    <message>
        <source>if the Sentinels themselves require one</source>
        <translation>如果 Sentinel 自身要求密码</translation>
    </message>
    <message>
        <source>Sentinels</source>
        <translation>Sentinel 地址</translation>
    </message>
    <message>
        <source>Master name</source>
        <translation>主节点名称</translation>
    </message>
    <message>
        <source>Sentinel user</source>
        <translation>Sentinel 用户</translation>
    </message>
    <message>
        <source>Sentinel password</source>
        <translation>Sentinel 密码</translation>
    </message>
    <message>
        <source>Enter the name of the master.</source>
        <translation>输入主节点的名称。</translation>
    </message>
    <message>
        <source>Cluster</source>
        <translation>集群</translation>
    </message>
    <message>
        <source>Cluster with TLS</source>
        <translation>集群（TLS 加密）</translation>
    </message>
    <message>
        <source>some of the nodes: 10.0.0.1:6379, 10.0.0.2:6379</source>
        <translation>其中几个节点：10.0.0.1:6379, 10.0.0.2:6379</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>optional: user@host from which the server is reached</source>
        <translation>可选：从 user@host 访问服务器</translation>
    </message>
    <message>
        <source>SSH host</source>
        <translation>SSH 主机</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::EventTable</name>
    <message>
        <source>Events</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>复制(&amp;C)</translation>
    </message>
    <message>
        <source>No events. Waits, holds, refusals and messages appear here after a run. Select a range on the timeline to limit the list.</source>
        <translation>没有事件。运行后，等待、持有、拒绝和消息会显示在这里。在时间线上选择一段可缩小列表范围。</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::FactList</name>
    <message>
        <source>Could also be</source>
        <translation>也可能是</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::FaultList</name>
    <message>
        <source>Faults</source>
        <translation>故障</translation>
    </message>
    <message>
        <source>all</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>%1: duration or amount</source>
        <translation>%1：时长或幅度</translation>
    </message>
    <message>
        <source>%1: maximum number per run</source>
        <translation>%1：每次运行的最大次数</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::FilterLine</name>
    <message>
        <source>The table shows all locks.</source>
        <translation>表格显示所有锁。</translation>
    </message>
    <message>
        <source>The table still shows: %1</source>
        <translation>表格仍显示：%1</translation>
    </message>
    <message>
        <source>Filter not applied: %1</source>
        <translation>筛选未应用：%1</translation>
    </message>
    <message>
        <source>Use %1</source>
        <translation>使用 %1</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::FormatProblems</name>
    <message>
        <source>Ignored: %1</source>
        <translation>已忽略：%1</translation>
    </message>
    <message>
        <source> (and %1 more)</source>
        <translation> （另有 %1 个）</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::HandLockJournal</name>
    <message>
        <source>held with %1 on %2, token %3</source>
        <translation>以 %1 在 %2 上持有，令牌 %3</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::HandLocks</name>
    <message>
        <source>and %1 more</source>
        <translation>另有 %1 个</translation>
    </message>
    <message>
        <source>Acquire a lock manually and keep it</source>
        <translation>手动获取锁并保持</translation>
    </message>
    <message>
        <source>Not connected to a server</source>
        <translation>未连接到服务器</translation>
    </message>
    <message>
        <source>The connection is read-only: locks cannot be acquired</source>
        <translation>连接为只读：不能获取锁</translation>
    </message>
    <message>
        <source>The manually acquired lock %1 is lost. %2</source>
        <translation>手动获取的锁 %1 已丢失。%2</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>You hold a lock.</source>
        <translation>你持有 1 把锁。</translation>
    </message>
    <message>
        <source>You hold %1 locks.</source>
        <translation>你持有 %1 把锁。</translation>
    </message>
    <message>
        <source>If you keep them, they expire with their leases. Locks without expiry stay until they are removed.</source>
        <translation>如果保留，它们会随租约过期。没有过期时间的锁会一直保留到被移除。</translation>
    </message>
    <message>
        <source>Release all and quit</source>
        <translation>全部释放并退出</translation>
    </message>
    <message>
        <source>Keep them and quit</source>
        <translation>保留并退出</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Releasing your locks before quitting…</source>
        <translation>退出前正在释放你的锁…</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::HeldLocksPanel</name>
    <message>
        <source>You have not acquired any locks.</source>
        <translation>你尚未获取任何锁。</translation>
    </message>
    <message>
        <source>Manually acquired locks</source>
        <translation>手动获取的锁</translation>
    </message>
    <message>
        <source>Time left</source>
        <translation>剩余时间</translation>
    </message>
    <message>
        <source>Renewals</source>
        <translation>续期</translation>
    </message>
    <message>
        <source>Release</source>
        <translation>释放</translation>
    </message>
    <message>
        <source>Release all</source>
        <translation>全部释放</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::HelpWindow</name>
    <message>
        <source>Lockscope help</source>
        <translation>Lockscope 帮助</translation>
    </message>
    <message>
        <source>Search the help (Ctrl+F)</source>
        <translation>搜索帮助 (Ctrl+F)</translation>
    </message>
    <message>
        <source>Search the help</source>
        <translation>搜索帮助</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>Page</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>Back (Alt+Left)</source>
        <translation>后退 (Alt+←)</translation>
    </message>
    <message>
        <source>Forward (Alt+Right)</source>
        <translation>前进 (Alt+→)</translation>
    </message>
    <message>
        <source>On %1 · Enter: next match</source>
        <translation>共 %1 · 按 Enter 到下一处</translation>
    </message>
    <message>
        <source>page</source>
        <translation>页</translation>
    </message>
    <message>
        <source>pages</source>
        <translation>页</translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation>未找到</translation>
    </message>
    <message>
        <source>en</source>
        <extracomment>The language of the help&apos;s pages: the folder of docs/ in which they are translated</extracomment>
        <translation>zh_CN</translation>
    </message>
    <message>
        <source>This page is available in English only.</source>
        <translation>此页仅有英文版。</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::HolderChooser</name>
    <message>
        <source>owner not recorded</source>
        <translation>未记录所有者</translation>
    </message>
    <message>
        <source>One of %1 holders, which are not told apart</source>
        <translation>%1 个持有者之一（无法区分）</translation>
    </message>
    <message>
        <source>holder</source>
        <translation>持有者</translation>
    </message>
    <message>
        <source>All %1 holders</source>
        <translation>全部 %1 个持有者</translation>
    </message>
    <message>
        <source>All readers</source>
        <translation>全部读者</translation>
    </message>
    <message>
        <source>All %1 holders: %2</source>
        <translation>全部 %1 个持有者：%2</translation>
    </message>
    <message>
        <source>Hold to release</source>
        <translation>要释放的持有</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::LabBar</name>
    <message>
        <source>&amp;Find a violation</source>
        <translation>查找违例(&amp;F)</translation>
    </message>
    <message>
        <source>Search the simulation for the shortest run that violates a promise</source>
        <translation>在模拟中搜索违反保证的最短运行</translation>
    </message>
    <message>
        <source>&amp;Simulate</source>
        <translation>模拟(&amp;S)</translation>
    </message>
    <message>
        <source>Random runs in virtual time, reproducible by their seed</source>
        <translation>虚拟时间中的随机运行，可用种子重现</translation>
    </message>
    <message>
        <source>Run &amp;live</source>
        <translation>实机运行(&amp;L)</translation>
    </message>
    <message>
        <source>Run for ten seconds on private servers; use the Contend page for your own servers</source>
        <translation>在私有服务器上运行十秒；要使用自己的服务器，转到“竞争”页</translation>
    </message>
    <message>
        <source>Pause the search</source>
        <translation>暂停搜索</translation>
    </message>
    <message>
        <source>St&amp;op</source>
        <translation>停止(&amp;O)</translation>
    </message>
    <message>
        <source>Stop the search and keep the results so far</source>
        <translation>停止搜索并保留已有结果</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>打开(&amp;O)…</translation>
    </message>
    <message>
        <source>Copy as &amp;command</source>
        <translation>复制为命令(&amp;C)</translation>
    </message>
    <message>
        <source>Copy the lockscope-cli command that reproduces this tab</source>
        <translation>复制可重现此标签页的 lockscope-cli 命令</translation>
    </message>
    <message>
        <source>Progress of the search</source>
        <translation>搜索进度</translation>
    </message>
    <message>
        <source>&amp;Resume</source>
        <translation>继续(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation>暂停(&amp;P)</translation>
    </message>
    <message>
        <source>Open a saved run, a counterexample of lockscope-cli or a scenario</source>
        <translation>打开保存的运行、lockscope-cli 的反例或场景</translation>
    </message>
    <message>
        <source>Pro&amp;ve…</source>
        <translation>证明(&amp;V)…</translation>
    </message>
    <message>
        <source>Search a real client, in any language, for a way to break its lock</source>
        <translation>搜索真实客户端（任何语言），找出破坏其锁的方式</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::LabForm</name>
    <message>
        <source>Scripts…</source>
        <translation>脚本…</translation>
    </message>
    <message>
        <source>Show the promises, the known flaw and the Lua scripts</source>
        <translation>显示保证、已知缺陷和 Lua 脚本</translation>
    </message>
    <message>
        <source>New protocol…</source>
        <translation>新建协议…</translation>
    </message>
    <message>
        <source>Write a custom protocol: three scripts and the meaning of their replies</source>
        <translation>编写自定义协议：三个脚本及其回复的含义</translation>
    </message>
    <message>
        <source>Protocol</source>
        <translation>协议</translation>
    </message>
    <message>
        <source>Open or save</source>
        <translation>打开或保存</translation>
    </message>
    <message>
        <source>Open or save scenario files, or load an example</source>
        <translation>打开或保存场景文件，或加载示例</translation>
    </message>
    <message>
        <source>Scenario</source>
        <translation>场景</translation>
    </message>
    <message>
        <source>all default plans</source>
        <translation>所有默认方案</translation>
    </message>
    <message>
        <source>custom</source>
        <translation>自定义</translation>
    </message>
    <message>
        <source>Several plans that suit the protocol: two at once, one behind the other&apos;s lease, two rounds, nested.</source>
        <translation>适合此协议的多个方案：两个同时、一个在另一个租约之后、两轮、嵌套。</translation>
    </message>
    <message>
        <source>Define the clients and the limits of the faults yourself.</source>
        <translation>自行定义客户端和故障的上限。</translation>
    </message>
    <message>
        <source>Workload</source>
        <translation>工作负载</translation>
    </message>
    <message>
        <source>Reset the clients</source>
        <translation>重置客户端</translation>
    </message>
    <message>
        <source>Discard the individual steps and use the same workload for all clients.</source>
        <translation>放弃逐步定义的内容，所有客户端使用相同的工作负载。</translation>
    </message>
    <message>
        <source>Clients</source>
        <translation>客户端</translation>
    </message>
    <message>
        <source>two or three</source>
        <translation>两个或三个</translation>
    </message>
    <message>
        <source>More clients make every plan larger and the search slower.</source>
        <translation>客户端越多，每个方案越大，搜索越慢。</translation>
    </message>
    <message>
        <source>Search limits</source>
        <translation>搜索上限</translation>
    </message>
    <message>
        <source>Schedules per plan</source>
        <translation>每个方案的调度数</translation>
    </message>
    <message>
        <source>The shortest schedules come first: a higher limit does not shorten what was already found.</source>
        <translation>最短的调度优先：提高上限不会让已找到的更短。</translation>
    </message>
    <message>
        <source>Random runs</source>
        <translation>随机运行数</translation>
    </message>
    <message>
        <source>Used by Simulate.</source>
        <translation>由“模拟”使用。</translation>
    </message>
    <message>
        <source>Same as</source>
        <translation>等同于</translation>
    </message>
    <message>
        <source>The selected faults may occur together in one run. Leave a field empty for a default that suits the lease.</source>
        <translation>选中的故障可能在一次运行中同时出现。字段留空则使用适合租约的默认值。</translation>
    </message>
    <message>
        <source>Each fault is searched separately. Without a fault, only the order of the steps varies.</source>
        <translation>每种故障单独搜索。没有故障时，只有步骤的顺序变化。</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>Save the scenario to get its command.</source>
        <translation>保存场景后即可得到其命令。</translation>
    </message>
    <message>
        <source>Save the protocol to get its command.</source>
        <translation>保存协议后即可得到其命令。</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::LabPage</name>
    <message>
        <source>See how a lock breaks</source>
        <translation>观察锁如何失效</translation>
    </message>
    <message>
        <source>Choose a protocol and press Find a violation. Its real code and scripts run in a simulation in which faults occur at the worst moment. Prove… does the same to a real client. No server is needed.</source>
        <translation>选择协议并按“查找违例”。它的真实代码和脚本在模拟中运行，故障会在最坏的时刻发生。“证明…”对真实客户端做同样的事。不需要服务器。</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>Open a run</source>
        <translation>打开运行</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>Story</source>
        <translation>过程</translation>
    </message>
    <message>
        <source>Runs, counterexamples and scenarios (*.run.cbor *.json)</source>
        <translation>运行、反例和场景 (*.run.cbor *.json)</translation>
    </message>
    <message>
        <source>The file is not a run, a counterexample or a scenario.</source>
        <translation>该文件不是运行、反例或场景。</translation>
    </message>
    <message>
        <source>%1, live</source>
        <translation>%1，实际运行</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::LanePainter</name>
    <message>
        <source>%1 holds %2</source>
        <translation>%1 持有 %2</translation>
    </message>
    <message>
        <source>waiting for %1</source>
        <translation>等待 %1</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>holds %1</source>
        <translation>持有 %1</translation>
    </message>
    <message>
        <source>holds</source>
        <translation>持有</translation>
    </message>
    <message>
        <source>down</source>
        <translation>宕机</translation>
    </message>
    <message>
        <source>paused %1, believes it holds the lock</source>
        <translation>暂停 %1，仍认为自己持有锁</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>paused %1</source>
        <translation>暂停 %1</translation>
    </message>
    <message>
        <source>%1 and %2 both</source>
        <translation>%1 和 %2 同时</translation>
    </message>
    <message>
        <source>both</source>
        <translation>同时</translation>
    </message>
    <message>
        <source>%1 lines</source>
        <translation>%1 行</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::LiveRun</name>
    <message>
        <source>The first overlap</source>
        <translation>首次重叠</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::LockActions</name>
    <message>
        <source>Copy release co&amp;mmand</source>
        <translation>复制释放命令(&amp;M)</translation>
    </message>
    <message>
        <source>Filter by this &amp;format</source>
        <translation>按此格式筛选(&amp;F)</translation>
    </message>
    <message>
        <source>Filter by this o&amp;wner</source>
        <translation>按此所有者筛选(&amp;W)</translation>
    </message>
    <message>
        <source>Filter by this &amp;prefix</source>
        <translation>按此前缀筛选(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Treat as…</source>
        <translation>视为(&amp;T)…</translation>
    </message>
    <message>
        <source>&amp;Not a lock…</source>
        <translation>不是锁(&amp;N)…</translation>
    </message>
    <message>
        <source>Treated na&amp;mes…</source>
        <translation>已指定的名称(&amp;M)…</translation>
    </message>
    <message>
        <source>Cap the &amp;TTL…</source>
        <translation>限定过期时间(&amp;T)…</translation>
    </message>
    <message>
        <source>&amp;Release…</source>
        <translation>释放(&amp;R)…</translation>
    </message>
    <message>
        <source>E&amp;xport the table as CSV…</source>
        <translation>将表格导出为 CSV(&amp;X)…</translation>
    </message>
    <message>
        <source>Export the table as &amp;JSON…</source>
        <translation>将表格导出为 JSON(&amp;J)…</translation>
    </message>
    <message>
        <source>Allow &amp;writes</source>
        <translation>允许写入(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Disconnect the holder…</source>
        <translation>断开持有者(&amp;D)…</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::LockColumns</name>
    <message>
        <source>Show all columns</source>
        <translation>显示所有列</translation>
    </message>
    <message>
        <source>Reset columns</source>
        <translation>重置列</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::LockCommands</name>
    <message>
        <source>Cap the &amp;TTL of %1 locks…</source>
        <translation>限定 %1 个锁的过期时间(&amp;T)…</translation>
    </message>
    <message>
        <source>Cap the &amp;TTL…</source>
        <translation>限定过期时间(&amp;T)…</translation>
    </message>
    <message>
        <source>&amp;Release %1 locks…</source>
        <translation>释放 %1 个锁(&amp;R)…</translation>
    </message>
    <message>
        <source>&amp;Release…</source>
        <translation>释放(&amp;R)…</translation>
    </message>
    <message>
        <source>Apply as filter: %1</source>
        <translation>作为筛选应用：%1</translation>
    </message>
    <message>
        <source>Not this: %1</source>
        <translation>排除：%1</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::LockDetailsPanel</name>
    <message>
        <source>Copy key</source>
        <translation>复制键名</translation>
    </message>
    <message>
        <source>Cap TTL…</source>
        <translation>限定过期时间…</translation>
    </message>
    <message>
        <source>Release…</source>
        <translation>释放…</translation>
    </message>
    <message>
        <source>Same as</source>
        <translation>等同于</translation>
    </message>
    <message>
        <source>%1 is hidden by the filter.</source>
        <translation>%1 被筛选隐藏。</translation>
    </message>
    <message>
        <source>%1 is no longer held, as far as known.</source>
        <translation>据目前所知，%1 已不再被持有。</translation>
    </message>
    <message>
        <source>Select a lock to see its owner, its age, and what a release would do.</source>
        <translation>选择一把锁，查看其所有者、存在时间，以及释放会做什么。</translation>
    </message>
    <message>
        <source>Last known state:</source>
        <translation>最后已知状态：</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>The lock is gone. Last known state:</source>
        <translation>锁已不在。最后已知状态：</translation>
    </message>
    <message>
        <source>There is currently no connection.</source>
        <translation>当前没有连接。</translation>
    </message>
    <message>
        <source>Locks of this format cannot be released safely.</source>
        <translation>此格式的锁无法安全释放。</translation>
    </message>
    <message>
        <source>What a release of all %1 holders does</source>
        <translation>释放全部 %1 个持有者会做什么</translation>
    </message>
    <message>
        <source>What a release does</source>
        <translation>释放会做什么</translation>
    </message>
    <message>
        <source>Raw value</source>
        <translation>原始值</translation>
    </message>
    <message>
        <source>Since Lockscope connected</source>
        <translation>自 Lockscope 连接以来</translation>
    </message>
    <message>
        <source>Not taken, handed over, released or expired.</source>
        <translation>未发生获取、交接、释放或过期。</translation>
    </message>
    <message>
        <source>Read-only. To allow writes, choose Server → Allow writes.</source>
        <translation>只读。要允许写入，请选择“服务器”→“允许写入”。</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::LockExplanationView</name>
    <message>
        <source>Hide the explanation</source>
        <translation>隐藏说明</translation>
    </message>
    <message>
        <source>Explain this lock</source>
        <translation>说明此锁</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::LockFilterEdit</name>
    <message>
        <source>Filter</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>Filter: a word, or flag:no-expiry, held&gt;10m, waiters&gt;0 …</source>
        <translation>筛选：一个词，或 flag:no-expiry、held&gt;10m、waiters&gt;0 …</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::LockSidePanel</name>
    <message>
        <source>Counts</source>
        <translation>计数</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::LockTableView</name>
    <message>
        <source>Locks</source>
        <translation>锁</translation>
    </message>
    <message>
        <source>One row per lock, the most urgent first. Enter shows the details. Right shows the holders of a shared lock.</source>
        <translation>每行一把锁，最紧急的在前。Enter 显示详情。右方向键显示共享锁的持有者。</translation>
    </message>
    <message>
        <source>Copy key</source>
        <translation>复制键名</translation>
    </message>
    <message>
        <source>Copy owner</source>
        <translation>复制所有者</translation>
    </message>
    <message>
        <source>Copy row</source>
        <translation>复制行</translation>
    </message>
    <message>
        <source>Copy as JSON</source>
        <translation>复制为 JSON</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::LocksController</name>
    <message>
        <source>L&amp;ocks</source>
        <translation>锁(&amp;O)</translation>
    </message>
    <message>
        <source>Counts</source>
        <translation>计数</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>Activity</source>
        <translation>活动</translation>
    </message>
    <message>
        <source>My locks</source>
        <translation>我的锁</translation>
    </message>
    <message>
        <source>&amp;Server</source>
        <translation>服务器(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Lock</source>
        <translation>锁(&amp;L)</translation>
    </message>
    <message>
        <source>Lockscope</source>
        <translation>Lockscope</translation>
    </message>
    <message>
        <source>%1 – Lockscope</source>
        <translation>%1 – Lockscope</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation>暂停(&amp;P)</translation>
    </message>
    <message>
        <source>Colour rules</source>
        <translation>颜色规则</translation>
    </message>
    <message>
        <source>Alerts</source>
        <translation>告警</translation>
    </message>
    <message>
        <source>Owners</source>
        <translation>所有者</translation>
    </message>
    <message>
        <source>At most %1 servers can be open. Close one of them first.</source>
        <translation>最多只能同时打开 %1 个服务器。请先关闭其中一个。</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>等待</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::MainWindow</name>
    <message>
        <source>Lockscope</source>
        <translation>Lockscope</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Reset layout</source>
        <translation>重置布局(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>主题(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Keyboard shortcuts</source>
        <translation>键盘快捷键(&amp;K)</translation>
    </message>
    <message>
        <source>&amp;About Lockscope</source>
        <translation>关于 Lockscope(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>Follow the &amp;system</source>
        <translation>跟随系统(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>浅色(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>深色(&amp;D)</translation>
    </message>
    <message>
        <source>L&amp;ab</source>
        <translation>实验室(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Matrix</source>
        <translation>矩阵(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Contend</source>
        <translation>竞争(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Find an action…</source>
        <translation>查找操作(&amp;F)…</translation>
    </message>
    <message>
        <source>Start the &amp;demo</source>
        <translation>启动演示(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Settings…</source>
        <translation>设置(&amp;S)…</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Could not save the settings in %1. Check the owner and permissions of the file.</source>
        <translation>无法将设置保存到 %1。请检查该文件的所有者和权限。</translation>
    </message>
    <message>
        <source>&amp;Contents</source>
        <translation>帮助内容(&amp;C)</translation>
    </message>
    <message>
        <source>The run is over and its private servers are stopped. They are no longer shown.</source>
        <translation>运行已结束，其私有服务器已停止，不再显示。</translation>
    </message>
    <message>
        <source>A&amp;udit of releases…</source>
        <translation>释放审计(&amp;U)…</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::MatrixBar</name>
    <message>
        <source>&amp;Compute</source>
        <translation>计算(&amp;C)</translation>
    </message>
    <message>
        <source>St&amp;op</source>
        <translation>停止(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Export</source>
        <translation>导出(&amp;E)</translation>
    </message>
    <message>
        <source>Progress of the matrix</source>
        <translation>矩阵进度</translation>
    </message>
    <message>
        <source>&amp;Compute again</source>
        <translation>重新计算(&amp;C)</translation>
    </message>
    <message>
        <source>Search every protocol again</source>
        <translation>重新搜索所有协议</translation>
    </message>
    <message>
        <source>Search the missing protocols</source>
        <translation>搜索缺少的协议</translation>
    </message>
    <message>
        <source>reading saved results</source>
        <translation>正在读取已保存的结果</translation>
    </message>
    <message>
        <source>protocol %1 of %2: %3 · %4 schedules/s</source>
        <translation>协议 %1/%2：%3 · %4 个调度/s</translation>
    </message>
    <message>
        <source>stopped: %1 of %2 protocols</source>
        <translation>已停止：%2 个协议中的 %1 个</translation>
    </message>
    <message>
        <source>%1 of %2 protocols × %3 faults</source>
        <translation>%2 个协议中的 %1 个 × %3 种故障</translation>
    </message>
    <message>
        <source>So&amp;rt</source>
        <translation>排序(&amp;R)</translation>
    </message>
    <message>
        <source>Bring the rows that are known so far into their order</source>
        <translation>将目前已知的各行按顺序排列</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::MatrixLens</name>
    <message>
        <source>anything</source>
        <translation>任何问题</translation>
    </message>
    <message>
        <source>What must &amp;not happen:</source>
        <translation>不得发生(&amp;N)：</translation>
    </message>
    <message>
        <source>What may go &amp;wrong:</source>
        <translation>可能出错(&amp;W)：</translation>
    </message>
    <message>
        <source>Which lock should I use?</source>
        <translation>该用哪种锁？</translation>
    </message>
    <message>
        <source>Protocols that hold, computed from the matrix</source>
        <translation>由矩阵得出的满足要求的协议</translation>
    </message>
    <message>
        <source>&amp;All</source>
        <translation>全部(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;None but the order of steps</source>
        <translation>只留步骤顺序(&amp;N)</translation>
    </message>
    <message>
        <source>all of %1</source>
        <translation>全部 %1 种</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>What may go wrong: %1</source>
        <translation>可能出错：%1</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::MatrixPage</name>
    <message>
        <source>Legend: a number is the number of steps in which what must not happen does so, in parentheses where the protocol does not promise otherwise; ok: it does not happen; ok with a question mark: not up to the bound; a dot: it could have happened in no run; a dash: the fault has no effect</source>
        <translation>图例：数字表示不得发生的情况在几步内发生，协议未保证不发生时加括号；ok：不会发生；ok 加问号：达到上限前未发生；点：没有一次运行有机会发生；短横线：故障无影响</translation>
    </message>
    <message>
        <source>Open in the &amp;Lab</source>
        <translation>在实验室中打开(&amp;L)</translation>
    </message>
    <message>
        <source>Show the counterexample on a timeline (Enter, or click the cell)</source>
        <translation>在时间线上显示反例（Enter，或单击单元格）</translation>
    </message>
    <message>
        <source>Lock protocols under faults</source>
        <translation>各种故障下的锁协议</translation>
    </message>
    <message>
        <source>Every protocol is searched under every fault in the simulation. Select a cell to open its shortest counterexample in the Lab.</source>
        <translation>在模拟中，对每个协议搜索每种故障。选择单元格，即可在实验室中打开其最短反例。</translation>
    </message>
    <message>
        <source>saved as %1</source>
        <translation>已保存为 %1</translation>
    </message>
    <message>
        <source>Export the matrix</source>
        <translation>导出矩阵</translation>
    </message>
    <message>
        <source>Could not save the file.</source>
        <translation>无法保存文件。</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::MatrixView</name>
    <message>
        <source>searching …</source>
        <translation>正在搜索 …</translation>
    </message>
    <message>
        <source>Protocols under faults</source>
        <translation>各种故障下的协议</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::MilderWays</name>
    <message>
        <source>What can be done, the mildest first</source>
        <translation>可以采取的做法，最温和的在前</translation>
    </message>
    <message>
        <source>Cap the TTL instead…</source>
        <translation>改为限定过期时间…</translation>
    </message>
    <message>
        <source>Disconnect…</source>
        <translation>断开…</translation>
    </message>
    <message>
        <source>%1. %2 Recommended.</source>
        <translation>%1. %2（推荐）</translation>
    </message>
    <message>
        <source>%1. %2</source>
        <translation>%1. %2</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::NamedFilters</name>
    <message>
        <source>Named filters</source>
        <translation>命名的筛选</translation>
    </message>
    <message>
        <source>No filter has a name yet</source>
        <translation>还没有命名的筛选</translation>
    </message>
    <message>
        <source>Name for this filter</source>
        <translation>此筛选的名称</translation>
    </message>
    <message>
        <source>Name for this filter, then Enter</source>
        <translation>输入此筛选的名称，然后按 Enter</translation>
    </message>
    <message>
        <source>Enter a filter to give it a name</source>
        <translation>先输入筛选条件，才能命名</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::NearMissesDialog</name>
    <message>
        <source>Keys not recognised as locks</source>
        <translation>未识别为锁的键</translation>
    </message>
    <message>
        <source>These keys have names like locks, but their values name no holder. Select the keys that are locks to watch them.</source>
        <translation>这些键的名称像锁，但值中没有持有者。选择确实是锁的键以监视它们。</translation>
    </message>
    <message>
        <source>Treat as locks</source>
        <translation>视为锁</translation>
    </message>
    <message>
        <source>The first %1 of %2.</source>
        <translation>前 %1 个，共 %2 个。</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>原因</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::NoticeBar</name>
    <message>
        <source>Dismiss</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::OrderedList</name>
    <message>
        <source>&amp;Add</source>
        <translation>添加(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation>删除(&amp;R)</translation>
    </message>
    <message>
        <source>Move &amp;up</source>
        <translation>上移(&amp;U)</translation>
    </message>
    <message>
        <source>Move &amp;down</source>
        <translation>下移(&amp;D)</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::OwnFormats</name>
    <message>
        <source>Could not remember it: %1</source>
        <translation>无法记住此设置：%1</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::OwnersPanel</name>
    <message>
        <source>Owners</source>
        <translation>所有者</translation>
    </message>
    <message>
        <source>Filter by this o&amp;wner</source>
        <translation>按此所有者筛选(&amp;W)</translation>
    </message>
    <message>
        <source>No lock records its owner.</source>
        <translation>没有锁记录其所有者。</translation>
    </message>
    <message>
        <source>Shown are the %1 owners with the most locks, of %2.</source>
        <translation>显示锁最多的 %1 个所有者，共 %2 个。</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::PageActions</name>
    <message>
        <source>&amp;Connect…</source>
        <translation>连接(&amp;C)…</translation>
    </message>
    <message>
        <source>&amp;Disconnect</source>
        <translation>断开连接(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Sweep again</source>
        <translation>重新扫描(&amp;S)</translation>
    </message>
    <message>
        <source>Dee&amp;p sweep</source>
        <translation>深度扫描(&amp;P)</translation>
    </message>
    <message>
        <source>C&amp;lose the tab</source>
        <translation>关闭标签页(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Next tab</source>
        <translation>下一个标签页(&amp;N)</translation>
    </message>
    <message>
        <source>Pre&amp;vious tab</source>
        <translation>上一个标签页(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Acquire a lock…</source>
        <translation>获取锁(&amp;A)…</translation>
    </message>
    <message>
        <source>&amp;Filter</source>
        <translation>筛选(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Lock table</source>
        <translation>锁表(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation>暂停(&amp;P)</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::PageSwitch</name>
    <message>
        <source>Page: %1</source>
        <translation>页面：%1</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::PasswordKeeper</name>
    <message>
        <source>Could not read the password of %1 from the keyring: %2</source>
        <translation>无法从密钥环读取 %1 的密码：%2</translation>
    </message>
    <message>
        <source>Could not change the password in the keyring: %1</source>
        <translation>无法更改密钥环中的密码：%1</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::PlanCommands</name>
    <message>
        <source>%1. %2</source>
        <translation>%1. %2</translation>
    </message>
    <message>
        <source>Hide the steps and the script</source>
        <translation>隐藏步骤和脚本</translation>
    </message>
    <message>
        <source>Show the steps and the script</source>
        <translation>显示步骤和脚本</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::PlanDialog</name>
    <message>
        <source>Reload</source>
        <translation>重新加载</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Reading the lock again…</source>
        <translation>正在重新读取锁…</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Nothing was sent. Reload before you continue.</source>
        <translation>未发送任何内容。重新加载后再继续。</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::ProfileDialog</name>
    <message>
        <source>Save as a profile</source>
        <translation>保存为配置</translation>
    </message>
    <message>
        <source>optional</source>
        <translation>可选</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>The profile of this name is replaced.</source>
        <translation>同名配置将被替换。</translation>
    </message>
    <message>
        <source>The password is not part of the profile.</source>
        <translation>密码不属于配置。</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::ProofDialog</name>
    <message>
        <source>Prove a client</source>
        <translation>证明客户端</translation>
    </message>
    <message>
        <source>Runs several processes of a real client against a server that Lockscope plays, decides what happens next, and looks for the shortest way in which a promise breaks.</source>
        <translation>让真实客户端的多个进程对着由 Lockscope 扮演的服务器运行，由 Lockscope 决定接下来发生什么，并寻找破坏承诺的最短方式。</translation>
    </message>
    <message>
        <source>Command of the adapter</source>
        <translation>适配器的命令</translation>
    </message>
    <message>
        <source>moved by Lockscope</source>
        <translation>由 Lockscope 移动</translation>
    </message>
    <message>
        <source>moved, and real time counts</source>
        <translation>由 Lockscope 移动，真实时间也计入</translation>
    </message>
    <message>
        <source>its own (Go, static programs)</source>
        <translation>自己的时钟（Go、静态程序）</translation>
    </message>
    <message>
        <source>Lease that it asks for</source>
        <translation>它请求的租约</translation>
    </message>
    <message>
        <source>0s: none</source>
        <translation>0s：无</translation>
    </message>
    <message>
        <source>Time for the search</source>
        <translation>搜索时间</translation>
    </message>
    <message>
        <source>What the adapter is told and answers</source>
        <translation>适配器收到的内容和它的回答</translation>
    </message>
    <message>
        <source>Clock of the client</source>
        <translation>客户端的时钟</translation>
    </message>
    <message>
        <source>What it is told and answers</source>
        <translation>它收到的内容和它的回答</translation>
    </message>
    <message>
        <source>The same on the command line</source>
        <translation>命令行上的等价写法</translation>
    </message>
    <message>
        <source>&amp;Prove</source>
        <translation>证明(&amp;P)</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>simulated</source>
        <translation>模拟</translation>
    </message>
    <message>
        <source>real redis-server</source>
        <translation>真实的 redis-server</translation>
    </message>
    <message>
        <source>Independent ones, as Redlock needs them: LOCKSCOPE_URLS has all of them</source>
        <translation>相互独立的服务器，如 Redlock 所需：LOCKSCOPE_URLS 列出全部地址</translation>
    </message>
    <message>
        <source>Of each server, which the client can ask after; a real server has none here</source>
        <translation>每台服务器的副本数，客户端可以查询；真实服务器在此没有副本</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>Processes</source>
        <translation>进程数</translation>
    </message>
    <message>
        <source>Servers</source>
        <translation>服务器数</translation>
    </message>
    <message>
        <source>Replicas</source>
        <translation>副本数</translation>
    </message>
    <message>
        <source>An acquire or extension that is answered after the end of its lease says so</source>
        <translation>在租约结束之后才得到答复的获取或续期会如实说明</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::ProtocolEditor</name>
    <message>
        <source>Acquire</source>
        <translation>获取</translation>
    </message>
    <message>
        <source>Renew</source>
        <translation>续期</translation>
    </message>
    <message>
        <source>Release</source>
        <translation>释放</translation>
    </message>
    <message>
        <source>Protocol files (*.json)</source>
        <translation>协议文件 (*.json)</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>Start from a copy of</source>
        <translation>从副本开始</translation>
    </message>
    <message>
        <source>Id</source>
        <translation>Id</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>标题</translation>
    </message>
    <message>
        <source>Summary</source>
        <translation>摘要</translation>
    </message>
    <message>
        <source>Lease, retry, renewal, promises</source>
        <translation>租约、重试、续期、保证</translation>
    </message>
    <message>
        <source>Lua script</source>
        <translation>Lua 脚本</translation>
    </message>
    <message>
        <source>Keys, arguments and the meaning of the replies</source>
        <translation>键、参数和回复的含义</translation>
    </message>
    <message>
        <source>Select this protocol on the Lab page</source>
        <translation>在实验室页选择此协议</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>打开…</translation>
    </message>
    <message>
        <source>Open a protocol file</source>
        <translation>打开协议文件</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Save to the file that it is from</source>
        <translation>保存到原文件</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <source>Save to a file that the command line can read</source>
        <translation>保存为命令行可读取的文件</translation>
    </message>
    <message>
        <source>choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>%1 (built in)</source>
        <translation>%1（内置）</translation>
    </message>
    <message>
        <source>Custom protocol[*]</source>
        <translation>自定义协议[*]</translation>
    </message>
    <message>
        <source>%1[*] – custom protocol</source>
        <translation>%1[*] – 自定义协议</translation>
    </message>
    <message>
        <source>Line %1: %2</source>
        <translation>第 %1 行：%2</translation>
    </message>
    <message>
        <source>%1 ⚠</source>
        <translation>%1 ⚠</translation>
    </message>
    <message>
        <source>Open a protocol</source>
        <translation>打开协议</translation>
    </message>
    <message>
        <source>The file is not a valid protocol.</source>
        <translation>该文件不是有效的协议。</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1、%2</translation>
    </message>
    <message>
        <source>Save the protocol</source>
        <translation>保存协议</translation>
    </message>
    <message>
        <source>Could not save the protocol.</source>
        <translation>无法保存协议。</translation>
    </message>
    <message>
        <source>Custom protocol</source>
        <translation>自定义协议</translation>
    </message>
    <message>
        <source>The protocol has unsaved changes.</source>
        <translation>协议有未保存的更改。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>放弃更改</translation>
    </message>
    <message>
        <source>It cannot be saved before its mistakes are corrected.</source>
        <translation>必须先更正其中的错误才能保存。</translation>
    </message>
    <message>
        <source>&amp;Use</source>
        <translation>使用(&amp;U)</translation>
    </message>
    <message>
        <source>%1 is selected on the Lab page.</source>
        <translation>已在“实验室”页面选择 %1。</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::ProtocolPicker</name>
    <message>
        <source>Protocol</source>
        <translation>协议</translation>
    </message>
    <message>
        <source>Known flaw: %1</source>
        <translation>已知缺陷：%1</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::RecentMenu</name>
    <message>
        <source>&amp;Recent</source>
        <translation>最近使用(&amp;R)</translation>
    </message>
    <message>
        <source>Forget all</source>
        <translation>清除全部记录</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::ReleaseDialog</name>
    <message>
        <source>Release a lock</source>
        <translation>释放锁</translation>
    </message>
    <message>
        <source>Release</source>
        <translation>释放</translation>
    </message>
    <message>
        <source>Hold to release</source>
        <translation>要释放的持有</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Reason for the audit file</source>
        <translation>写入审计文件的原因</translation>
    </message>
    <message>
        <source>Required on production</source>
        <translation>生产环境必填</translation>
    </message>
    <message>
        <source>Optional</source>
        <translation>可选</translation>
    </message>
    <message>
        <source>the name of the key, %1</source>
        <translation>键名 %1</translation>
    </message>
    <message>
        <source>the last character of the owner %1</source>
        <translation>所有者 %1 的最后一个字符</translation>
    </message>
    <message>
        <source>the last %1 characters of the owner %2</source>
        <translation>所有者 %2 的最后 %1 个字符</translation>
    </message>
    <message>
        <source>To release the lock, type %1</source>
        <translation>要释放此锁，输入%1</translation>
    </message>
    <message>
        <source>The text you typed is not %1. Nothing was sent.</source>
        <translation>输入的文本不是%1。未发送任何内容。</translation>
    </message>
    <message>
        <source>Nothing was sent. Select the hold to release first.</source>
        <translation>未发送任何内容。先选择要释放的持有。</translation>
    </message>
    <message>
        <source>Nothing was sent. To release the lock, type %1.</source>
        <translation>未发送任何内容。要释放此锁，输入%1。</translation>
    </message>
    <message>
        <source>Nothing was sent. Enter a reason; it is required on production.</source>
        <translation>未发送任何内容。输入原因；生产环境必填。</translation>
    </message>
    <message>
        <source>What will be done</source>
        <translation>将执行的操作</translation>
    </message>
    <message>
        <source>Type it by hand: pasting is off on production.</source>
        <translation>请手动输入：生产环境中不能粘贴。</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::ReleaseJournal</name>
    <message>
        <source>cap of %1 sent</source>
        <translation>已发送限定过期时间（%1）</translation>
    </message>
    <message>
        <source>tombstone for %1 sent</source>
        <translation>已发送墓碑（%1）</translation>
    </message>
    <message>
        <source>release sent</source>
        <translation>已发送释放</translation>
    </message>
    <message>
        <source>release sent: %1</source>
        <translation>已发送释放：%1</translation>
    </message>
    <message>
        <source>%1: sent, no reply yet. The result will be shown here.</source>
        <translation>%1：已发送，尚无回复。结果会显示在这里。</translation>
    </message>
    <message>
        <source>not released: nothing was sent</source>
        <translation>未释放：未发送任何内容</translation>
    </message>
    <message>
        <source>no expiry set: nothing was sent</source>
        <translation>未设置过期时间：未发送任何内容</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>undo sent</source>
        <translation>已发送撤销</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::ReleaseOutcomeView</name>
    <message>
        <source>Sending…</source>
        <translation>正在发送…</translation>
    </message>
    <message>
        <source>Watching for the next owner…</source>
        <translation>正在等候下一个所有者…</translation>
    </message>
    <message>
        <source>Released, but it did not last.</source>
        <translation>已释放，但锁又出现了。</translation>
    </message>
    <message>
        <source>When selected</source>
        <translation>选择时</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>现在</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::RunBar</name>
    <message>
        <source>not started</source>
        <translation>未开始</translation>
    </message>
    <message>
        <source>starting</source>
        <translation>正在启动</translation>
    </message>
    <message>
        <source>running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>stopping</source>
        <translation>正在停止</translation>
    </message>
    <message>
        <source>finished</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>St&amp;art</source>
        <translation>开始(&amp;A)</translation>
    </message>
    <message>
        <source>Start the run (Ctrl+R)</source>
        <translation>开始运行 (Ctrl+R)</translation>
    </message>
    <message>
        <source>P&amp;redict</source>
        <translation>预测(&amp;R)</translation>
    </message>
    <message>
        <source>Compute the result without a server, also for numbers that no machine can run</source>
        <translation>不用服务器计算结果，也适用于任何机器都跑不动的规模</translation>
    </message>
    <message>
        <source>Pa&amp;use</source>
        <translation>暂停(&amp;U)</translation>
    </message>
    <message>
        <source>St&amp;op</source>
        <translation>停止(&amp;O)</translation>
    </message>
    <message>
        <source>Show &amp;locks</source>
        <translation>显示锁(&amp;L)</translation>
    </message>
    <message>
        <source>Watch the real locks in the table during the run</source>
        <translation>运行期间在表格中查看真实的锁</translation>
    </message>
    <message>
        <source>Copy &amp;numbers</source>
        <translation>复制数值(&amp;N)</translation>
    </message>
    <message>
        <source>Copy as &amp;command</source>
        <translation>复制为命令(&amp;C)</translation>
    </message>
    <message>
        <source>Progress of the run</source>
        <translation>运行进度</translation>
    </message>
    <message>
        <source>predicting</source>
        <translation>正在预测</translation>
    </message>
    <message>
        <source>predicted</source>
        <translation>已预测</translation>
    </message>
    <message>
        <source>after %1</source>
        <translation>历时 %1</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Res&amp;ume</source>
        <translation>继续(&amp;U)</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::RunView</name>
    <message>
        <source>Views of the run</source>
        <translation>运行的视图</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>Events</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>Statistics</source>
        <translation>统计</translation>
    </message>
    <message>
        <source>Copy the &amp;story</source>
        <translation>复制过程(&amp;S)</translation>
    </message>
    <message>
        <source>Save the &amp;run…</source>
        <translation>保存运行(&amp;R)…</translation>
    </message>
    <message>
        <source>Story for a &amp;ticket (Markdown)…</source>
        <translation>工单用的过程（Markdown）(&amp;T)…</translation>
    </message>
    <message>
        <source>&amp;Perfetto or Chrome trace…</source>
        <translation>Perfetto 或 Chrome 跟踪(&amp;P)…</translation>
    </message>
    <message>
        <source>Shi&amp;Viz log…</source>
        <translation>ShiViz 日志(&amp;V)…</translation>
    </message>
    <message>
        <source>&amp;Intervals (CSV)…</source>
        <translation>区间（CSV）(&amp;I)…</translation>
    </message>
    <message>
        <source>Timeline as P&amp;NG…</source>
        <translation>时间线存为 PNG(&amp;N)…</translation>
    </message>
    <message>
        <source>Timeline as SV&amp;G…</source>
        <translation>时间线存为 SVG(&amp;G)…</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 至 %2</translation>
    </message>
    <message>
        <source>Save the run</source>
        <translation>保存运行</translation>
    </message>
    <message>
        <source>Runs (*.run.cbor)</source>
        <translation>运行 (*.run.cbor)</translation>
    </message>
    <message>
        <source>Export the run</source>
        <translation>导出运行</translation>
    </message>
    <message>
        <source>Exported run (*%1)</source>
        <translation>导出的运行 (*%1)</translation>
    </message>
    <message>
        <source>Save the timeline</source>
        <translation>保存时间线</translation>
    </message>
    <message>
        <source>Images (*.%1)</source>
        <translation>图像 (*.%1)</translation>
    </message>
    <message>
        <source>Could not save the image to %1.</source>
        <translation>无法将图像保存到 %1。</translation>
    </message>
    <message>
        <source>Could not save the file</source>
        <translation>无法保存文件</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::ScenarioMenu</name>
    <message>
        <source>&amp;Open…</source>
        <translation>打开(&amp;O)…</translation>
    </message>
    <message>
        <source>&amp;Save as…</source>
        <translation>另存为(&amp;S)…</translation>
    </message>
    <message>
        <source>&amp;Recent</source>
        <translation>最近使用(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Examples</source>
        <translation>示例(&amp;E)</translation>
    </message>
    <message>
        <source>Open a scenario</source>
        <translation>打开场景</translation>
    </message>
    <message>
        <source>The file is not a valid scenario.</source>
        <translation>该文件不是有效的场景。</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1、%2</translation>
    </message>
    <message>
        <source>Save the scenario</source>
        <translation>保存场景</translation>
    </message>
    <message>
        <source>Could not save the scenario.</source>
        <translation>无法保存场景。</translation>
    </message>
    <message>
        <source>Scenario</source>
        <translation>场景</translation>
    </message>
    <message>
        <source>Scenarios (*%1 *.json)</source>
        <translation>场景 (*%1 *.json)</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::ScriptsWindow</name>
    <message>
        <source>Known flaw</source>
        <translation>已知缺陷</translation>
    </message>
    <message>
        <source>Promises</source>
        <translation>保证</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::SearchedRun</name>
    <message>
        <source>step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Shortest counterexample · %1 · plan “%2”</source>
        <translation>最短反例 · %1 · 方案“%2”</translation>
    </message>
    <message>
        <source>A run in which this did not break</source>
        <translation>一次未违反此保证的运行</translation>
    </message>
    <message>
        <source>Nothing was tested · a run</source>
        <translation>未测试到任何内容 · 一次运行</translation>
    </message>
    <message>
        <source>run</source>
        <translation>次运行</translation>
    </message>
    <message>
        <source>runs</source>
        <translation>次运行</translation>
    </message>
    <message>
        <source>Nothing broke in any run (%1) · a typical one</source>
        <translation>所有运行（%1）均未违反保证 · 典型运行</translation>
    </message>
    <message>
        <source>Nothing broke in %1 so far · a typical run</source>
        <translation>目前 %1均未违反保证 · 典型运行</translation>
    </message>
    <message>
        <source>As found, being shortened · %1 · plan “%2”</source>
        <translation>原始发现，正在缩短 · %1 · 方案“%2”</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::ServerBadge</name>
    <message>
        <source>not connected</source>
        <translation>未连接</translation>
    </message>
    <message>
        <source>Connect…</source>
        <translation>连接…</translation>
    </message>
    <message>
        <source>read-only</source>
        <translation>只读</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::ServerTabBar</name>
    <message>
        <source>Servers</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Close the others</source>
        <translation>关闭其他标签页</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::ServerTabs</name>
    <message>
        <source>lost</source>
        <translation>连接已断开</translation>
    </message>
    <message>
        <source>connecting</source>
        <translation>正在连接</translation>
    </message>
    <message>
        <source>unreachable</source>
        <translation>无法连接</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>已暂停</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::ServerTree</name>
    <message>
        <source>Profiles and recent servers</source>
        <translation>配置和最近的服务器</translation>
    </message>
    <message>
        <source>&amp;Rename</source>
        <translation>重命名(&amp;R)</translation>
    </message>
    <message>
        <source>Re&amp;move</source>
        <translation>移除(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Import profiles…</source>
        <translation>导入配置(&amp;I)…</translation>
    </message>
    <message>
        <source>&amp;Export profiles…</source>
        <translation>导出配置(&amp;E)…</translation>
    </message>
    <message>
        <source>Profiles</source>
        <translation>配置</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>最近</translation>
    </message>
    <message>
        <source>Import profiles</source>
        <translation>导入配置</translation>
    </message>
    <message>
        <source>Profiles (*.json)</source>
        <translation>配置 (*.json)</translation>
    </message>
    <message>
        <source>Could not read %1: %2</source>
        <translation>无法读取 %1：%2</translation>
    </message>
    <message>
        <source>Could not import %1: %2.</source>
        <translation>无法导入 %1：%2。</translation>
    </message>
    <message>
        <source>Export profiles</source>
        <translation>导出配置</translation>
    </message>
    <message>
        <source>Servers you connect to and profiles you save are listed here.</source>
        <translation>你连接过的服务器和保存的配置会列在这里。</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::SettingsDialog</name>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>General</source>
        <translation>常规</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Changes apply and are saved at once.</source>
        <translation>更改立即生效并保存。</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>打开文件夹</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::StatisticsPanel</name>
    <message>
        <source>Solid: %1. Dashed and hatched: %2</source>
        <translation>实线：%1。虚线和阴影：%2</translation>
    </message>
    <message>
        <source>Statistics</source>
        <translation>统计</translation>
    </message>
    <message>
        <source>Copy &amp;image</source>
        <translation>复制图像(&amp;I)</translation>
    </message>
    <message>
        <source>Copy all numbers and charts as one image</source>
        <translation>将所有数值和图表复制为一张图像</translation>
    </message>
    <message>
        <source>Copy CS&amp;V</source>
        <translation>复制 CSV(&amp;V)</translation>
    </message>
    <message>
        <source>Copy all numbers and charts as a table, one line per value</source>
        <translation>将所有数值和图表复制为表格，每行一个值</translation>
    </message>
    <message>
        <source>⚠ The recording is incomplete: these figures lack the missing events.</source>
        <translation>⚠ 记录不完整：这些数据不含缺失的事件。</translation>
    </message>
    <message>
        <source>Side-by-side comparison</source>
        <translation>并排对比</translation>
    </message>
    <message>
        <source>no other run</source>
        <translation>无其他运行</translation>
    </message>
    <message>
        <source>Select another run to compare in every chart and in a table of differences</source>
        <translation>选择另一次运行，在每个图表和差异表中对比</translation>
    </message>
    <message>
        <source>There is no other run to compare with</source>
        <translation>没有可对比的其他运行</translation>
    </message>
    <message>
        <source>No contender requested a lock in this run.</source>
        <translation>此次运行中没有竞争者请求锁。</translation>
    </message>
    <message>
        <source>No run yet. Start one to see its statistics.</source>
        <translation>尚无运行。开始一次即可查看其统计。</translation>
    </message>
    <message>
        <source>Co&amp;mpare with</source>
        <translation>对比(&amp;M)</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::TableExport</name>
    <message>
        <source>CSV (*.csv)</source>
        <translation>CSV (*.csv)</translation>
    </message>
    <message>
        <source>JSON (*.json)</source>
        <translation>JSON (*.json)</translation>
    </message>
    <message>
        <source>Export the table</source>
        <translation>导出表格</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::TimelineCanvas</name>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>Nothing to show yet.</source>
        <translation>尚无内容可显示。</translation>
    </message>
    <message>
        <source>At %1.</source>
        <translation>位于 %1。</translation>
    </message>
    <message>
        <source>Selected: %1 – %2.</source>
        <translation>已选择：%1 – %2。</translation>
    </message>
    <message>
        <source>Lane %1, collapsed.</source>
        <translation>泳道 %1，已折叠。</translation>
    </message>
    <message>
        <source>Lane %1.</source>
        <translation>泳道 %1。</translation>
    </message>
    <message>
        <source>and %1 more here</source>
        <translation>此处另有 %1 个</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::TimelineOverview</name>
    <message>
        <source>Overview</source>
        <translation>概览</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::TimelinePainter</name>
    <message>
        <source>%1 lanes</source>
        <translation>%1 条泳道</translation>
    </message>
    <message>
        <source>on server %1</source>
        <translation>在服务器 %1 上</translation>
    </message>
    <message>
        <source>on a majority</source>
        <translation>在多数服务器上</translation>
    </message>
    <message>
        <source>actual holders</source>
        <translation>实际持有者</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Servers</source>
        <translation>各服务器</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1、%2</translation>
    </message>
    <message>
        <source>Overview</source>
        <translation>概览</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::TimelinePanel</name>
    <message>
        <source>Lanes</source>
        <translation>泳道</translation>
    </message>
    <message>
        <source>One lane per contender, or one lane per lock</source>
        <translation>每个竞争者一条泳道，或每把锁一条泳道</translation>
    </message>
    <message>
        <source>By contender</source>
        <translation>按竞争者</translation>
    </message>
    <message>
        <source>By lock</source>
        <translation>按锁</translation>
    </message>
    <message>
        <source>Axis</source>
        <translation>坐标轴</translation>
    </message>
    <message>
        <source>Time to scale, or every step of the story equally wide: for what happens within a millisecond</source>
        <translation>按时间比例，或过程的每一步等宽：用于观察一毫秒内发生的事</translation>
    </message>
    <message>
        <source>By time</source>
        <translation>按时间</translation>
    </message>
    <message>
        <source>By step</source>
        <translation>按步骤</translation>
    </message>
    <message>
        <source>Filter of lanes</source>
        <translation>泳道筛选</translation>
    </message>
    <message>
        <source>Show only lanes whose names contain this text, and the server&apos;s lanes</source>
        <translation>只显示名称包含此文本的泳道，以及服务器的泳道</translation>
    </message>
    <message>
        <source>Overlaps</source>
        <translation>重叠</translation>
    </message>
    <message>
        <source>Show only lanes of contenders that held a lock at the same time</source>
        <translation>只显示曾同时持有同一把锁的竞争者的泳道</translation>
    </message>
    <message>
        <source>Back to the previous range (Alt+Left)</source>
        <translation>返回上一个范围 (Alt+Left)</translation>
    </message>
    <message>
        <source>Forward to the next range (Alt+Right)</source>
        <translation>前进到下一个范围 (Alt+Right)</translation>
    </message>
    <message>
        <source>−</source>
        <translation>−</translation>
    </message>
    <message>
        <source>Zoom out (S)</source>
        <translation>缩小 (S)</translation>
    </message>
    <message>
        <source>+</source>
        <translation>+</translation>
    </message>
    <message>
        <source>Zoom in (W)</source>
        <translation>放大 (W)</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>适应</translation>
    </message>
    <message>
        <source>Show the whole run (F)</source>
        <translation>显示整个运行 (F)</translation>
    </message>
    <message>
        <source>Follow</source>
        <translation>跟随</translation>
    </message>
    <message>
        <source>Stay at the end of the run. Moving the timeline turns this off</source>
        <translation>停留在运行的末尾。移动时间线会关闭此项</translation>
    </message>
    <message>
        <source>%1 hidden</source>
        <translation>已隐藏 %1</translation>
    </message>
    <message>
        <source>lane</source>
        <translation>条泳道</translation>
    </message>
    <message>
        <source>lanes</source>
        <translation>条泳道</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>筛选</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::TombstoneChoice</name>
    <message>
        <source>Leave a tombstone in its place, so that a renewal cannot create it again</source>
        <translation>在原处留下墓碑，使续期无法重新创建它</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::TopStrip</name>
    <message>
        <source>Offline</source>
        <translation>离线</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>Live</source>
        <translation>实时</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::TreatDialog</name>
    <message>
        <source>Treat as</source>
        <translation>视为</translation>
    </message>
    <message>
        <source>A Redis pattern: * matches any text, ? one character, [a-z] one of these.</source>
        <translation>Redis 模式：* 匹配任意文本，? 匹配一个字符，[a-z] 匹配其中之一。</translation>
    </message>
    <message>
        <source>Treat</source>
        <translation>按此处理</translation>
    </message>
    <message>
        <source>Decide what these keys are, whatever they look like. Lockscope and lockscope-cli remember it; Lock › Treated names undoes it.</source>
        <translation>指定这些键是什么，不论它们看起来像什么。Lockscope 和 lockscope-cli 会记住；可在“锁 › 已指定的名称”中撤销。</translation>
    </message>
    <message>
        <source>&amp;Keys</source>
        <translation>键(&amp;K)</translation>
    </message>
    <message>
        <source>This pattern does not match %1.</source>
        <translation>此模式与 %1 不匹配。</translation>
    </message>
    <message>
        <source>They disappear from the table and are not read any more.</source>
        <translation>它们会从表中消失，不再读取。</translation>
    </message>
    <message>
        <source>They are read as this format. Where the value does not fit it, the other formats decide.</source>
        <translation>按此格式读取。值不符合此格式时，由其他格式判定。</translation>
    </message>
    <message>
        <source>Treat &amp;as</source>
        <translation>视为(&amp;A)</translation>
    </message>
    <message>
        <source>not a lock</source>
        <translation>不是锁</translation>
    </message>
    <message>
        <source>There is no such format.</source>
        <translation>没有这样的格式。</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::TreatmentsDialog</name>
    <message>
        <source>Treated names</source>
        <translation>已指定的名称</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>键数</translation>
    </message>
    <message>
        <source>Treated as</source>
        <translation>视为</translation>
    </message>
    <message>
        <source>not a lock</source>
        <translation>非锁</translation>
    </message>
    <message>
        <source>No names have been reassigned.</source>
        <translation>没有另行指定的名称。</translation>
    </message>
    <message>
        <source>The first pattern that matches a key counts. Remove one to let Lockscope judge by itself again.</source>
        <translation>以第一个匹配键的模式为准。移除一个模式，即可让 Lockscope 重新自行判断。</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::UndoOffer</name>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Best effort: puts the lock back if its key is still free. Its holder may already have noticed. Offered for another %1 s.</source>
        <translation>尽力而为：如果该键仍然空闲，则放回该锁。其持有者可能已经察觉。还可在 %1 秒内撤销。</translation>
    </message>
    <message>
        <source>Best effort: puts %1 of %2 locks back, each if its key is still free. Their holders may already have noticed. Offered for another %3 s.</source>
        <translation>尽力而为：放回 %2 把锁中的 %1 把，前提是各自的键仍然空闲。其持有者可能已经察觉。还可在 %3 秒内撤销。</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::VerdictPanel</name>
    <message>
        <source>▲ unavoidable from here on</source>
        <translation>▲ 从此处起不可避免</translation>
    </message>
    <message>
        <source>%1.</source>
        <translation>%1.</translation>
    </message>
    <message>
        <source>Save or e&amp;xport</source>
        <translation>保存或导出(&amp;X)</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>Story</source>
        <translation>过程</translation>
    </message>
    <message>
        <source>◂ Step</source>
        <translation>◂ 上一步</translation>
    </message>
    <message>
        <source>Step back</source>
        <translation>后退一步</translation>
    </message>
    <message>
        <source>Step ▸</source>
        <translation>下一步 ▸</translation>
    </message>
    <message>
        <source>Step forward</source>
        <translation>前进一步</translation>
    </message>
    <message>
        <source>Play the story</source>
        <translation>播放过程</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <source>Steps of the story per second</source>
        <translation>每秒播放的步骤数</translation>
    </message>
    <message>
        <source>%1/s</source>
        <translation>%1/s</translation>
    </message>
    <message>
        <source>❚❚ Pause</source>
        <translation>❚❚ 暂停</translation>
    </message>
    <message>
        <source>▶ Play</source>
        <translation>▶ 播放</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::WaitsPanel</name>
    <message>
        <source>Who waits behind whom</source>
        <translation>谁在等谁</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::WatchedNamesBar</name>
    <message>
        <source>Lock &amp;name patterns</source>
        <translation>锁名模式(&amp;N)</translation>
    </message>
    <message>
        <source>job:*  cron-?  – in addition to names that look like locks</source>
        <translation>job:*  cron-?  – 补充名称像锁的键</translation>
    </message>
    <message>
        <source>Redis patterns: * matches any text, ? one character, [a-z] one of these.
Separate patterns with spaces; escape a space in a name with \.
Every matching key is listed.</source>
        <translation>Redis 模式：* 匹配任意文本，? 匹配一个字符，[a-z] 匹配其中之一。
模式之间用空格分隔；名称中的空格用 \ 转义。
列出所有匹配的键。</translation>
    </message>
    <message>
        <source>1 key looked like a lock but was not recognised…</source>
        <translation>1 个键像锁，但未能识别…</translation>
    </message>
    <message>
        <source>%1 keys looked like locks but were not recognised…</source>
        <translation>%1 个键像锁，但未能识别…</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::WatchedServer</name>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Freeze the table (Space). Changes are recorded meanwhile.</source>
        <translation>冻结表格（Space）。其间的变化仍会记录。</translation>
    </message>
    <message>
        <source>The time for writes is over: the connection is read-only again.</source>
        <translation>写入时间已结束：连接恢复只读。</translation>
    </message>
    <message>
        <source>Could not write the result of the last attempt to the audit file: %1</source>
        <translation>无法将上次操作的结果写入审计文件：%1</translation>
    </message>
    <message>
        <source>Resume · +%1</source>
        <translation>继续 · +%1</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>The rules of the master apply to its replica: releases are sent to the master.</source>
        <translation>主节点的规则也适用于其副本：释放会发送到主节点。</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::WhoView</name>
    <message>
        <source>Listen for its clients…</source>
        <translation>监听其客户端…</translation>
    </message>
    <message>
        <source>By MONITOR. What it costs the server is said before anything is sent.</source>
        <translation>通过 MONITOR。在发送任何内容之前会说明它给服务器带来的代价。</translation>
    </message>
    <message>
        <source>Who is it?</source>
        <translation>它是谁？</translation>
    </message>
    <message>
        <source>The server sends a copy of every command of all clients while this lasts (MONITOR), which can cost it up to a third of its throughput. It ends by itself after the time below or after %1 MB, and you can stop it. Only commands about this lock are counted; nothing of the others is kept.</source>
        <translation>监听期间，服务器会发送所有客户端的每条命令的副本（MONITOR），这最多可能使其吞吐量降低三分之一。达到下面的时间或 %1 MB 后会自行结束，你也可以停止。只统计与这把锁有关的命令；其他命令的内容都不保留。</translation>
    </message>
    <message>
        <source>Listen for so many seconds</source>
        <translation>监听的秒数</translation>
    </message>
    <message>
        <source> s</source>
        <translation> 秒</translation>
    </message>
    <message>
        <source>Listen</source>
        <translation>监听</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Same as</source>
        <translation>等同于</translation>
    </message>
    <message>
        <source>A connected client fits the owner: see above.</source>
        <translation>有一个已连接的客户端与所有者相符：见上文。</translation>
    </message>
    <message>
        <source>No connected client fits the owner token. Redis does not record who wrote a key.</source>
        <translation>没有已连接的客户端与所有者令牌相符。Redis 不记录是谁写了键。</translation>
    </message>
    <message>
        <source>This format records no owner, and Redis does not record who wrote a key.</source>
        <translation>这种格式不记录所有者，Redis 也不记录是谁写了键。</translation>
    </message>
    <message>
        <source>Listening: %1 s left</source>
        <translation>正在监听：还剩 %1 秒</translation>
    </message>
    <message>
        <source>There is currently no connection.</source>
        <translation>当前没有连接。</translation>
    </message>
</context>
<context>
    <name>lockscope::widgets::WriteSwitch</name>
    <message>
        <source>Allow writes</source>
        <translation>允许写入</translation>
    </message>
    <message>
        <source>Allow this window to change locks on %1 for %2 minutes?</source>
        <translation>允许此窗口在 %2 分钟内更改 %1 上的锁？</translation>
    </message>
    <message>
        <source>This is a production server. Every release still asks for confirmation and a reason. Afterwards the window is read-only again.</source>
        <translation>这是生产服务器。每次释放仍会要求确认和填写原因。之后窗口将恢复只读。</translation>
    </message>
    <message>
        <source>Allow for %1 minutes</source>
        <translation>允许 %1 分钟</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Ma&amp;ke read-only</source>
        <translation>设为只读(&amp;K)</translation>
    </message>
    <message>
        <source>Allow &amp;writes for %1 minutes…</source>
        <translation>允许写入 %1 分钟(&amp;W)…</translation>
    </message>
    <message>
        <source>Allow &amp;writes</source>
        <translation>允许写入(&amp;W)</translation>
    </message>
    <message>
        <source>Lockscope was started with --read-only.</source>
        <translation>Lockscope 是以 --read-only 启动的。</translation>
    </message>
    <message>
        <source>writes allowed %1</source>
        <translation>允许写入 %1</translation>
    </message>
</context>
<context>
    <name>lockscope::wire::PrivateServer</name>
    <message>
        <source>redis-server could not be started: %1</source>
        <translation>无法启动 redis-server：%1</translation>
    </message>
    <message>
        <source>redis-server exited immediately: %1</source>
        <translation>redis-server 立即退出：%1</translation>
    </message>
</context>
</TS>
