import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { AgentExit, AgentOptions } from '../../src/agent/options.js';
import { startAgent } from '../../src/agent/session/start-agent.js';
import { FakeControlPlane, type FakeJob } from './fake-control-plane.js';

/** A fake server, a folder for checkouts, and agents to start against them; `dispose` ends all. */
export class AgentOnFake {
  private readonly running: { stopNow: AbortController; exit: Promise<AgentExit> }[] = [];

  private constructor(
    readonly plane: FakeControlPlane,
    readonly buildPath: string,
  ) {}

  static async open(): Promise<AgentOnFake> {
    return new AgentOnFake(await FakeControlPlane.start(), await mkdtemp(join(tmpdir(), 'agent-test-')));
  }

  /** Starts an agent whose waits between retries are a thousandth of the real ones. */
  start(options: Partial<AgentOptions> = {}): {
    exit: Promise<AgentExit>;
    stop: AbortController;
    stopNow: AbortController;
  } {
    const stop = new AbortController();
    const stopNow = new AbortController();
    const exit = startAgent(
      {
        endpoint: this.plane.endpoint,
        token: this.plane.registrationToken,
        buildPath: this.buildPath,
        retryScale: 0.001,
        version: '1.2.3',
        ...options,
      },
      stop.signal,
      stopNow.signal,
    );
    this.running.push({ stopNow, exit });
    return { exit, stop, stopNow };
  }

  /** Runs one job to its finish call with an agent of its own. */
  async run(job: FakeJob, options: Partial<AgentOptions> = {}): Promise<FakeJob & { finish: Record<string, unknown> }> {
    const { exit } = this.start({ disconnectAfterJob: true, ...options });
    await exit;
    if (job.finish === undefined) throw new Error('the job never finished');
    return job as FakeJob & { finish: Record<string, unknown> };
  }

  async dispose(): Promise<void> {
    for (const { stopNow } of this.running) stopNow.abort();
    await Promise.allSettled(this.running.map(({ exit }) => exit));
    await this.plane.stop();
    await rm(this.buildPath, { recursive: true, force: true });
  }
}
