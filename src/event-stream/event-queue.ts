import type { LiveEvent } from './read-events.js';

/**
 * Events one subscriber has not read yet. Bounded, so that a slow subscriber costs little and is ended instead of
 * served late.
 */
export class EventQueue {
  private events: LiveEvent[] = [];
  private ring: (() => void) | null = null;

  /** True once the queue overflowed; its events are dropped then. */
  overflowed = false;

  constructor(private readonly most: number) {}

  push(event: LiveEvent): void {
    if (this.overflowed) return;
    this.events.push(event);
    if (this.events.length > this.most) {
      this.overflowed = true;
      this.events = [];
    }
    this.wake();
  }

  /** Removes and returns all queued events. */
  take(): LiveEvent[] {
    const events = this.events;
    this.events = [];
    return events;
  }

  wake(): void {
    this.ring?.();
  }

  /** Resolves when there is something, at {@link wake}, or when the time is up. */
  async wait(milliseconds: number): Promise<void> {
    if (this.events.length > 0 || this.overflowed) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.ring = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.ring = null;
  }
}
