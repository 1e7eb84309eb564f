import type { LiveEvent } from './read-events.js';

/** What one follower has not taken yet: bounded, so that a slow one costs little and is told instead of served late. */
export class EventQueue {
  private events: LiveEvent[] = [];
  private ring: (() => void) | null = null;

  /** True once more had to be kept than may be; what was kept is dropped then. */
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

  /** All that is there, taken away. */
  take(): LiveEvent[] {
    const taken = this.events;
    this.events = [];
    return taken;
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
