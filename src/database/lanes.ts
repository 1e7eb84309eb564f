import { limits } from '../domain/limits/limits.js';
import { AsyncValue } from '../event-loop/async-value.js';
import { DatabaseUnavailableError } from './faults.js';

/**
 * Uses of connections. Each lane has connections that no other lane can take, so that a flood of queries cannot keep
 * health checks, agents or background work from the database.
 */
export const lanes = ['health', 'agents', 'requests', 'background'] as const;
export type Lane = (typeof lanes)[number];

const currentLane = new AsyncValue<Lane>();

/** Runs `work`, and all that it starts, with connections of the lane; outside it is `requests`. */
export function inLane<T>(lane: Lane, work: () => T): T {
  return currentLane.run(lane, work);
}

/** Longest wait of each lane for a connection, in milliseconds. */
const patience: Record<Lane, number> = {
  health: limits.databaseWaitHealthMs,
  agents: limits.databaseWaitAgentsMs,
  requests: limits.databaseWaitRequestsMs,
  background: limits.databaseWaitBackgroundMs,
};

/** Returns the longest duration of a statement of the current lane, in milliseconds; undefined for the usual limit. */
export function statementPatience(): number | undefined {
  return currentLane.get() === 'health' ? limits.databaseStatementHealthMs : undefined;
}

/** Connections of a pool that only this lane may use. A pool of one has none to set aside: its lanes take turns. */
export function reservedConnections(size: number): Record<Lane, number> {
  if (size < lanes.length) return { health: 0, agents: 0, requests: 0, background: 0 };
  const fifth = Math.max(1, Math.floor(size / 5));
  return { health: 1, agents: fifth, requests: fifth, background: Math.max(1, Math.floor(size / 10)) };
}

export interface LaneUse {
  lane: Lane;
  used: number;
  waiting: number;
  /** Waits that ended without a connection, since the process started. */
  timedOut: number;
}

interface Waiter {
  admit(): void;
}

/**
 * Grants the use of one of `size` connections. Every lane gets up to its reserved number at once and shares the rest.
 * Waiters are admitted in order of arrival within a lane; health checks come first, and the other lanes take turns.
 */
export class LaneGate {
  private readonly used: Record<Lane, number> = { health: 0, agents: 0, requests: 0, background: 0 };
  private readonly timedOut: Record<Lane, number> = { health: 0, agents: 0, requests: 0, background: 0 };
  private readonly queues: Record<Lane, Set<Waiter>> = {
    health: new Set(),
    agents: new Set(),
    requests: new Set(),
    background: new Set(),
  };
  private readonly reserved: Record<Lane, number>;
  private turn = 0;

  constructor(
    private readonly size: number,
    private readonly patienceMs: Readonly<Record<Lane, number>> = patience,
  ) {
    this.reserved = reservedConnections(size);
  }

  /**
   * Waits for a connection of the current lane and returns the function that releases it, which may be called
   * repeatedly. Throws {@link DatabaseUnavailableError} (`waited`) after the lane's longest wait.
   */
  async enter(lane: Lane = currentLane.get() ?? 'requests'): Promise<() => void> {
    if (this.queues[lane].size > 0 || !this.hasRoom(lane)) await this.wait(lane);
    else this.used[lane] += 1;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.used[lane] -= 1;
      this.admitNext();
    };
  }

  use(): LaneUse[] {
    return lanes.map((lane) => ({
      lane,
      used: this.used[lane],
      waiting: this.queues[lane].size,
      timedOut: this.timedOut[lane],
    }));
  }

  /** Whether the lane may take one more connection: a reserved one, or one that is reserved by no lane. */
  private hasRoom(lane: Lane): boolean {
    let takenConnections = 0;
    let owed = 0;
    for (const each of lanes) {
      takenConnections += this.used[each];
      if (each !== lane) owed += Math.max(0, this.reserved[each] - this.used[each]);
    }
    return takenConnections + owed < this.size;
  }

  private wait(lane: Lane): Promise<void> {
    return new Promise((resolve, reject) => {
      const queue = this.queues[lane];
      const waiter: Waiter = {
        admit: () => {
          clearTimeout(timer);
          queue.delete(waiter);
          this.used[lane] += 1;
          resolve();
        },
      };
      const timer = setTimeout(() => {
        queue.delete(waiter);
        this.timedOut[lane] += 1;
        reject(new DatabaseUnavailableError('waited'));
      }, this.patienceMs[lane]);
      queue.add(waiter);
    });
  }

  private admitNext(): void {
    for (let lane = this.nextLane(); lane !== null; lane = this.nextLane()) {
      const [first] = this.queues[lane];
      first?.admit();
    }
  }

  private nextLane(): Lane | null {
    const ready = (lane: Lane) => this.queues[lane].size > 0 && this.hasRoom(lane);
    if (ready('health')) return 'health';
    for (let step = 1; step <= lanes.length; step += 1) {
      const index = (this.turn + step) % lanes.length;
      const lane = lanes[index];
      if (lane === undefined || !ready(lane)) continue;
      this.turn = index;
      return lane;
    }
    return null;
  }
}
