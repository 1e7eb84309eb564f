import { setMaxListeners } from 'node:events';
import { join } from 'node:path';
import { killRunningPrograms } from '../../agent/job/process.js';
import { startAgent } from '../../agent/session/start-agent.js';
import { isTerminal } from '../../domain/builds/job-state.js';
import type { Logger } from '../../services/services.js';
import type { FollowedJob } from './followed-build.js';

interface Slot {
  jobId: string;
  /** Aborted: the agent of the slot leaves once its job has ended. */
  leave: AbortController;
  ended: Promise<void>;
}

export interface JobSlotsOptions {
  endpoint: string;
  agentToken: string;
  /** Holds the checkouts and plugins. */
  folder: string;
  count: number;
  cancelGracePeriod: number;
  /** The repository that jobs clone. */
  repository: string;
  /** Whether the agents name their queue, which is not the default one. */
  namesQueue: boolean;
  log: Logger;
}

/** How often an agent may fail to take a job before the build is given up. */
const maxFailures = 3;

/**
 * Runs the jobs that the scheduler has made ready, a bundled agent for each. An agent acquires its job instead of being
 * offered it, because this machine takes every job, whatever agents it asks for.
 */
export class JobSlots {
  private readonly slots: (Slot | null)[];
  private readonly failures = new Map<string, number>();
  private readonly stopNow = new AbortController();
  private fail: (error: unknown) => void = () => undefined;
  /** Rejects once an agent could not take its job. */
  readonly failed: Promise<never>;

  constructor(private readonly options: JobSlotsOptions) {
    this.failed = new Promise<never>((_resolve, reject) => {
      this.fail = reject;
    });
    // Nobody may be waiting when it rejects.
    this.failed.catch(() => undefined);
    this.slots = Array.from({ length: options.count }, () => null);
    setMaxListeners(0, this.stopNow.signal);
  }

  /** Starts ready jobs in free slots, those of higher priority first, and lets the agents of ended jobs leave. */
  fill(jobs: readonly FollowedJob[]): void {
    const states = new Map(jobs.map(({ id, state }) => [id, state]));
    for (const slot of this.slots) {
      const state = slot && states.get(slot.jobId);
      if (state && isTerminal(state)) slot.leave.abort();
    }
    if (this.stopNow.signal.aborted) return;
    const jobIds = new Set(this.slots.map((slot) => slot?.jobId));
    const ready = jobs
      .filter(({ id, type, state }) => type === 'command' && state === 'scheduled' && !jobIds.has(id))
      .sort((a, b) => b.priority - a.priority);
    for (const job of ready) {
      const free = this.slots.indexOf(null);
      if (free < 0) return;
      this.start(free, job);
    }
  }

  /** Ends every running job: SIGTERM, and SIGKILL after the grace period. */
  stop(): void {
    this.stopNow.abort();
  }

  /** Kills what still runs, for a process that ends now. */
  kill(): void {
    killRunningPrograms();
  }

  /** Resolves once no agent runs. */
  async idle(): Promise<void> {
    await Promise.all(this.slots.map((slot) => slot?.ended));
  }

  private start(index: number, job: FollowedJob): void {
    const { endpoint, agentToken: token, folder, cancelGracePeriod, repository, namesQueue, log } = this.options;
    const leave = new AbortController();
    const run = async (): Promise<void> => {
      const exit = await startAgent(
        {
          endpoint,
          token,
          name: `local-${index + 1}`,
          // The only queue of a server in this process is the default one, which agents without the tag join.
          tags: job.agentQueryRules.filter((rule) => !rule.includes('*') && (namesQueue || !rule.startsWith('queue='))),
          repository,
          buildPath: join(folder, 'builds'),
          pluginsPath: join(folder, 'plugins'),
          cancelGracePeriod,
          acquireJob: job.id,
          log,
        },
        leave.signal,
        this.stopNow.signal,
      );
      this.slots[index] = null;
      if (exit.code === 0) return;
      const failures = (this.failures.get(job.id) ?? 0) + 1;
      this.failures.set(job.id, failures);
      if (failures >= maxFailures) throw new Error(exit.message ?? 'the bundled agent failed');
    };
    this.slots[index] = { jobId: job.id, leave, ended: run().catch((error: unknown) => this.fail(error)) };
  }
}
