<?php
// The adapters of Laravel: its connection to Redis.
//
// Options: client=predis  by Predis, not by phpredis

require __DIR__ . '/dialogue.php';
require 'Illuminate/Cache/autoload.php';
require 'Illuminate/Redis/autoload.php';

use Illuminate\Redis\RedisManager;

function laravelRedis(): RedisManager
{
    $server = ['host' => HOST, 'port' => PORT, 'database' => 0];
    $redis = new RedisManager(null, OPTIONS['client'] ?? 'phpredis', ['default' => $server]);
    $redis->connection()->ping();
    return $redis;
}
