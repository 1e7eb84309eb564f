import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { credentialOf, type UserActor } from './auth/actor.js';
import { ReadRecorder, type ReadsCheck, stillReads } from './database/recorded-reads.js';
import type { Db } from './entities/database.js';

/** Services of which a reply may be made: the same for the whole process, or in memory by versions of rows. */
const constantServices: ReadonlySet<string | symbol> = new Set([
  'baseUrl',
  'secretKey',
  'limits',
  'log',
  'keptParts',
  'webhookIps',
  'trustsProxy',
]);

/** What decides the reply to a request, beside what its statements return. */
interface Asking {
  surface: string;
  /** The credential, where the statement that finds its user is recorded too; else the user's rights ({@link rightsOf}). */
  by: unknown;
  what: unknown;
  ipAddress: string | null;
  userAgent: string | null;
}

interface Kept {
  check: ReadsCheck;
  reply: unknown;
  bytes: number;
}

/** A request that was asked. */
interface Asked {
  /** How often it was looked for and recorded since a kept reply was last given. */
  tries: number;
  /** So many more of these requests are served as if nothing was kept. */
  rest: number;
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
/** Requests that are remembered in order to know one that comes again. */
const mostAsked = 10_000;
/** Tries in vain after which a request is served plainly two times, then four times, and so on up to sixteen times. */
const patientTries = 3;
const mostTries = patientTries + 4;
/** Bytes of the objects around a reply, estimated. */
const overhead = 1_000;

/**
 * Whole replies of reads in the memory of this process, at most so many bytes. Which statements a request made, and what they
 * returned, is recorded when it comes for the second time. When it comes again, one statement tells whether all of them would
 * return the same rows now: the reply is then the same, since it is made of nothing else. See docs/decisions/0018-kept-replies.md.
 */
export class KeptReplies {
  private readonly replies: LRUCache<string, Kept>;
  private readonly asked = new LRUCache<string, Asked>({ max: mostAsked, ttl: keptForMs });
  private generation = 0;
  readonly counts: ReplyCounts = { hits: 0, changed: 0, kept: 0, unkept: 0 };

  constructor(bytes: number) {
    this.replies = new LRUCache({
      maxSize: Math.max(1, bytes),
      maxEntrySize: Math.max(1, Math.ceil(bytes / 10)),
      sizeCalculation: ({ bytes: size }) => size,
      ttl: keptForMs,
    });
  }

  /**
   * Begins with one request.
   *
   * @param asked everything that decides the reply and is no statement of the recording
   */
  visit<Reply>(asked: Asking) {
    return new ReplyVisit<Reply>(this, createHash('sha256').update(JSON.stringify(asked)).digest('base64'));
  }

  /** Forgets everything: the database may have been replaced by one that lacks its last changes. */
  clear(): void {
    this.generation += 1;
    this.replies.clear();
  }

  get currentGeneration(): number {
    return this.generation;
  }

  /** Bytes and replies in memory. */
  use(): { bytes: number; replies: number } {
    return { bytes: this.replies.calculatedSize, replies: this.replies.size };
  }

  get(key: string): Kept | undefined {
    return this.replies.get(key);
  }

  /** Notes a request; whether it is one to look for, and to record. */
  isWorth(key: string): boolean {
    const known = this.asked.get(key);
    if (!known) {
      this.asked.set(key, { tries: 0, rest: 0 });
      return false;
    }
    if (known.rest > 0) {
      known.rest -= 1;
      return false;
    }
    this.asked.set(key, restedAfter(Math.min(known.tries + 1, mostTries)));
    return true;
  }

  /** Notes that a reply could be given again, or not. */
  note(key: string, outcome: 'hits' | 'changed' | 'unkept'): void {
    this.counts[outcome] += 1;
    if (outcome !== 'hits') this.replies.delete(key);
    if (outcome !== 'changed') this.asked.set(key, restedAfter(outcome === 'hits' ? 0 : mostTries));
  }

  keep(key: string, kept: Kept, generation: number): void {
    if (generation !== this.generation) return;
    this.counts.kept += 1;
    this.replies.set(key, kept);
  }
}

const restedAfter = (tries: number): Asked => ({
  tries,
  rest: tries <= patientTries ? 0 : 2 ** (tries - patientTries),
});

/** One request and the memory of replies. Every request calls {@link take} first, and {@link keep} last. */
export class ReplyVisit<Reply> {
  private isWorth = false;
  private recorder: ReadRecorder | null = null;
  private startedAt = 0;
  private generation = 0;

  constructor(
    private readonly memory: KeptReplies,
    private readonly key: string,
  ) {}

  /** The reply, if one is kept and what it was made of has not changed. `now` stands in for the time of the recording. */
  async take(db: Db, now: Date | null = null): Promise<Reply | null> {
    this.isWorth = this.memory.isWorth(this.key);
    const kept = this.isWorth ? this.memory.get(this.key) : undefined;
    if (!kept) return null;
    const { currentGeneration } = this.memory;
    const holds = (await stillReads(db, kept.check, now)) && currentGeneration === this.memory.currentGeneration;
    this.memory.note(this.key, holds ? 'hits' : 'changed');
    return holds ? (kept.reply as Reply) : null;
  }

  /**
   * Records what is read from here on, where the request is worth it. Gives the services to make the reply with.
   *
   * @param time what statements may have for the present time, as this very object; the recorded services have no clock
   */
  record<S extends object>(reads: { recorder: ReadRecorder | null }, services: S, time: Date | null = null): S {
    if (!this.isWorth) return services;
    const recorder = new ReadRecorder();
    recorder.time = time;
    this.recorder = recorder;
    this.startedAt = performance.now();
    this.generation = this.memory.currentGeneration;
    reads.recorder = recorder;
    const recorded = new Proxy(services, {
      get: (target, name) => {
        if (!constantServices.has(name)) recorder.spoil(`services.${String(name)}`);
        return Reflect.get(target, name, target) as unknown;
      },
    });
    wholes.set(recorded, services);
    return recorded;
  }

  /** Whether the request is recorded. */
  get records(): boolean {
    return this.recorder !== null;
  }

  /** Whether {@link keep} wants the reply. */
  get wantsReply(): boolean {
    return this.recorder !== null && performance.now() - this.startedAt <= longestRecordedMs;
  }

  /** Keeps the reply, which has so many bytes, if all that it was made of can be checked. */
  keep(reply: Reply, bytes: number): void {
    if (!this.recorder || !this.wantsReply) return;
    const check = this.recorder.check();
    if (!check) this.memory.note(this.key, 'unkept');
    else this.memory.keep(this.key, { check, reply, bytes: bytes + check.bytes + overhead }, this.generation);
  }
}

const wholes = new WeakMap<object, object>();

/** The services of the process behind those of a recording. */
export const wholeServices = <S extends object>(services: S): S => (wholes.get(services) as S | undefined) ?? services;

/** The rights of a caller, which the statements of a request have in them. */
export function rightsOf(actor: UserActor): unknown {
  const { userId, scopes, organizations, roles } = actor;
  return [credentialOf(actor), userId, [...scopes], organizations === 'all' || [...organizations], [...roles]];
}
