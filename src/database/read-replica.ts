import { CompiledQuery, type ConnectionProvider } from 'kysely';
import pLimit, { type LimitFunction } from 'p-limit';
import { limits } from '../domain/limits/limits.js';
import type { Db } from '../entities/database.js';
import { unavailabilityOf } from './faults.js';
import { inLane } from './lanes.js';
import { handleOver } from './handle-over.js';

/** Why reads go to the primary; `ok`: they go to the replica. */
export type ReplicaState = 'ok' | 'late' | 'unavailable';

export interface ReplicaCounts {
  /** Statements that the replica answered. */
  replica: number;
  /** Statements that were to go there and went to the primary. */
  primary: number;
}

export interface ReplicaOptions {
  /** Reaches the replica; closing it ends its connections. */
  connections: Db;
  /** The primary that it follows. */
  primary: Db;
  /** Reads of requests that may be in the replica at a time. */
  readsAtOnce: number;
  /** Called when reads begin to go to the primary, with the reason, and when they go to the replica again. */
  onChange: (state: ReplicaState, reason: string) => void;
}

/** A position in the write-ahead log of the primary, and when it was read. */
interface Mark {
  at: number;
  position: bigint;
}

const probeEveryMs = 1_000;
const probePatienceMs = 3_000;
/** Ten minutes of them: of a replica that is further behind it is only known that it is. */
const marksAtMost = 600;

/**
 * Reads of a standby of the database, which are as of a moment ago. Every second the position of the primary is read,
 * and then how far the replica has come: it is as fresh as the last moment whose position it has reached. That needs no
 * clocks that agree, and no change on the primary to be true. While it is more than `readReplicaLagMs` behind, cannot
 * be reached, or is no standby of this primary, reads go to the primary (docs/decisions/0031-read-replica.md).
 */
export class ReadReplica {
  readonly counts: ReplicaCounts = { replica: 0, primary: 0 };
  /** Queues reads of requests on the replica. */
  readonly turns: LimitFunction;
  readonly connections: ConnectionProvider;
  private marks: Mark[] = [];
  /** The replica has all that was committed before this time of the process. */
  private freshAt = Number.NEGATIVE_INFINITY;
  private state: ReplicaState = 'unavailable';
  private isTrusted = false;
  private timer: NodeJS.Timeout | null = null;
  private probing: Promise<void> | null = null;

  constructor(private readonly options: ReplicaOptions) {
    this.connections = options.connections.getExecutor();
    this.turns = pLimit(options.readsAtOnce);
  }

  /** Asks once, and from then on every second. Resolves after the first answer. */
  async start(): Promise<void> {
    await this.probe();
    this.timer = setInterval(() => void this.probe(), probeEveryMs);
    this.timer.unref();
  }

  async close(): Promise<void> {
    if (this.timer) clearInterval(this.timer);
    await this.probing;
    await this.options.connections.destroy();
  }

  /** Milliseconds by which the replica is behind at most; Infinity if that is not known. */
  lagMs(): number {
    return performance.now() - this.freshAt;
  }

  /** What `/readyz` and the metrics say of it now. */
  current(): ReplicaState {
    if (!this.isTrusted) return 'unavailable';
    return this.lagMs() <= limits.readReplicaLagMs ? 'ok' : 'late';
  }

  /** Has reads go to the primary until the next answer of both: connections may lead to other servers than before. */
  distrust(reason: string): void {
    this.isTrusted = false;
    this.note(reason);
  }

  /**
   * Reads on the replica; on the primary while the replica cannot be read, and where the read failed there: its tables
   * may lack a change that this program knows, and PostgreSQL ends statements that stand in the way of its changes.
   *
   * @param isFinal whether an error is about the request, so that to read again would not help
   */
  async read<T>(
    onReplica: () => Promise<T>,
    onPrimary: () => Promise<T>,
    isFinal: (error: unknown) => boolean = () => false,
  ): Promise<T> {
    if (this.current() === 'ok') {
      try {
        const result = await onReplica();
        this.counts.replica += 1;
        return result;
      } catch (error) {
        if (isFinal(error)) throw error;
        if (unavailabilityOf(error) !== null) this.distrust(String(error instanceof Error ? error.message : error));
      }
    }
    this.counts.primary += 1;
    return onPrimary();
  }

