# How long code takes.
module Benchmark
  Tms = Struct.new(:utime, :stime, :cutime, :cstime, :real, :total, :label)

  def self.realtime
    start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
    yield
    Process.clock_gettime(Process::CLOCK_MONOTONIC) - start
  end

  def self.measure(label = '')
    real = realtime { yield }
    Tms.new(0.0, 0.0, 0.0, 0.0, real, 0.0, label)
  end
end
