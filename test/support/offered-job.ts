import { setTimeout as sleep } from 'node:timers/promises';

const mostPings = 200;
const pauseMs = 50;

/** Pings until a job is offered, and gives its id: on a busy machine the first ping may come before it. */
export async function offeredJob(ping: () => Promise<{ job?: { id: string } | null }>): Promise<string> {
  for (let tries = 0; tries < mostPings; tries += 1) {
    const { job } = await ping();
    if (job) return job.id;
    await sleep(pauseMs);
  }
  throw new Error('no job was offered');
}
