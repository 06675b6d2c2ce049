# A lock by an entry of Rails.cache, written unless it exists, in its store for Redis. Nobody waits, and an entry has no owner: whoever has
# written it deletes it. The store keeps it to itself when the server does not answer, and says false.

require_relative 'dialogue'
require 'active_support'
require 'active_support/cache'
require 'active_support/cache/redis_cache_store'

class RailsCache
  Entry = Struct.new(:name, :written)

  def initialize
    @cache = ActiveSupport::Cache::RedisCacheStore.new(url: URL)
    @cache.redis.ping
  end

  def new_lock(name)
    Entry.new(name, false)
  end

  def acquire(entry)
    entry.written = try_until_wait_is_over { @cache.write(entry.name, true, unless_exist: true, expires_in: LEASE) }
  end

  # This version says how many entries it has deleted, which is no false when there was none.
  def release(entry)
    written, entry.written = entry.written, false
    written && @cache.delete(entry.name) == 1
  end
end

serve(RailsCache.new)
