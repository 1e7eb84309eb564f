import { randomUUID } from 'node:crypto';
import pLimit from 'p-limit';
import { sql } from 'kysely';
import { inLane } from '../database/lanes.js';
import { agentMatches } from '../domain/agents/dispatch.js';
import { limits } from '../domain/limits/limits.js';
import { type AgentStanding, isIdle } from '../engine/agents/agent-standing.js';
import type { CommittedChanges, Dispatch, DispatchCounts, Services } from '../services/services.js';
import { AgentStream, type StreamEnd, type StreamSink } from './agent-stream.js';
import { Heartbeats } from './heartbeats.js';
import { WakeUps, type Peers, readPayload } from './wake-ups.js';
import { LastSeen } from './last-seen.js';
import { QueuePasses } from './queue-passes.js';
import { Standings } from './standings.js';

/** Passes that are made at a time, so that pings and jobs find connections. */
const passesAtOnce = 2;
/**
 * A stream ends by itself after this, before agents cut it at 60 s; up to a fifth sooner, so that they do not come in
 * step.
 */
const longestStreamMs = 54_000;
/** Interval at which queues are searched for jobs whose wake-up was lost. */
const netEveryMs = 5_000;
/** Time in which pings gather for one statement, while there is nothing to do and while there are jobs to give out. */
const gatherPingsMs = { idle: 15, busy: 1 };
/** Time for which pings gather shortly after one of them found jobs in its queue. */
const busyForMs = 1_000;
/** Time for which pings share a look at the rules of the jobs in a queue. */
const rulesFreshMs = 1_000;

/** A stream, as the surface that opened it sees it. */
export interface OpenStream {
  /** The client is gone, or does not read. */
  leave(reason: 'left' | 'slow'): void;
}

/**
 * The agents that wait for work in this process: it holds their streams, wakes them when a commit changes something for
 * them, and serves each queue in passes. Without streams it costs nothing.
 */
export class AgentDispatch implements Dispatch {
  readonly lastSeen: LastSeen;
  private readonly streams = new Map<string, AgentStream>();
  private readonly queues = new Map<string, QueuePasses>();
  /** Reads for streams, which have something to say at once, and for pings, most of which have nothing to hear. */
  private readonly standings: Standings;
  private readonly ofPings: Standings;
  private readonly heartbeats: Heartbeats;
  private readonly wakeUps: WakeUps;
  private readonly turns = pLimit(passesAtOnce);
  private readonly origin = randomUUID();
  private readonly rules = new Map<string, { at: number; version: number; sets: string[][] | null }>();
  private readonly figures: Omit<DispatchCounts, 'streams' | 'waitingReads'> & { ended: Record<string, number> } = {
    ended: {},
    offers: 0,
    passes: 0,
    quietPings: 0,
  };
  private version = 0;
  /** When a ping last found jobs that wait in the queue of its agent. */
  private jobsFoundAt = Number.NEGATIVE_INFINITY;
  private net: NodeJS.Timeout | undefined;
  private draining = false;

  constructor(
    private readonly services: Services,
    { peers = null }: { peers?: Peers | null } = {},
  ) {
    this.lastSeen = new LastSeen(services);
    this.standings = new Standings(services, () => 0);
    this.ofPings = new Standings(services, () =>
      performance.now() - this.jobsFoundAt < busyForMs ? gatherPingsMs.busy : gatherPingsMs.idle,
    );
    this.heartbeats = new Heartbeats(services);
    this.wakeUps = new WakeUps(services, this.origin, {
      peers,
      awaited: () => this.streams.size > 0,
      wake: (queues) => this.wakeQueues(queues),
    });
  }

  /** Whether another stream may be opened; the reason if not. */
  get refusal(): 'draining' | 'full' | null {
    if (this.draining) return 'draining';
    return this.streams.size >= limits.agentStreams ? 'full' : null;
  }

  changed(changes: CommittedChanges): void {
    this.version += 1;
    for (const id of changes.agents) this.streams.get(id)?.look();
    this.wakeQueues([...changes.queues]);
    // Other replicas need not know of an agent that waits here.
    this.wakeUps.add({ ...changes, agents: new Set([...changes.agents].filter((id) => !this.streams.has(id))) });
  }

  /** Takes a notification of another replica. */
  heard(payload: string): void {
    const woken = readPayload(this.origin, payload);
    if (!woken) return;
    this.version += 1;
    for (const id of woken.agents) this.streams.get(id)?.look();
    this.wakeQueues(woken.queues);
  }

  /** Looks at everything again, because notifications may have been missed. */
  revisit(): void {
    this.version += 1;
    for (const stream of this.streams.values()) stream.look();
    this.wakeQueues([...this.queues.keys()]);
  }

  /** Reads what is true of an agent; with the version to open its stream with. */
  async read(sessionTokenHash: string): Promise<{ standing: AgentStanding | null; version: number }> {
    const { version } = this;
    return { standing: await this.standings.read(sessionTokenHash), version };
  }

  /** Holds the stream of an agent, in place of one that it has already. */
  open({ standing, version }: { standing: AgentStanding; version: number }, sink: StreamSink): OpenStream {
    this.streams.get(standing.id)?.end('replaced');
    const queueId = standing.clusterQueueId ?? '';
    const queue = this.queueOf(queueId);
    queue.streams += 1;
    const expiry = setTimeout(() => stream.end('expired'), longestStreamMs * (0.8 + Math.random() / 5)).unref();
    const stream: AgentStream = new AgentStream(standing, sink, {
      services: this.services,
      queue,
      read: (offered) => this.standings.read(standing.sessionTokenHash, offered),
      version: () => this.version,
      ended: (ended, reason) => {
        clearTimeout(expiry);
        queue.streams -= 1;
        if (queue.streams === 0 && this.queues.get(queueId) === queue) this.queues.delete(queueId);
        this.forget(ended, reason);
      },
    });
    this.streams.set(standing.id, stream);
    this.lastSeen.hold(standing.id);
    this.spreadNet();
    stream.begin(version);
    return { leave: (reason) => stream.end(reason) };
  }

