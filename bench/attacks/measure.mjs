// What attacks share: addresses of the seeded organization, and how a server is measured while it is attacked.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { cpuOf } from '../harness/processes.mjs';

export const pipelines = (url) => `${url}/v2/organizations/bench/pipelines`;
export const builds = (url) => `${pipelines(url)}/app/builds`;

/** Argument that makes a server measure its event loop; it needs `ipc` to tell of it. */
export const monitorArgument = `--import=${new URL('./server-monitor.mjs', import.meta.url).href}`;

/** Measures a server: `during(work)` gives what it measured while `work` ran; `stop` ends the process that asks. */
export function startMeasuring({ url, pid, child }) {
  const poller = fork(fileURLToPath(new URL('./poller.mjs', import.meta.url)), [url]);
  try {
    // The process that asks is not to wait for those that attack.
    setPriority(poller.pid, -10);
  } catch {
    // Only the superuser may.
  }
  const read = async () => {
    poller.send('read');
    child.send('read');
    const [[health], [loop]] = await Promise.all([once(poller, 'message'), once(child, 'message')]);
    return { health, loop };
  };
  return {
    async during(work) {
      await read();
      const cpu = cpuOf(pid);
      await work();
      const used = cpuOf(pid) - cpu;
      const { health, loop } = await read();
      return {
        healthz: health,
        loop_longest_cpu_ms: Math.round(loop.cpu_ms),
        loop_longest_clock_ms: Math.round(loop.clock_ms),
        server_cpu_ms: used,
      };
    },
    async stop() {
      const ended = once(poller, 'exit');
      poller.disconnect();
      await ended;
    },
  };
}
