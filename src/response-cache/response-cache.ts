import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { LimitFunction } from 'p-limit';
import { credentialOf, type UserActor } from '../auth/actor.js';
import type { ReadReplica } from '../database/read-replica.js';
import { ReadRecorder, type ReadSet, isReadSetValid } from '../database/read-sets.js';
import type { Db } from '../entities/database.js';

/** Services of which a reply may be made: the same for the whole process, or in memory by versions of rows. */
const constantServices: ReadonlySet<string | symbol> = new Set([
  'baseUrl',
  'secretKey',
  'limits',
  'log',
  'fragmentCache',
  'webhookIps',
  'buildExports',
  'retention',
  'trustsProxy',
]);

/** What decides the reply to a request, beside what its statements return. */
interface Asking {
  surface: string;
  /**
   * The credential, where the statement that finds its user is recorded too; else the user's rights ({@link rightsOf}).
   */
  by: unknown;
  what: unknown;
  ipAddress: string | null;
  userAgent: string | null;
}

interface Kept {
  check: ReadSet;
  reply: unknown;
  bytes: number;
}

/** A check of a kept reply that is under way. */
interface Checking {
  running: Promise<boolean>;
  /** The one after it, for the requests that have come since it began. */
  next: Promise<boolean> | null;
}

/** A request that was asked. */
interface Asked {
  /** Number of recordings since the last reply from the cache. */
  tries: number;
  /** Number of further requests of this kind that bypass the cache. */
  rest: number;
  /**
   * When the last recording of it began, in milliseconds of the process; others that come meanwhile are not recorded.
   */
  recordedAt: number;
}

export interface ReplyCounts {
  /** Requests that were answered with a kept reply. */
  hits: number;
  /** Requests whose kept reply was out of date. */
  changed: number;
  /** Replies that were kept. */
  kept: number;
  /** Replies that were to be kept and cannot be. */
  unkept: number;
}

/** Longest that a reply is kept, and that its request may have taken: the check has all of its statements in one. */
const keptForMs = 60_000;
const longestRecordedMs = 1_000;
/**
 * Requests that are remembered in order to know one that comes again, in at most a share of the memory; bytes of each,
 * estimated.
 */
const mostAsked = 10_000;
const shareOfAsked = 0.25;
const bytesOfAsked = 400;
/** Failed tries after which a request bypasses the cache two times, then four times, up to sixteen times. */
const patientTries = 3;
const mostTries = patientTries + 4;
/** Bytes of the objects around a reply, estimated. */
const overhead = 1_000;

/**
 * Whole replies of reads in the memory of this process, at most so many bytes. Which statements a request made, and
 * what they returned, is recorded when it comes for the second time. When it comes again, one statement tells whether
 * all of them would return the same rows now: the reply is then the same, since it is made of nothing else. See
 * docs/decisions/0018-kept-replies.md.
 */
export class ResponseCache {
  private readonly replies: LRUCache<string, Kept>;
  private readonly asked: LRUCache<string, Asked>;
  private readonly checking = new Map<Kept, Checking>();
  private generation = 0;
  readonly counts: ReplyCounts = { hits: 0, changed: 0, kept: 0, unkept: 0 };

  constructor(private readonly budget: number) {
    const most = Math.max(1, Math.min(mostAsked, Math.floor((budget * shareOfAsked) / bytesOfAsked)));
    this.asked = new LRUCache({ max: most, ttl: keptForMs });
    const bytes = budget - most * bytesOfAsked;
    this.replies = new LRUCache({
      maxSize: Math.max(1, bytes),
      maxEntrySize: Math.max(1, Math.ceil(bytes / 10)),
      sizeCalculation: ({ bytes: size }, key) => size + 2 * key.length,
      ttl: keptForMs,
    });
  }

  /**
   * Begins the visit of one request to the cache.
   *
   * @param asked everything that decides the reply and is no statement of the recording
   */
  visit<Reply>(facts: Asking) {
    return new ReplyVisit<Reply>(this, hash('sha256', JSON.stringify(facts), 'base64'));
  }

  /** Forgets everything: the database may have been replaced by one that lacks its last changes. */
  clear(): void {
    this.generation += 1;
    this.replies.clear();
  }

  get currentGeneration(): number {
    return this.generation;
  }

  /** Bytes in use, with the requests that are remembered, bytes that both may have, and number of replies. */
  use(): { bytes: number; budget: number; replies: number } {
    const bytes = this.replies.calculatedSize + this.asked.size * bytesOfAsked;
    return { bytes, budget: this.budget, replies: this.replies.size };
  }

  get(key: string): Kept | undefined {
    return this.replies.get(key);
  }

  has(key: string): boolean {
    return this.replies.has(key);
  }

  /**
   * Whether a kept reply is still the right one. Requests that come while that is being checked share the check after
   * it, which begins when all of them have come: a reply is never checked earlier than it was asked for.
   */
  holds(entry: Kept, check: () => Promise<boolean>): Promise<boolean> {
    const under = this.checking.get(entry);
    if (!under) return this.begin(entry, check);
    const again = () => this.begin(entry, check);
    return (under.next ??= under.running.then(again, again));
  }

  private begin(entry: Kept, check: () => Promise<boolean>): Promise<boolean> {
    const checking: Checking = { running: check(), next: null };
    this.checking.set(entry, checking);
    const ended = () => {
      if (checking.next === null) this.checking.delete(entry);
    };
    checking.running.then(ended, ended);
    return checking.running;
  }

  /** Notes a request. Returns whether to look for its reply, and to record it. */
  isWorth(key: string): boolean {
    const known = this.asked.get(key);
    if (!known) this.asked.set(key, { tries: 0, rest: 0, recordedAt: -Infinity });
    if (!known || known.rest === 0) return known !== undefined;
    known.rest -= 1;
    return false;
  }