  /** A handle of the database that reads on the replica, without the bounds of a request. */
  handle(db: Db): Db {
    const primary = db.getExecutor();
    return handleOver(db, {
      provideConnection: (consumer) =>
        this.read(
          () => this.turns(() => this.connections.provideConnection(consumer)),
          () => primary.provideConnection(consumer),
        ),
    });
  }

  /** Looks how far the replica is. Never rejects. */
  probe(): Promise<void> {
    this.probing ??= inLane('health', () => this.compare())
      .then(
        (problem) => {
          this.isTrusted = problem === null;
          this.note(problem ?? '');
        },
        (error: unknown) => {
          this.isTrusted = false;
          this.note(error instanceof Error ? error.message : String(error));
        },
      )
      .finally(() => (this.probing = null));
    return this.probing;
  }

  /** Reads both positions; the reason why the replica is none of this primary, or null. */
  private async compare(): Promise<string | null> {
    const at = performance.now();
    const primary = await ask<PrimaryFacts>(this.options.primary, readPrimary);
    this.marks.push({ at, position: positionOf(primary.position) });
    if (this.marks.length > marksAtMost) this.marks.shift();
    const replica = await ask<ReplicaFacts>(this.options.connections, readReplica);
    const problem = problemOf(primary, replica);
    if (problem !== null) return problem;
    const reached = positionOf(replica.position ?? '0/0');
    const first = this.marks.findIndex(({ position }) => position > reached);
    const passed = first < 0 ? this.marks.splice(0) : this.marks.splice(0, first);
    this.freshAt = Math.max(this.freshAt, passed.at(-1)?.at ?? Number.NEGATIVE_INFINITY);
    return null;
  }

  private note(reason: string): void {
    const state = this.current();
    if (state === this.state) return;
    this.state = state;
    const seconds = this.lagMs() / 1000;
    const late = Number.isFinite(seconds)
      ? `it is ${Math.round(seconds)} s behind`
      : 'how far it is behind is not known yet';
    this.options.onChange(state, state === 'late' ? late : reason);
  }
}

interface ServerFacts {
  /** Number of the cluster of databases, the same on its standbys. */
  system: string;
  database: string;
  timeline: string;
}

type PrimaryFacts = ServerFacts & { position: string };
type ReplicaFacts = ServerFacts & { position: string | null; standby: boolean };

const facts = `(select system_identifier::text from pg_control_system()) as system,
  (select oid::text from pg_database where datname = current_database()) as database`;

/** The history that the primary writes, which changes when a standby takes its place. */
const readPrimary = `select pg_current_wal_lsn()::text as position,
  substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) as timeline, ${facts}`;

/** The history as of the last checkpoint: one that has just changed is known late, and never early. */
const readReplica = `select pg_is_in_recovery() as standby, pg_last_wal_replay_lsn()::text as position,
  (select upper(lpad(to_hex(timeline_id), 8, '0')) from pg_control_checkpoint()) as timeline, ${facts}`;

/** Why a server is no replica of a primary; null if it is one. */
function problemOf(primary: ServerFacts, replica: ReplicaFacts): string | null {
  if (!replica.standby) return 'it is no standby, but takes changes itself';
  if (replica.system !== primary.system) return 'it is a standby of another server';
  if (replica.database !== primary.database) return 'its database is another one of the server';
  if (replica.timeline !== primary.timeline) return 'it does not follow the history of the primary (yet)';
  return null;
}

async function ask<Facts>(db: Db, text: string): Promise<Facts> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${probePatienceMs} ms`)), probePatienceMs);
  });
  try {
    const { rows } = await Promise.race([db.executeQuery<Facts>(CompiledQuery.raw(text)), late]);
    return rows[0] as Facts;
  } finally {
    clearTimeout(timer);
  }
}

/** A position as PostgreSQL writes it (`16/B374D848`), as a number. */
export function positionOf(text: string): bigint {
  const [high = '0', low = '0'] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}
