<?php
// Waits of 30 seconds, each begun by its name on a line; answers with the seconds that the clocks say it took.

function emptyStream()
{
    static $kept = [];
    $kept[] = $pair = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
    return $pair[0];
}

$waits = [
    'sleep' => fn() => sleep(30),
    'usleep' => fn() => usleep(30000000),
    'select' => function () {
        $read = [emptyStream()];
        $write = $except = null;
        stream_select($read, $write, $except, 30);
    },
    'socket' => function () {
        $stream = emptyStream();
        stream_set_timeout($stream, 30);
        fread($stream, 1);
    },
];

echo 'ready ' . implode(' ', array_keys($waits)) . "\n";
while (($line = fgets(STDIN)) !== false) {
    $monotonic = hrtime(true);
    $wall = microtime(true);
    $waits[trim($line)]();
    echo (hrtime(true) - $monotonic) / 1e9 . ' ' . (microtime(true) - $wall) . "\n";
}
