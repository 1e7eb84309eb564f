import type { LimitFunction } from 'p-limit';
import { asSystem } from '../core/system-transaction.js';
import { DatabaseUnavailableError } from '../database/faults.js';
import { inLane } from '../database/lanes.js';
import { assignJobs } from '../engine/agents/assign-jobs.js';
import { planPass, type PassPlan, type WaitingAgent } from '../engine/agents/plan-pass.js';
import type { Services } from '../services.js';

/** An agent that waits on its stream for a job. */
export interface Waiter extends WaitingAgent {
  /** Takes the offer to the agent; it waits no longer. */
  offer(jobId: string): void;
  /** Looks at the agent again: it could not be offered what was planned. */
  look(): void;
}

/** First and longest pause before a pass is tried again whose jobs or agents were locked. */
const firstRetryMs = 20;
const longestRetryMs = 1_000;

/**
 * The agents of one queue that wait in this process, and the passes that serve them: one at a time, however often and by
 * however many the queue is woken, so that one job that becomes ready does not make every agent look for it.
 */
export class QueuePasses {
  /** Streams of its agents, idle or not. */
  streams = 0;
  private readonly waiting = new Map<string, Waiter>();
  private running = false;
  private again = false;
  private timer: NodeJS.Timeout | undefined;
  private timerAt = Number.POSITIVE_INFINITY;
  private retryMs = firstRetryMs;

  constructor(
    private readonly services: Services,
    private readonly queueId: string,
    private readonly hooks: {
      /** Passes of all queues share a few connections. */
      turns: LimitFunction;
      /** Runs before a pass. */
      before: () => Promise<void>;
      /** Counts a pass and its offers. */
      count: (offers: number) => void;
    },
  ) {}

  get size(): number {
    return this.waiting.size;
  }

  /** The agent waits from now on. It may have a job to find: {@link wake} says so. */
  add(waiter: Waiter): void {
    this.waiting.set(waiter.id, waiter);
  }

  remove(waiter: Waiter): void {
    if (this.waiting.get(waiter.id) === waiter) this.waiting.delete(waiter.id);
    if (this.waiting.size === 0) this.disarm();
  }

  /** There may be a job for the agents that wait. */
  wake(): void {
    if (this.waiting.size === 0) return;
    this.again = true;
    if (this.running) return;
    this.running = true;
    void inLane('agents', () => this.run());
  }

  stop(): void {
    this.waiting.clear();
    this.disarm();
  }

  private async run(): Promise<void> {
    try {
      while (this.again && this.waiting.size > 0) {
        this.again = false;
        await this.hooks.turns(() => this.pass());
      }
    } finally {
      this.running = false;
    }
  }

  /** Never rejects: the pass is made again a little later. */
  private async pass(): Promise<void> {
    if (this.waiting.size === 0) return;
    try {
      await this.hooks.before();
      const now = this.services.clock.now();
      const plan = await planPass(this.services.db, this.queueId, [...this.waiting.values()], now);
      this.hooks.count(plan ? await this.carryOut(plan) : 0);
      if (plan?.leftUntil) this.wakeIn(plan.leftUntil.getTime() - now.getTime() + 1);
    } catch (error) {
      const level = error instanceof DatabaseUnavailableError ? 'warn' : 'error';
      this.services.log[level]({ queue: this.queueId, err: error }, 'a queue could not be served');
      this.wakeIn(longestRetryMs);
    }
  }

  private async carryOut({ offers, more }: PassPlan): Promise<number> {
    if (offers.length === 0) return 0;
    const made = await asSystem(this.services, 'dispatch', (context) => assignJobs(context, this.queueId, offers));
    for (const { job, agentId } of offers) {
      const waiter = this.waiting.get(agentId);
      if (made.get(job.id) !== agentId) waiter?.look();
      else if (waiter) {
        this.waiting.delete(agentId);
        waiter.offer(job.id);
      }
    }
    if (made.size === offers.length) {
      this.retryMs = firstRetryMs;
      if (more) this.again = true;
    } else {
      // Locked by others, who are done soon; the jobs that were free are gone, so that the next plan has others.
      if (made.size > 0) this.retryMs = firstRetryMs;
      this.wakeIn(this.retryMs * (0.75 + Math.random() / 2));
      this.retryMs = Math.min(this.retryMs * 2, longestRetryMs);
    }
    return made.size;
  }

  private wakeIn(milliseconds: number): void {
    const at = performance.now() + Math.max(0, milliseconds);
    if (at >= this.timerAt) return;
    this.disarm();
    this.timerAt = at;
    this.timer = setTimeout(
      () => {
        this.disarm();
        this.wake();
      },
      Math.max(0, milliseconds),
    ).unref();
  }

  private disarm(): void {
    clearTimeout(this.timer);
    this.timerAt = Number.POSITIVE_INFINITY;
  }
}
