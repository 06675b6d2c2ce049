<?php
// What every PHP adapter shares: it reads words, does them one after the other, and prints the answers. docs/adapters.md tells the
// protocol. An adapter is an object with newLock($key), acquire($lock) and release($lock), and as many of extend($lock), held($lock),
// read($lock), which acquires as a reader, and forget($lock) as its library has. They get the lock object of this thread and key.
// `false` and an exception of the class that its constant NOT_HELD names mean no.

const LOCK_WORDS = ['acquire', 'release', 'extend', 'held'];

function setting(string $name, string $otherwise): string
{
    return getenv("LOCKSCOPE_$name") ?: $otherwise;
}

function optionsOf(string $text): array
{
    $options = [];
    foreach (preg_split('/\s+/', $text, -1, PREG_SPLIT_NO_EMPTY) as $word) {
        [$name, $value] = explode('=', $word, 2) + [1 => ''];
        $options[$name] = $value;
    }
    return $options;
}

define('LEASE', setting('LEASE_MS', '3000') / 1000);
define('WAIT', setting('WAIT_MS', '1000') / 1000);
define('HOST', setting('HOST', '127.0.0.1'));
define('PORT', (int) setting('PORT', '6379'));
define('PROCESS', setting('PROCESS', 'A'));
define('OPTIONS', optionsOf(setting('ADAPTER_OPTIONS', '')));
// For libraries that count whole seconds.
define('LEASE_IN_SECONDS', (int) max(1, round(LEASE)));
define('WAIT_IN_SECONDS', (int) max(1, ceil(WAIT)));

function say(string $line): void
{
    fwrite(STDOUT, "$line\n");
}

function phpredis(): Redis
{
    $redis = new Redis();
    $redis->connect(HOST, PORT);
    return $redis;
}

function predis(): Predis\Client
{
    require_once 'Predis/autoload.php';
    $client = new Predis\Client(['host' => HOST, 'port' => PORT]);
    $client->ping();
    return $client;
}

/** For a library whose waiters cannot give up: tries, every 0.1 s. */
function tryUntilWaitIsOver(callable $try): bool
{
    $end = microtime(true) + WAIT;
    while (!($acquired = $try()) && microtime(true) < $end) {
        usleep(100000);
    }
    return $acquired;
}

/** Warnings, and whatever a library prints, belong to the standard error. */
function keepStandardOutputClean(): void
{
    error_reporting(E_ALL & ~E_DEPRECATED);
    ini_set('display_errors', 'stderr');
    ini_set('log_errors', '0');
    ini_set('html_errors', '0');
    ob_start(function (string $text): string {
        fwrite(STDERR, $text);
        return '';
    }, 1);
}

/** A lock that a library holds while a function runs: in a fiber, which is suspended until release. */
class Section
{
    private static $forgotten = [];
    private $fiber = null;

    public function enter(callable $holdWhile): void
    {
        $this->forget();
        $fiber = new Fiber(fn () => $holdWhile(fn () => Fiber::suspend()));
        $fiber->start();
        $this->fiber = $fiber;
    }

    /** False if there is none. */
    public function leave(): bool
    {
        $fiber = $this->fiber;
        $this->fiber = null;
        $fiber?->resume();
        return $fiber !== null;
    }

    /** A fiber that nobody knows any more would end, and give its lock back. */
    public function forget(): void
    {
        self::$forgotten[] = $this->fiber;
        $this->fiber = null;
    }
}

class Dialogue
{
    private $locks = [];

    public function __construct(private object $adapter)
    {
    }

    public function obey(string $word, string $thread, array $rest): void
    {
        say("$thread " . ($word === 'reset' ? $this->reset() : $this->answerTo($word, $thread, ...$rest)));
    }

    private function reset(): string
    {
        if (method_exists($this->adapter, 'forget')) {
            array_map([$this->adapter, 'forget'], $this->locks);
        }
        $this->locks = [];
        return 'yes';
    }

    private function answerTo(string $word, string $thread, string $key, string $mode = 'write'): string
    {
        try {
            $lock = $this->locks["$thread $key"] ??= $this->adapter->newLock($key);
            return $this->adapter->{$mode === 'read' ? 'read' : $word}($lock) === false ? 'no' : 'yes';
        } catch (Throwable $problem) {
            return $this->failure($problem);
        }
    }

    private function failure(Throwable $problem): string
    {
        $notHeld = defined($this->adapter::class . '::NOT_HELD') ? $this->adapter::NOT_HELD : '';
        return $problem instanceof $notHeld ? 'no'
            : preg_replace('/\s+/', ' ', 'error ' . $problem::class . ": {$problem->getMessage()}");
    }
}

/** PHP does one thing at a time: a thread is only the name of who has a lock object. */
function serve(string $adapterClass): void
{
    keepStandardOutputClean();
    $adapter = new $adapterClass();
    $dialogue = new Dialogue($adapter);
    $known = array_filter([...LOCK_WORDS, 'read'], fn (string $word) => method_exists($adapter, $word));
    say(implode(' ', ['ready', ...$known, 'reset']));
    while (($line = fgets(STDIN)) !== false) {
        $words = preg_split('/\s+/', $line, -1, PREG_SPLIT_NO_EMPTY);
        if (count($words) >= 2) {
            $dialogue->obey($words[0], $words[1], array_slice($words, 2));
        }
    }
}