  /** Notes that the recording of a request begins. Returns false if another recording of it is under way. */
  begins(key: string): boolean {
    const { tries = 0, recordedAt = -Infinity } = this.asked.get(key) ?? {};
    const now = performance.now();
    if (now - recordedAt <= longestRecordedMs) return false;
    this.asked.set(key, restedAfter(Math.min(tries + 1, mostTries), now));
    return true;
  }

  /** Notes the outcome of looking for a reply. */
  note(key: string, outcome: 'hits' | 'changed' | 'unkept', entry?: Kept): void {
    this.counts[outcome] += 1;
    // Another request may have kept a newer one meanwhile.
    if (outcome === 'changed' && this.replies.peek(key) === entry) this.replies.delete(key);
    if (outcome === 'hits') this.asked.set(key, restedAfter(0));
    if (outcome === 'unkept') this.asked.set(key, restedAfter(mostTries));
  }

  /**
   * Notes that the reply to a request is too large to be kept: for as long as that is remembered it is neither recorded
   * nor looked for.
   */
  noteLarge(key: string): void {
    this.asked.set(key, { ...restedAfter(mostTries), rest: Infinity });
  }

  /** Notes that a recording has ended. */
  ends(key: string): void {
    const known = this.asked.get(key);
    if (known) known.recordedAt = -Infinity;
  }

  keep(key: string, entry: Kept, generation: number): void {
    if (generation !== this.generation) return;
    this.counts.kept += 1;
    this.replies.set(key, entry);
  }
}

const restedAfter = (tries: number, recordedAt = -Infinity): Asked => ({
  tries,
  recordedAt,
  rest: tries <= patientTries ? 0 : 2 ** (tries - patientTries),
});

/** The services that a kept reply is checked with: the database, and the turns that reads take in it. */
export interface CheckedBy {
  db: Db;
  readTurns?: LimitFunction | undefined;
  readReplica?: ReadReplica | undefined;
}

/** One request and the memory of replies. Every request calls {@link take} first, and {@link keep} last. */
export class ReplyVisit<Reply> {
  private worth: boolean | null = null;
  private recorder: ReadRecorder | null = null;
  private startedAt = 0;
  private generation = 0;

  constructor(
    private readonly memory: ResponseCache,
    private readonly key: string,
  ) {}

  /** Whether the cache has a reply, valid or out of date. */
  get isKept(): boolean {
    return this.memory.has(this.key);
  }

  /**
   * The reply, if one is kept and what it was made of has not changed. The check belongs to no single request, since
   * several may wait for it: it ends with the limits of a statement.
   *
   * @param now stands in for the time of the recording
   */
  async take({ db, readTurns, readReplica }: CheckedBy, now: () => Date | null = () => null): Promise<Reply | null> {
    const entry = this.isWorth() ? this.memory.get(this.key) : undefined;
    if (!entry) return null;
    const { currentGeneration } = this.memory;
    const late = entry.check.late ? readReplica?.handle(db) : undefined;
    const check = () => isReadSetValid(db, entry.check, { now: now(), late });
    const same = await this.memory.holds(entry, readTurns ? () => readTurns(check) : check);
    const holds = same && currentGeneration === this.memory.currentGeneration;
    this.memory.note(this.key, holds ? 'hits' : 'changed', entry);
    return holds ? (entry.reply as Reply) : null;
  }

  /**
   * Records what is read from here on, where the request is worth it. Gives the services to make the reply with.
   *
   * @param time what statements may have for the present time, as this very object; the recorded services have no clock
   */
  record<S extends object>(reads: { recorder: ReadRecorder | null }, services: S, time: Date | null = null): S {
    if (!this.isWorth() || !this.memory.begins(this.key)) return services;
    const recorder = new ReadRecorder();
    recorder.time = time;
    this.recorder = recorder;
    this.startedAt = performance.now();
    this.generation = this.memory.currentGeneration;
    reads.recorder = recorder;
    return new Proxy(services, {
      get: (target, name) => {
        if (!constantServices.has(name)) recorder.spoil(`services.${String(name)}`);
        return Reflect.get(target, name, target) as unknown;
      },
    });
  }

  /** Whether the request is recorded. */
  get records(): boolean {
    return this.recorder !== null;
  }

  /** Whether {@link keep} wants the reply. */
  get wantsReply(): boolean {
    return this.recorder !== null && performance.now() - this.startedAt <= longestRecordedMs;
  }

  /** Whether the request is one to look for, and to record; it is noted once. */
  private isWorth(): boolean {
    return (this.worth ??= this.memory.isWorth(this.key));
  }

  /**
   * The reply is larger than any that is kept. To record what it is made of would double the cost of the next one, for
   * nothing.
   */
  isLarge(): void {
    this.memory.noteLarge(this.key);
  }

  /** Keeps the reply, which has so many bytes, if all that it was made of can be checked. */
  keep(reply: Reply, bytes: number): void {
    if (!this.recorder || !this.wantsReply) return;
    this.memory.ends(this.key);
    const check = this.recorder.check();
    if (!check) this.memory.note(this.key, 'unkept');
    else this.memory.keep(this.key, { check, reply, bytes: bytes + check.bytes + overhead }, this.generation);
  }
}

/** The rights of a caller, which the statements of a request have in them. */
export function rightsOf(actor: UserActor): unknown {
  const { userId, scopes, organizations, roles } = actor;
  return [credentialOf(actor), userId, [...scopes], organizations === 'all' || [...organizations], [...roles]];
}
