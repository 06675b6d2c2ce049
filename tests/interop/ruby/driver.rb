# Drives the Ruby libraries of Debian for tests/interop/run.py: driver.rb MODE OPTIONS PORT...
# One class per mode. Its methods are the orders; what they return is the owner. See suite/driver.py.

require 'json'

PACKAGES = {
  'rails-cache' => ['ruby-activesupport', 'active_support'],
  'reliable-fetch' => ['ruby-gitlab-sidekiq-fetcher', 'sidekiq/base_reliable_fetch'],
  'redis-rb' => ['ruby-redis', 'redis']
}.freeze

# Rails.cache.write(name, value, unless_exist: true): the value is marshalled.
class RailsCache
  def initialize(port, options)
    require 'active_support'
    require 'active_support/cache'
    require 'active_support/cache/redis_cache_store'
    @cache = ActiveSupport::Cache::RedisCacheStore.new(url: "redis://127.0.0.1:#{port}/0", namespace: 'shop')
    @value = options.fetch('value', true)
  end

  def acquire
    sleep 0.05 until @cache.write('lock:orders:42', @value, unless_exist: true, expires_in: 60)
    nil
  end

  def release
    @cache.delete('lock:orders:42')
    nil
  end
end

# The lease of the worker of GitLab's Sidekiq that puts back the jobs of dead ones.
class ReliableFetch
  def initialize(port, _options)
    require 'sidekiq'
    require 'sidekiq/base_reliable_fetch'
    Sidekiq.configure_client { |config| config.redis = { url: "redis://127.0.0.1:#{port}/0" } }
    @fetch = Sidekiq::BaseReliableFetch.new(queues: ['default'], lease_interval: 0)
  end

  def acquire
    sleep 0.05 until @fetch.send(:take_lease)
    nil
  end
end

# What is written by hand with redis-rb: SET NX EX with host, process and a random number.
class ByHand
  def initialize(port, _options)
    require 'redis'
    require 'securerandom'
    @redis = Redis.new(host: '127.0.0.1', port: port)
    @owner = "app-1:#{Process.pid}:#{SecureRandom.hex(6)}"
  end

  def acquire
    sleep 0.05 until @redis.set('lock:orders:42', @owner, nx: true, ex: 60)
    @owner
  end

  def release
    raise 'the lock is gone' unless @redis.get('lock:orders:42') == @owner

    @redis.del('lock:orders:42')
    nil
  end
end

CLASSES = { 'rails-cache' => RailsCache, 'reliable-fetch' => ReliableFetch, 'redis-rb' => ByHand }.freeze
OUTPUT = Mutex.new

def say(message)
  OUTPUT.synchronize { $stdout.puts JSON.generate(message); $stdout.flush }
end

# A line with all packages that are not there; nothing when all are.
def check
  missing = PACKAGES.values.reject do |_, file|
    require file
    true
  rescue LoadError
    false
  end
  puts "these packages are not installed: #{missing.map(&:first).join(' ')}" unless missing.empty?
  missing.empty? ? 0 : 1
end

# Obeys the orders to one client, in a thread of its own.
def obey(orders, mode, options, port)
  client = nil
  while (order = orders.pop)
    begin
      client ||= CLASSES.fetch(mode).new(port, options)
      owner = order['do'] == 'open' ? nil : client.public_send(order['do'])
      say('id' => order['id'], 'done' => owner ? { 'owner' => owner } : {})
    rescue StandardError => e
      say('id' => order['id'], 'error' => "#{e.class}: #{e.message}")
    end
  end
end

exit check if ARGV[0] == '--check'
mode, options, port = ARGV[0], JSON.parse(ARGV[1]), ARGV[2].to_i
version = `dpkg-query -W -f '${Version}' #{PACKAGES.fetch(mode).first}`.sub(/\A\d+:/, '').sub(/[+-].*/, '')
say('ready' => { 'library' => PACKAGES.fetch(mode).first, 'version' => version })
clients = {}
$stdin.each_line do |line|
  order = JSON.parse(line)
  clients[order['client']] ||= Queue.new.tap { |orders| Thread.new { obey(orders, mode, options, port) } }
  clients[order['client']] << order
end
