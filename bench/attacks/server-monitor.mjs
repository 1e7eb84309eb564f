// Preloaded into a server under attack (`node --import`): measures the longest unbroken stretch of its event loop, in CPU
// time of its main thread, which other work on the machine does not stretch, and in time of the clock.
// The parent process sends any message and gets both maxima since its last one.
import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

if (isMainThread && process.send) {
  const file = `/proc/self/task/${process.pid}/schedstat`;
  const cpuMs = () => Number(readFileSync(file, 'utf8').split(' ')[0]) / 1e6;
  let cpu = cpuMs();
  let clock = performance.now();
  let longest = { cpu_ms: 0, clock_ms: 0 };
  const measure = () => {
    const nowCpu = cpuMs();
    const now = performance.now();
    longest = { cpu_ms: Math.max(longest.cpu_ms, nowCpu - cpu), clock_ms: Math.max(longest.clock_ms, now - clock) };
    [cpu, clock] = [nowCpu, now];
  };
  setInterval(measure, 2).unref();
  process.on('message', () => {
    measure();
    process.send(longest);
    longest = { cpu_ms: 0, clock_ms: 0 };
  });
  process.channel.unref();
}
