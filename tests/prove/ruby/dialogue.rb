# What every Ruby adapter shares: it reads words, has the named thread do them, and prints the answers. docs/adapters.md tells the
# protocol. An adapter is an object with new_lock(key), acquire(lock) and release(lock), which get the lock object of this thread and key.
# `false` means no.

LEASE = Integer(ENV.fetch('LOCKSCOPE_LEASE_MS', '3000')) / 1000.0
WAIT = Integer(ENV.fetch('LOCKSCOPE_WAIT_MS', '1000')) / 1000.0
URL = ENV.fetch('LOCKSCOPE_URL', 'redis://127.0.0.1:6379/0')

# The real standard output. Whatever a library prints there goes to the standard error instead.
ANSWERS = $stdout.dup
ANSWERS.sync = true
$stdout.reopen($stderr)

# For a library in which nobody waits: tries, every 0.1 s.
def try_until_wait_is_over
  now = -> { Process.clock_gettime(Process::CLOCK_MONOTONIC) }
  deadline = now.call + WAIT
  sleep 0.1 until (acquired = yield) || now.call >= deadline
  acquired
end

# A thread that does what it is told, in order. Its running call can be interrupted at any point of it, as Timeout does it.
class Caller
  def initialize(name, round)
    @name = name
    @round = round
    @orders = Queue.new
    @guard = Mutex.new
    @runs = false
    @thread = Thread.new { Thread.handle_interrupt(Interrupt => :never) { obey_all } }
  end

  def order(word, key)
    @orders << [word, key]
  end

  def interrupt
    @guard.synchronize { @thread.raise(Interrupt, 'interrupted') if @runs }
  end

  def end
    @orders.close
  end

  private

  def obey_all
    while (word, key = @orders.pop)
      @guard.synchronize { @runs = true }
      text = answer(word, key)
      @guard.synchronize { @runs = false }
      drop_late_interrupt
      @round.say("#{@name} #{text}")
    end
  end

  def answer(word, key)
    Thread.handle_interrupt(Interrupt => :immediate) { @round.call(@name, word, key) } ? 'yes' : 'no'
  rescue StandardError, Interrupt => e
    "error #{e.class}: #{e.message.split.join(' ')}"
  end

  # What came too late must not hit the next call.
  def drop_late_interrupt
    Thread.handle_interrupt(Interrupt => :immediate) {}
  rescue Interrupt
    nil
  end
end

# The threads and lock objects between two resets.
class Round
  def initialize(adapter)
    @adapter = adapter
    @locks = {}
    @callers = {}
    @ended = false
  end

  def order(word, thread, key)
    caller = @callers[thread] ||= Caller.new(thread, self)
    word == 'interrupt' ? caller.interrupt : caller.order(word, key)
  end

  def call(thread, word, key)
    @adapter.public_send(word, @locks["#{thread} #{key}"] ||= @adapter.new_lock(key))
  end

  def say(line)
    ANSWERS.write("#{line}\n") unless @ended
  end

  def end
    @ended = true
    @callers.each_value(&:end)
  end
end

def serve(adapter)
  round = Round.new(adapter)
  ANSWERS.write("ready acquire release interrupt reset\n")
  $stdin.each_line do |line|
    word, thread, key = line.split
    next unless thread

    if word == 'reset'
      round.end
      round = Round.new(adapter)
      ANSWERS.write("#{thread} yes\n")
    else
      round.order(word, thread, key)
    end
  end
  exit!(0) # a thread may be in the middle of a call
end
