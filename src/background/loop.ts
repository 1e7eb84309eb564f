import { setTimeout as sleep } from 'node:timers/promises';
import type { Services } from '../services/services.js';
import { DatabaseUnavailableError } from '../database/faults.js';
import type { Task } from './tasks.js';

/** A burst of wakes makes one round. */
const coalesceMs = 20;
/** Pauses after failures: within ten seconds of the database being back everything runs again. */
const firstBackOffMs = 250;
const longestBackOffMs = 5_000;

/**
 * Runs one task repeatedly, never concurrently with itself, with a jittered pause so that replicas do not run in step.
 */
export class Loop {
  private readonly stopping = new AbortController();
  private alarm = new AbortController();
  private wakeRequested = false;
  /** Consecutive failed rounds. */
  private failures = 0;
  private readonly ended: Promise<void>;

  constructor(
    private readonly services: Services,
    private readonly task: Omit<Task, 'unit'>,
    private readonly scale: number,
  ) {
    this.ended = this.go();
  }

  /** Begins a round now: of the task named, or of every task that `wakes`. */
  wake(name?: string): void {
    if (name === undefined ? !this.task.wakes : this.task.name !== name) return;
    this.wakeRequested = true;
    this.alarm.abort();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    this.alarm.abort();
    await this.ended;
    await this.task.settle?.();
  }

  private async go(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      if (this.wakeRequested) await sleep(coalesceMs * this.scale, undefined, { signal }).catch(() => undefined);
      this.wakeRequested = false;
      if (signal.aborted) return;
      if (await this.round()) continue;
      if (this.failures > 0) await this.backOff();
      else await this.rest();
    }
  }

  /** True where another round should follow at once. */
  private async round(): Promise<boolean> {
    try {
      const more = await this.task.run(this.services, this.stopping.signal);
      this.failures = 0;
      return more;
    } catch (error) {
      this.failures += 1;
      const level = error instanceof DatabaseUnavailableError ? 'warn' : 'error';
      this.services.log[level]({ task: this.task.name, failures: this.failures, err: error }, 'background work failed');
      return false;
    }
  }

  /**
   * Backs off by the number of consecutive failures, also when woken: at most five seconds, or the task's own interval
   * if longer.
   */
  private async backOff(): Promise<void> {
    const doubled = firstBackOffMs * 2 ** Math.min(this.failures - 1, 10);
    const pause =
      Math.min(doubled, Math.max(longestBackOffMs, this.task.everyMs)) * this.scale * (0.75 + Math.random() / 2);
    await sleep(pause, undefined, { signal: this.stopping.signal }).catch(() => undefined);
  }

  private async rest(): Promise<void> {
    if (this.wakeRequested || this.stopping.signal.aborted) return;
    this.alarm = new AbortController();
    const pause = this.task.everyMs * this.scale * (0.75 + Math.random() / 2);
    await sleep(pause, undefined, { signal: this.alarm.signal }).catch(() => undefined);
  }
}
