<?php
// Drives the PHP lock libraries of Debian for tests/interop/run.py: driver.php MODE OPTIONS PORT...
// PHP does one thing at a time, so every client is a process of its own, which says its answers itself. See suite/driver.py.

const NAME = 'lock:orders:42';

const PACKAGES = [
    'symfony' => ['php-symfony-lock', '/usr/share/php/Symfony/Component/Lock/autoload.php'],
    'laravel' => ['php-illuminate-cache', '/usr/share/php/Illuminate/Cache/autoload.php'],
    'malkusch' => ['php-malkusch-lock', '/usr/share/php/Malkusch/Lock/autoload.php'],
    'session' => ['php-redis', null],
    'symfony-predis' => ['php-symfony-lock', '/usr/share/php/Symfony/Component/Lock/autoload.php'],
    'symfony-semaphore' => ['php-symfony-semaphore', '/usr/share/php/Symfony/Component/Semaphore/autoload.php'],
    'malkusch-predis' => ['php-malkusch-lock', '/usr/share/php/Malkusch/Lock/autoload.php'],
    'laravel-funnel' => ['php-illuminate-redis', '/usr/share/php/Illuminate/Redis/autoload.php'],
    'laravel-add' => ['php-illuminate-cache', '/usr/share/php/Illuminate/Cache/autoload.php'],
    'horde' => ['php-horde-hashtable', '/usr/share/php/Horde/HashTable/Base.php'],
];

function say(array $message): void
{
    fwrite(STDOUT, json_encode($message, JSON_UNESCAPED_SLASHES | JSON_INVALID_UTF8_SUBSTITUTE) . "\n");
}

function redis(int $port): Redis
{
    $redis = new Redis();
    $redis->connect('127.0.0.1', $port);
    return $redis;
}

function predis(int $port): Predis\Client
{
    require_once '/usr/share/php/Predis/autoload.php';
    return new Predis\Client(['host' => '127.0.0.1', 'port' => $port]);
}

function laravelRedis(int $port): Illuminate\Redis\RedisManager
{
    $connection = ['host' => '127.0.0.1', 'port' => $port, 'database' => 0];
    return new Illuminate\Redis\RedisManager(null, 'phpredis', [
        'default' => $connection, 'options' => ['prefix' => 'shop_database_']]);
}

/** Orders are the names of its methods; what they return is the owner. */
class SymfonyLock
{
    private $lock;
    private $key;

    protected function client(int $port)
    {
        return redis($port);
    }

    public function __construct(int $port, array $options)
    {
        $this->key = new Symfony\Component\Lock\Key(NAME);
        $store = new Symfony\Component\Lock\Store\RedisStore($this->client($port), $options['ttl'] ?? 60);
        $this->lock = new Symfony\Component\Lock\Lock($this->key, $store, $options['ttl'] ?? 60, false);
    }

    private function owner(): string
    {
        return $this->key->getState(Symfony\Component\Lock\Store\RedisStore::class);
    }

    public function acquire(): string
    {
        $this->lock->acquire(true);
        return $this->owner();
    }

    public function read(): string
    {
        while (!$this->lock->acquireRead(false)) {
            usleep(50000);
        }
        return $this->owner();
    }

    public function release(): void
    {
        $this->lock->release();
    }
}

class SymfonyLockOfPredis extends SymfonyLock
{
    protected function client(int $port)
    {
        return predis($port);
    }
}

/** Symfony's Semaphore: the weights of the holders, and when they end. */
class SymfonySemaphore
{
    private $semaphore;
    private $key;

    public function __construct(int $port, array $options)
    {
        $this->key = new Symfony\Component\Semaphore\Key('orders:42', $options['limit'] ?? 1, $options['weight'] ?? 1);
        $store = new Symfony\Component\Semaphore\Store\RedisStore(redis($port));
        $this->semaphore = new Symfony\Component\Semaphore\Semaphore($this->key, $store, 60.0, false);
    }

