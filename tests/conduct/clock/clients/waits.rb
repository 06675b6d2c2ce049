# Waits of 30 seconds, each begun by its name on a line; answers with the seconds that the clocks say it took.
require "timeout"

$stdout.sync = true
SPAN = 30

def wait_for_condition
  mutex = Mutex.new
  mutex.synchronize { ConditionVariable.new.wait(mutex, SPAN) }
end

def wait_for_timeout
  Timeout.timeout(SPAN) { IO.pipe[0].read }
rescue Timeout::Error
  nil
end

WAITS = {
  "sleep" => -> { sleep SPAN },
  "condition" => -> { wait_for_condition },
  "timeout" => -> { wait_for_timeout },
  "select" => -> { IO.select([IO.pipe[0]], nil, nil, SPAN) }
}.freeze

puts "ready #{WAITS.keys.join(' ')}"
while (line = $stdin.gets)
  monotonic = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  wall = Time.now
  WAITS.fetch(line.strip).call
  puts "#{Process.clock_gettime(Process::CLOCK_MONOTONIC) - monotonic} #{Time.now - wall}"
end
