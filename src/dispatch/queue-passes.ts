import type { LimitFunction } from 'p-limit';
import { asSystem } from '../core/system-transaction.js';
import { DatabaseUnavailableError } from '../database/faults.js';
import { inLane } from '../database/lanes.js';
import { assignJobs } from '../engine/agents/assign-jobs.js';
import { makeOffers } from '../engine/agents/make-offers.js';
import { type PassHooks, planPass, type PassPlan, type WaitingAgent } from '../engine/agents/plan-pass.js';
import { Activity } from '../services/activity.js';
import type { Services } from '../services/services.js';

/** An agent that waits on its stream for a job. */
export interface Waiter extends WaitingAgent {
  /** Takes the offer to the agent; it waits no longer. */
  offer(jobId: string): void;
  /** Looks at the agent again: it could not be offered what was planned. */
  look(): void;
  /** A pass that knew of the agent has nothing for it; an agent on its stream waits on. */
  pass?(outcome: 'nothing' | 'failed'): void;
}

/** First and longest pause before a pass is tried again whose jobs or agents were locked. */
const firstRetryMs = 20;
const longestRetryMs = 1_000;
/** Longest time that a ping whose agent does not wait on a stream is kept without an answer. */
const longestPingMs = 2_000;

/**
 * The agents of one queue that wait in this process, and the passes that serve them: one at a time, however often and
 * by however many the queue is woken, so that one job that becomes ready does not make every agent look for it.
 */
export class QueuePasses {
  /** Streams of its agents, idle or not. */
  streams = 0;
  private readonly waiting = new Map<string, Waiter>();
  /** When agents began to wait here, in milliseconds; an agent that could not be offered its job waits on. */
  private readonly waitingSince = new Map<string, number>();
  /** When the queue was last found to dispatch nothing, such as while it is paused. */
  private idleAt = 0;
  /** Answers to agents that do not wait on. */
  private readonly asked = new Map<string, Promise<string | null>>();
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
      /** Begins a pass: what it is to tell and to wait for. */
      begin: () => PassHooks;
      /** Counts a pass and its offers. */
      count: (offers: number) => void;
    },
  ) {}

  get size(): number {
    return this.waiting.size;
  }

  /** The agent waits from now on. It may have a job to find: {@link wake} says so. */
  add(waiter: Waiter): void {
    this.waiting.get(waiter.id)?.pass?.('nothing');
    this.waiting.set(waiter.id, waiter);
    if (!this.waitingSince.has(waiter.id)) this.waitingSince.set(waiter.id, this.services.clock.now().getTime());
  }

  remove(waiter: Waiter): void {
    if (this.waiting.get(waiter.id) === waiter) this.takeOut(waiter.id);
    if (this.waiting.size === 0) this.disarm();
  }

  /**
   * Serves an agent that does not wait on: resolves to the job that the next pass offers it, to null if that has none
   * for it. Undefined, without a pass, for an agent that waits on its stream; rejects if the pass failed.
   */
  ask(agent: WaitingAgent): Promise<string | null> | undefined {
    const request = this.asked.get(agent.id);
    if (request) return request;
    if (this.waiting.has(agent.id)) return undefined;
    const answer = new Promise<string | null>((resolve, reject) => {
      const end = () => {
        clearTimeout(timer);
        this.remove(waiter);
        this.asked.delete(agent.id);
      };
      const settle = (jobId: string | null) => {
        end();
        resolve(jobId);
      };
      const waiter: Waiter = {
        ...agent,
        offer: settle,
        look: () => undefined,
        pass: (outcome) => {
          if (outcome === 'nothing') return settle(null);
          end();
          reject(new Error('the queue could not be served'));
        },
      };
      const timer = setTimeout(() => settle(null), longestPingMs).unref();
      this.add(waiter);
    });
    this.asked.set(agent.id, answer);
    this.wake();
    return answer;
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
    for (const waiter of [...this.waiting.values()]) waiter.pass?.('nothing');
    this.waiting.clear();
    this.waitingSince.clear();
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
    let known: Waiter[] = [];
    const dismiss = (outcome: 'nothing' | 'failed') => {
      for (const waiter of known) if (this.waiting.get(waiter.id) === waiter) waiter.pass?.(outcome);
    };
    try {
      const now = this.services.clock.now();
      known = [...this.waiting.values()];
      const plan = await planPass(this.services.db, this.queueId, known, now, this.hooks.begin());
      if (!plan) this.idleAt = now.getTime();
      const offerOutcome = plan ? await this.carryOut(plan) : { offers: 0, isOver: true };
      this.hooks.count(offerOutcome.offers);
      if (plan?.leftUntil) this.wakeIn(plan.leftUntil.getTime() - now.getTime() + 1);
      if (offerOutcome.isOver) dismiss('nothing');
    } catch (error) {
      dismiss('failed');
      const level = error instanceof DatabaseUnavailableError ? 'warn' : 'error';
      this.services.log[level]({ queue: this.queueId, err: error }, 'a queue could not be served');
      this.wakeIn(longestRetryMs);
    }
  }

  /** Makes the offers, each attempt in a transaction. `isOver`: agents that got none will get none soon. */
  private async carryOut(plan: PassPlan): Promise<{ offers: number; isOver: boolean }> {
    const { offers, end } = await makeOffers(
      plan,
      (planned) =>
        asSystem(this.services, 'dispatch', (context) =>
          assignJobs(context, this.queueId, planned, (agentId) => this.asked.has(agentId)),
        ),
      {
        onMade: ({ job, agentId }) => {
          const waiter = this.waiting.get(agentId);
          this.noteLatency(job.runnableAt ?? job.scheduledAt, agentId);
          this.takeOut(agentId);
          waiter?.offer(job.id);
        },
        onMissed: ({ agentId }) => this.waiting.get(agentId)?.look(),
      },
    );
    if (end === 'complete') {
      this.retryMs = firstRetryMs;
      if (plan.more) this.again = true;
      return { offers, isOver: !plan.more };
    }
    if (end === 'held') {
      // Locked by others, who are done soon; the jobs that were free are gone, so that the next plan has others.
      if (offers > 0) this.retryMs = firstRetryMs;
      this.wakeIn(this.retryMs * (0.75 + Math.random() / 2));
      this.retryMs = Math.min(this.retryMs * 2, longestRetryMs);
    }
    return { offers, isOver: end === 'nothing' };
  }

  private takeOut(agentId: string): void {
    this.waiting.delete(agentId);
    this.waitingSince.delete(agentId);
  }

  /** Counts for how long both the job and the agent were there, in a queue that dispatches. */
  private noteLatency(runnableAt: Date, agentId: string): void {
    const since = Math.max(runnableAt.getTime(), this.waitingSince.get(agentId) ?? 0, this.idleAt);
    const milliseconds = this.services.clock.now().getTime() - since;
    Activity.of(this.services).dispatchLatency.observe(Math.max(0, milliseconds) / 1000);
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