    public function acquire(): string
    {
        while (!$this->semaphore->acquire()) {
            usleep(50000);
        }
        return $this->key->getState(Symfony\Component\Semaphore\Store\RedisStore::class);
    }

    public function release(): void
    {
        $this->semaphore->release();
    }
}

/** Laravel's cache lock as Cache::lock($name, $seconds) makes it. */
class LaravelLock
{
    private $lock;

    public function __construct(int $port, array $options)
    {
        $store = new Illuminate\Cache\RedisStore(laravelRedis($port), 'shop_cache_', 'default');
        $this->lock = $store->lock('orders:42', $options['seconds'] ?? 60);
    }

    public function acquire(): string
    {
        $this->lock->block(120);
        return $this->lock->owner();
    }

    public function release(): void
    {
        if (!$this->lock->release()) {
            throw new RuntimeException('release() returned false');
        }
    }
}

/** Redis::funnel($name)->limit($n): a slot of several, each a key. */
class LaravelFunnel
{
    private $limiter;
    private $slot;
    private $id;

    public function __construct(int $port, array $options)
    {
        $connection = laravelRedis($port)->connection();
        $this->limiter = new Illuminate\Redis\Limiters\ConcurrencyLimiter($connection, 'reports-lock', $options['limit'] ?? 1, 60);
    }

    private function call(string $method, ...$words)
    {
        $half = new ReflectionMethod($this->limiter, $method);
        $half->setAccessible(true);
        return $half->invoke($this->limiter, ...$words);
    }

    public function acquire(): string
    {
        $this->id = Illuminate\Support\Str::random(20);
        while (!$this->slot = $this->call('acquire', $this->id)) {
            usleep(50000);
        }
        return $this->id;
    }

    public function release(): void
    {
        $this->call('release', $this->slot, $this->id);
    }
}

/** Cache::add(), with which Laravel's scheduler keeps an event from overlapping. */
class LaravelAdd
{
    private $store;
    private $options;

    public function __construct(int $port, array $options)
    {
        $this->store = new Illuminate\Cache\RedisStore(laravelRedis($port), 'shop_cache_', 'default');
        $this->options = $options;
    }

    public function acquire(): void
    {
        while (!$this->store->add($this->options['name'], $this->options['value'] ?? true, 3600)) {
            usleep(50000);
        }
    }

    public function release(): void
    {
        $this->store->forget($this->options['name']);
    }
}

/** The lock of an entry of Horde's hash table. */
class HordeLock
{
    private $table;

    public function __construct(int $port, array $options)
    {
        require_once '/usr/share/php/Horde/HashTable/Lock.php';
        require_once '/usr/share/php/Horde/HashTable/Predis.php';
        $this->table = new Horde_HashTable_Predis(['predis' => predis($port)]);
    }

    public function acquire(): void
    {
        $this->table->lock('orders');
    }

    public function release(): void
    {
        $this->table->unlock('orders');
    }
}

/** malkusch/lock holds its lock while a function runs; its two halves are called here one by one. */
class MalkuschLock
{
    private $mutex;

    public function __construct(int $port, array $options)
    {
        $this->mutex = $this->mutexOf($port);
    }

    protected function mutexOf(int $port)
    {
        return new malkusch\lock\mutex\PHPRedisMutex([redis($port)], 'orders:42', 30);
    }

    private function call(string $method)
    {
        $half = new ReflectionMethod($this->mutex, $method);
        $half->setAccessible(true);
        return $half->invoke($this->mutex);
    }

    public function acquire(): void
    {
        $this->call('lock');
    }

    public function release(): void
    {
        $this->call('unlock');
    }
}

class MalkuschLockOfPredis extends MalkuschLock
{
    protected function mutexOf(int $port)
    {
        return new malkusch\lock\mutex\PredisMutex([predis($port)], 'orders:42', 30);
    }
}

