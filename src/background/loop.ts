import { setTimeout as sleep } from 'node:timers/promises';
import type { Services } from '../context.js';
import type { Task } from './tasks.js';

/** Wakes that come in a burst make one round. */
const coalesceMs = 20;

/** Runs one task again and again, never twice at a time, with a pause that differs a little between replicas. */
export class Loop {
  private readonly stopping = new AbortController();
  private alarm = new AbortController();
  private asked = false;
  private readonly ended: Promise<void>;

  constructor(private readonly services: Services, private readonly task: Task, private readonly scale: number) {
    this.ended = this.go();
  }

  wake(): void {
    if (!this.task.wakes) return;
    this.asked = true;
    this.alarm.abort();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    this.alarm.abort();
    await this.ended;
  }

  private async go(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      if (this.asked) await sleep(coalesceMs * this.scale, undefined, { signal }).catch(() => undefined);
      this.asked = false;
      if (signal.aborted) return;
      if (!(await this.round())) await this.rest();
    }
  }

  /** True where another round should follow at once. A failed round waits like an idle one. */
  private async round(): Promise<boolean> {
    try {
      return await this.task.run(this.services, this.stopping.signal);
    } catch (error) {
      this.services.log.error({ task: this.task.name, err: error }, 'background work failed');
      return false;
    }
  }

  private async rest(): Promise<void> {
    if (this.asked || this.stopping.signal.aborted) return;
    this.alarm = new AbortController();
    const pause = this.task.everyMs * this.scale * (0.75 + Math.random() / 2);
    await sleep(pause, undefined, { signal: this.alarm.signal }).catch(() => undefined);
  }
}
