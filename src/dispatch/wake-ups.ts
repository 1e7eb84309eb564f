import { sql } from 'kysely';
import { setTimeout as sleep } from 'node:timers/promises';
import { inLane } from '../database/lanes.js';
import type { CommittedChanges, Services } from '../services/services.js';

/** Pause between two rounds, so that a burst of commits makes one. */
const gapMs = 10;
const pauseAfterFailureMs = 1_000;
/** Builds that one statement looks up, and ids in one notification: PostgreSQL takes up to 8,000 bytes. */
const buildsAtOnce = 500;
const idsOfANotification = 150;

/** Ids of queues and agents to wake, here or in other replicas. */
export interface WokenIds {
  queues: string[];
  agents: string[];
}

/** The other replicas; absent on the embedded database, which has one process. */
export interface Peers {
  /** Hands texts to all replicas, this one included. Rejects if the database does not answer. */
  notify(payloads: readonly string[]): Promise<void>;
}

/**
 * Wakes waiting agents after commits: the queues of jobs that became ready to the agents of this process,
 * and all of it to the other replicas, in at most one notification at a time, however many commits there are.
 */
export class WakeUps {
  private readonly builds = new Set<string>();
  private readonly queues = new Set<string>();
  private readonly agents = new Set<string>();
  private running: Promise<void> | null = null;
  private stopped = false;

  constructor(
    private readonly services: Pick<Services, 'db' | 'log'>,
    private readonly origin: string,
    private readonly around: {
      peers: Peers | null;
      /** Whether anybody waits in this process. */
      awaited: () => boolean;
      /** Wakes those who wait here for the queues. */
      wake: (queues: readonly string[]) => void;
    },
  ) {}

  /** Takes changes of a commit of this process; agents and queues that wait here were woken by the caller. */
  add(changes: CommittedChanges): void {
    const { peers, awaited } = this.around;
    if (this.stopped || (!peers && !(awaited() && changes.builds.size > 0))) return;
    for (const id of changes.builds) this.builds.add(id);
    if (peers) {
      for (const id of changes.queues) this.queues.add(id);
      for (const id of changes.agents) this.agents.add(id);
    }
    this.start();
  }

  private start(): void {
    if (this.isEmpty || this.running || this.stopped) return;
    this.running = this.run().then(() => {
      this.running = null;
      // Changes that arrived while the last round ended.
      this.start();
    });
  }

  private get isEmpty(): boolean {
    return this.builds.size + this.queues.size + this.agents.size === 0;
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.running;
  }

  /** Never rejects: every process looks for waiting jobs every few seconds, which finds those of a lost wake-up. */
  private async run(): Promise<void> {
    try {
      while (!this.isEmpty) {
        await inLane('agents', () => this.round());
        if (!this.stopped) await sleep(gapMs, undefined, { ref: false });
      }
    } catch (error) {
      this.services.log.warn({ err: error }, 'agents could not be told of changes; they find them a little later');
      if (!this.stopped) await sleep(pauseAfterFailureMs, undefined, { ref: false });
    }
  }

  private async round(): Promise<void> {
    const builds = takeAll(this.builds);
    const queues = takeAll(this.queues);
    const agents = takeAll(this.agents);
    const ready = new Set<string>();
    for (let start = 0; start < builds.length; start += buildsAtOnce)
      for (const id of await this.queuesOf(builds.slice(start, start + buildsAtOnce))) ready.add(id);
    this.around.wake([...ready]);
    const { peers } = this.around;
    if (!peers) return;
    const payloads = payloadsOf(this.origin, { queues: [...new Set([...queues, ...ready])], agents });
    if (payloads.length > 0) await peers.notify(payloads);
  }

  /** The queues in which jobs of the builds wait for an agent. */
  private async queuesOf(builds: readonly string[]): Promise<string[]> {
    const { rows } = await sql<{ id: string }>`
      select distinct cluster_queue_id as id from jobs
      where build_id = any(${builds}::uuid[]) and state = 'scheduled' and type = 'command' and cluster_queue_id is
        not null`.execute(this.services.db);
    return rows.map(({ id }) => id);
  }
}

function takeAll(ids: Set<string>): string[] {
  const all = [...ids];
  ids.clear();
  return all;
}

/** Text of notifications: who sent it, then ids of queues and agents, each behind its letter. */
export function payloadsOf(origin: string, { queues, agents }: WokenIds): string[] {
  const words = [...queues.map((id) => `q${id}`), ...agents.map((id) => `a${id}`)];
  const payloads: string[] = [];
  for (let start = 0; start < words.length; start += idsOfANotification)
    payloads.push([origin, ...words.slice(start, start + idsOfANotification)].join(' '));
  return payloads;
}

/** Reads a notification; null for one of this process, whose own have been woken already. */
export function readPayload(origin: string, payload: string): WokenIds | null {
  const [from, ...words] = payload.split(' ');
  if (from === origin) return null;
  const of = (letter: string) => words.filter((word) => word.startsWith(letter)).map((word) => word.slice(1));
  return { queues: of('q'), agents: of('a') };
}