/** A session of phpredis with its lock, as a request of a web application has it. */
class SessionLock
{
    public function __construct(int $port, array $options)
    {
        ini_set('session.save_handler', 'redis');
        ini_set('session.save_path', "tcp://127.0.0.1:$port");
        ini_set('redis.session.locking_enabled', '1');
        ini_set('redis.session.lock_expire', $options['expire'] ?? '60');
        ini_set('redis.session.lock_wait_time', '50000');
        ini_set('redis.session.lock_retries', '-1');
        ini_set('session.use_cookies', '0');
        ini_set('session.cache_limiter', '');
        session_id('a1b2c3d4e5f6a7b8c9d0e1f2a3');
    }

    public function acquire(): string
    {
        if (!session_start()) {
            throw new RuntimeException('session_start() returned false');
        }
        $_SESSION['visits'] = ($_SESSION['visits'] ?? 0) + 1;
        return gethostname() . '|' . getmypid();
    }

    public function release(): void
    {
        if (!session_write_close()) {
            throw new RuntimeException('session_write_close() returned false');
        }
    }
}

const CLIENTS = ['symfony' => SymfonyLock::class, 'laravel' => LaravelLock::class, 'malkusch' => MalkuschLock::class,
    'session' => SessionLock::class, 'symfony-predis' => SymfonyLockOfPredis::class,
    'symfony-semaphore' => SymfonySemaphore::class, 'malkusch-predis' => MalkuschLockOfPredis::class,
    'laravel-funnel' => LaravelFunnel::class, 'laravel-add' => LaravelAdd::class, 'horde' => HordeLock::class];

function obeyUntilEndOfInput(string $mode, array $options, int $port): void
{
    $client = null;
    while (($line = fgets(STDIN)) !== false) {
        $order = json_decode($line, true);
        try {
            $client = $client ?? new (CLIENTS[$mode])($port, $options);
            $owner = $order['do'] === 'open' ? null : $client->{$order['do']}();
            say(['id' => $order['id'], 'done' => $owner === null ? new stdClass() : ['owner' => $owner]]);
        } catch (Throwable $problem) {
            say(['id' => $order['id'], 'error' => get_class($problem) . ': ' . $problem->getMessage()]);
        }
    }
}

function versionOf(string $package): string
{
    $version = trim((string) shell_exec('dpkg-query -W -f \'${Version}\' ' . escapeshellarg($package)));
    return preg_replace('/[+-].*/', '', $version);
}

/** A line per package that is not there; nothing when all are. */
function check(): int
{
    $missing = [];
    foreach (PACKAGES as [$package, $file]) {
        if ($file === null ? !extension_loaded('redis') : !file_exists($file)) {
            $missing[] = $package;
        }
    }
    if ($missing) {
        echo 'these packages are not installed: ', implode(' ', $missing), "\n";
    }
    return $missing ? 1 : 0;
}

function dispatch(array $arguments): void
{
    $clients = [];
    while (($line = fgets(STDIN)) !== false) {
        $name = json_decode($line, true)['client'];
        if (!isset($clients[$name])) {
            $command = array_merge([PHP_BINARY, __FILE__, '--client'], $arguments);
            $process = proc_open($command, [0 => ['pipe', 'r'], 1 => STDOUT, 2 => STDERR], $pipes);
            $clients[$name] = ['process' => $process, 'input' => $pipes[0]];
        }
        fwrite($clients[$name]['input'], $line);
        fflush($clients[$name]['input']);
    }
}

$arguments = array_slice($argv, 1);
error_reporting(E_ALL & ~E_DEPRECATED);
if ($arguments[0] === '--check') {
    exit(check());
}
$isClient = $arguments[0] === '--client';
if ($isClient) {
    array_shift($arguments);
}
[$package, $autoload] = PACKAGES[$arguments[0]];
if ($isClient) {
    if ($autoload !== null) {
        require_once $autoload;
    }
    if (strpos($arguments[0], 'laravel') === 0) {
        require_once '/usr/share/php/Illuminate/Redis/autoload.php';
    }
    obeyUntilEndOfInput($arguments[0], json_decode($arguments[1], true), (int) $arguments[2]);
} else {
    say(['ready' => ['library' => $package, 'version' => versionOf($package)]]);
    dispatch($arguments);
}