  /**
   * Answers the ping of an idle agent: that there is nothing to do, or with the job that the next pass over its queue
   * offers it. What is read for it is read for all pings of the moment, and a pass serves all of them. Null if the ping
   * needs more.
   */
  async answerPing(sessionTokenHash: string): Promise<{ agentId: string; jobId: string | null } | null> {
    const standing = await this.ofPings.read(sessionTokenHash);
    if (!standing || !isIdle(standing, this.services.clock.now())) return null;
    if (!standing.jobsWait || !this.mayMatch(standing)) {
      this.lastSeen.note(standing.id);
      this.figures.quietPings += 1;
      return { agentId: standing.id, jobId: null };
    }
    this.jobsFoundAt = performance.now();
    // Not yet noted itself, so that no other agent's job is left to one that is being served.
    const queueId = standing.clusterQueueId ?? '';
    const queue = this.queueOf(queueId);
    try {
      const jobId = await queue.ask({ id: standing.id, priority: standing.priority, metaData: standing.metaData });
      if (jobId === undefined) return null;
      this.lastSeen.note(standing.id);
      return { agentId: standing.id, jobId };
    } catch {
      return null;
    } finally {
      if (queue.streams + queue.size === 0 && this.queues.get(queueId) === queue) this.queues.delete(queueId);
    }
  }

  /** Stores a heartbeat and resolves to the agent's id; to null if the agent needs more than that. */
  beat(sessionTokenHash: string): Promise<string | null> {
    return this.heartbeats.beat(sessionTokenHash);
  }

  counts(): DispatchCounts {
    return { ...this.figures, streams: this.streams.size, waitingReads: this.standings.waiting + this.ofPings.waiting };
  }

  /** Ends every stream and opens none from now on. */
  drain(): void {
    this.draining = true;
    for (const stream of [...this.streams.values()]) stream.end('draining');
  }

  async stop(): Promise<void> {
    this.drain();
    clearTimeout(this.net);
    for (const queue of this.queues.values()) queue.stop();
    await this.wakeUps.stop();
    await this.lastSeen.stop();
  }

  private forget(stream: AgentStream, reason: StreamEnd): void {
    this.figures.ended[reason] = (this.figures.ended[reason] ?? 0) + 1;
    if (this.streams.get(stream.id) !== stream) return;
    this.streams.delete(stream.id);
    this.lastSeen.release(stream.id);
  }

  private queueOf(id: string): QueuePasses {
    let queue = this.queues.get(id);
    if (!queue) {
      queue = new QueuePasses(this.services, id, {
        turns: this.turns,
        begin: () => {
          const { version } = this;
          return { seen: () => this.lastSeen.unstored(), rules: (sets) => this.keepRules(id, version, sets) };
        },
        count: (offers) => {
          this.figures.passes += 1;
          this.figures.offers += offers;
        },
      });
      this.queues.set(id, queue);
    }
    return queue;
  }

  private wakeQueues(ids: readonly string[]): void {
    if (ids.length === 0) return;
    this.version += 1;
    for (const id of ids) this.queues.get(id)?.wake();
  }

  /**
   * Whether a job may wait in the agent's queue whose rules its tags match, as far as the last pass over the queue
   * knows.
   */
  private mayMatch({ clusterQueueId, queueKey, metaData }: AgentStanding): boolean {
    if (clusterQueueId === null || queueKey === null) return false;
    const known = this.rules.get(clusterQueueId);
    if (!known || known.version !== this.version || performance.now() - known.at >= rulesFreshMs) return true;
    return known.sets === null || known.sets.some((rules) => agentMatches(rules, metaData, queueKey));
  }

  /** Keeps the rules of the jobs in a queue, as of the version before they were read. */
  private keepRules(queueId: string, version: number, sets: string[][] | null): void {
    const now = performance.now();
    for (const [id, { at }] of this.rules) if (now - at >= rulesFreshMs) this.rules.delete(id);
    this.rules.set(queueId, { at: now, version, sets });
  }

  /** One statement every few seconds finds the queues with jobs whose wake-up was lost. */
  private spreadNet(): void {
    if (this.net || this.draining) return;
    this.net = setTimeout(
      () => {
        void inLane('agents', () => this.lookIntoQueues()).finally(() => {
          this.net = undefined;
          if (this.streams.size > 0) this.spreadNet();
        });
      },
      netEveryMs * (0.75 + Math.random() / 2),
    ).unref();
  }

  private async lookIntoQueues(): Promise<void> {
    const ids = [...this.queues].filter(([, queue]) => queue.size > 0).map(([id]) => id);
    if (ids.length === 0) return;
    try {
      const { rows } = await sql<{ id: string }>`
        select q.id from cluster_queues q where q.id = any(${ids}::uuid[]) and q.dispatch_paused_at is null and exists (
          select 1 from jobs where organization_id = q.organization_id and cluster_queue_id = q.id and "state" =
            'scheduled' and "type" = 'command')`.execute(this.services.db);
      this.wakeQueues(rows.map(({ id }) => id));
    } catch (error) {
      this.services.log.warn({ err: error }, 'the queues of waiting agents could not be looked into');
    }
  }
}
