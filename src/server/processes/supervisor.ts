import cluster, { type Worker } from 'node:cluster';
import type { Config } from '../config.js';
import { freePort, refuseTakenPlace } from '../listen.js';
import type { Logger } from '../../services/services.js';
import { socketPathOf } from '../unix-socket.js';
import {
  metricsPatienceMs,
  type ProcessMetrics,
  type ProcessRole,
  processVariable,
  type ToServerProcess,
  type ToSupervisor,
} from './messages.js';

/** The first process could not start; it has said why. */
export class StartFailed extends Error {
  override readonly name = 'StartFailed';

  constructor(readonly exitCode: number) {
    super('the server did not start');
  }
}

export interface Supervisor {
  log: Logger;
  /** Has all processes stop as on SIGTERM, and waits for their end. */
  close(): Promise<void>;
}

/** The wait before a process is replaced that ended soon after its start: doubled each time, up to the second value. */
const restartMs = { first: 500, most: 30_000 };
/** A process that ran for so long has started well: the next one is not made to wait. */
const settledMs = 60_000;

/**
 * Starts this program's `serve` in as many processes as `WORKERS` says, which share one port, and replaces those that
 * end. The first one migrates, provisions and does the background work of all; the others start once it answers
 * requests. Throws {@link StartFailed} if it does not, and `AddressError` if the port is taken.
 * `socket` is one that a service manager listens on already.
 */
export async function superviseServers(
  { workers, host, port }: Pick<Config, 'workers' | 'host' | 'port'>,
  log: Logger,
  socket: number | null = null,
): Promise<Supervisor> {
  await refuseTakenPlace({ host, port, socket });
  // A process that takes the place of the last one listens where that one did.
  const isAnyPort = port === 0 && socket === null && socketPathOf(host) === null;
  const supervisor = new ServerSupervisor(log, isAnyPort ? await freePort(host) : port, socket);
  await supervisor.start(workers);
  return supervisor;
}

class ServerSupervisor implements Supervisor {
  private readonly members = new Map<Worker, ProcessRole>();
  private readonly collections = new Map<number, Collection>();
  private nextCollection = 1;
  private stopping = false;
  private readonly restarts = new Set<NodeJS.Timeout>();
  private allEnded: (() => void) | null = null;

  constructor(
    readonly log: Logger,
    private readonly port: number,
    private readonly socket: number | null,
  ) {}

  async start(count: number): Promise<void> {
    cluster.setupPrimary({ serialization: 'advanced' });
    await this.startFirst({ number: 1, background: true, provisions: true });
    for (let number = 2; number <= count; number += 1) this.fork({ number, background: false, provisions: false }, 0);
    this.log.info({ processes: count }, 'supervising');
  }

  async close(): Promise<void> {
    this.stopping = true;
    for (const timer of this.restarts) clearTimeout(timer);
    if (this.members.size === 0) return;
    const ended = new Promise<void>((resolve) => {
      this.allEnded = resolve;
    });
    for (const member of this.members.keys()) tell(member, { type: 'stop' });
    await ended;
  }

  private startFirst(role: ProcessRole): Promise<void> {
    return new Promise((resolve, reject) => {
      const first = this.fork(role, 0, reject);
      first.on('message', ({ type }: ToSupervisor) => {
        if (type === 'ready') resolve();
      });
    });
  }

  /** Starts a process; `failed` is called, instead of replacing it, if it ends before it answers requests. */
  private fork(role: ProcessRole, attempt: number, failed: ((error: StartFailed) => void) | null = null): Worker {
    const startedAt = performance.now();
    const place = this.socket === null ? {} : { socket: this.socket };
    const member = cluster.fork({ PORT: String(this.port), [processVariable]: JSON.stringify({ ...role, ...place }) });
    let ready = false;
    this.members.set(member, role);
    member.on('message', (message: ToSupervisor) => {
      if (message.type === 'ready') ready = true;
      this.hear(member, message);
    });
    // A message to a process that has just ended.
    member.on('error', (error) => this.log.debug({ err: error, process: role.number }, 'a message was not delivered'));
    member.on('exit', (code, signal) => {
      this.members.delete(member);
      for (const collection of this.collections.values()) collection.without(member);
      if (this.stopping) {
        if (this.members.size === 0) this.allEnded?.();
      } else if (!ready && failed) {
        failed(new StartFailed(code || 1));
      } else {
        const settled = performance.now() - startedAt > settledMs;
        this.replace(role, settled ? 0 : attempt, { code, signal });
      }
    });
    return member;
  }

  private replace(role: ProcessRole, attempt: number, end: { code: number | null; signal: string | null }): void {
    const delay = attempt === 0 ? 0 : Math.min(restartMs.first * 2 ** (attempt - 1), restartMs.most);
    this.log.error({ process: role.number, ...end, restart_ms: delay }, 'a server process ended and is replaced');
    const timer = setTimeout(() => {
      this.restarts.delete(timer);
      this.fork({ ...role, provisions: false }, attempt + 1);
    }, delay);
    this.restarts.add(timer);
  }

  private hear(member: Worker, message: ToSupervisor): void {
    switch (message.type) {
      case 'ready':
        return;
      case 'wake':
        for (const other of this.members.keys()) if (other !== member) tell(other, message);
        return;
      case 'collect-metrics':
        return this.collect(member, message.id);
      case 'metrics':
        return this.collections.get(message.collection)?.add(member, message.metrics);
    }
  }

  private collect(asker: Worker, id: number): void {
    const key = (this.nextCollection += 1);
    const members = [...this.members.keys()];
    const collection = new Collection(members, (all) => {
      this.collections.delete(key);
      tell(asker, { type: 'metrics-of-all', id, all });
    });
    this.collections.set(key, collection);
    for (const member of members) tell(member, { type: 'read-metrics', collection: key });
  }
}

/** The metrics of all processes, as they come in. */
class Collection {
  private readonly all: ProcessMetrics[] = [];
  private readonly awaited: Set<Worker>;
  private readonly timer: NodeJS.Timeout;

  constructor(
    members: readonly Worker[],
    private readonly done: (all: ProcessMetrics[]) => void,
  ) {
    this.awaited = new Set(members);
    this.timer = setTimeout(() => this.finish(), metricsPatienceMs);
  }

  add(member: Worker, metrics: ProcessMetrics): void {
    if (!this.awaited.has(member)) return;
    this.all.push(metrics);
    this.without(member);
  }

  /** Waits no longer for this process. */
  without(member: Worker): void {
    if (this.awaited.delete(member) && this.awaited.size === 0) this.finish();
  }

  private finish(): void {
    clearTimeout(this.timer);
    this.awaited.clear();
    this.done(this.all);
  }
}

function tell(member: Worker, message: ToServerProcess): void {
  // A process that ends meanwhile has no use for it.
  if (member.isConnected()) member.send(message, () => undefined);
}
