import { nextTurn } from '../../event-loop/turns.js';
import type { Context } from '../../request/context.js';
import { jsonSize } from '../../domain/json-size.js';
import type { Json } from '../../domain/pipelines/steps/step.js';
import type {
  InnerPart,
  Fragment,
  FragmentCache,
  PartText,
  VersionedSource,
} from '../../response-cache/fragment-cache.js';
import { mostBytesOf, replyTooLarge } from '../../http/reply-size.js';
import { lengthOf, type Pieces, smallBody } from '../../http/send-pieces.js';
import { versionOf, Versions } from '../../request/source-versions.js';
import { kindNamed, leaveGaps, Part, textOf, textOfLarge } from './part.js';
import { Recording } from './recording.js';

/**
 * Puts one reply together of parts. Parts in memory are taken if all that they were made of has the same version now,
 * which one statement finds out for all of them; the others are presented together, so that their loads are batched.
 */
export class ReplyParts {
  private readonly versions: Versions;
  private readonly generation: number;
  /** Parts that can be shown, by key. */
  private readonly ready = new Map<string, PartText>();
  /** Forms of parts in memory, by key of the part; they may be out of date. */
  private readonly candidates = new Map<string, readonly Fragment[]>();
  /** Bytes that the reply may have. */
  private readonly most: number;
  /** Bytes of the texts that were made for this reply. */
  private made = 0;
  private madeSinceTurn = 0;
  /** Large texts are written one after the other: each has its turns where its own work is. */
  private written: Promise<unknown> = Promise.resolve();
  /** Set while others have their turn, for which all parts wait. */
  private turn: Promise<void> | null = null;

  constructor(
    private readonly context: Context,
    private readonly memory: FragmentCache,
  ) {
    this.most = mostBytesOf(context);
    this.versions = new Versions(context);
    this.generation = memory.currentGeneration;
    leaveGaps(context);
  }

  /**
   * Writes a value as JSON text with all its parts: small text in one buffer, large text in the pieces that parts
   * share. Throws `too_large` before it builds more than a reply may have.
   */
  async write(value: Json): Promise<Buffer | Pieces> {
    const whole = await this.textOf(value);
    let open: readonly InnerPart[] = whole.inner;
    while (open.length > 0) {
      await this.readVersions(open);
      const missing = new Map<string, InnerPart>();
      this.settle(open, missing, new Set());
      await Promise.all([...missing.values()].map((part) => this.present(part)));
      open = [...missing.keys()].flatMap((key) => this.ready.get(key)?.inner ?? []);
    }
    const pieces: Buffer[] = [];
    const size = this.collect(whole, pieces, 0);
    if (size <= smallBody) return Buffer.concat(pieces, size);
    this.context.request.share?.charge(this.made);
    return pieces;
  }

  /**
   * Writes a value around its parts, a large one in steps. Throws `too_large` where the parts that were made before
   * have used up what the reply may have.
   */
  private async textOf(value: Json): Promise<PartText & { inner: readonly Part[] }> {
    // Hundreds of parts go on at once when their common statement returns.
    while (this.turn) await this.turn;
    const size = jsonSize(value, this.most);
    if (this.made + size > this.most) throw replyTooLarge(this.most);
    if (size > smallBody) {
      const text = this.written.then(() => textOfLarge(value, (bytes) => this.count(bytes)));
      this.written = text.catch(() => undefined);
      return text;
    }
    const text = textOf(value);
    const turn = this.count(lengthOf(text.texts));
    if (turn) await turn;
    return text;
  }

  /** Counts bytes that were made; gives a promise where others are to have their turn first. Throws `too_large`. */
  private count(bytes: number): Promise<void> | undefined {
    this.made += bytes;
    this.madeSinceTurn += bytes;
    if (this.made > this.most) throw replyTooLarge(this.most);
    if (this.madeSinceTurn <= madeBetweenTurns) return undefined;
    this.madeSinceTurn = 0;
    this.turn ??= nextTurn().then(() => void (this.turn = null));
    return this.turn;
  }

  /** Takes the version of a row that the request has read. */
  private know(kind: string, row: { id: string }): void {
    const version = versionOf(row);
    if (version !== undefined) this.versions.know(kind, row.id, version);
  }

  /** Reads the present versions of all that the parts in memory were made of, and the parts inside them. */
  private async readVersions(parts: readonly InnerPart[]): Promise<void> {
    const sources: VersionedSource[] = [];
    for (let level = parts; level.length > 0;) {
      const next: InnerPart[] = [];
      const fresh: InnerPart[] = [];
      for (const part of level) {
        if (this.ready.has(part.key) || this.candidates.has(part.key)) continue;
        const { kept, table } = kindNamed(part.kind);
        if (!kept) {
          this.candidates.set(part.key, []);
          fresh.push(part);
          continue;
        }
        if (table !== null && part instanceof Part && part.row) this.know(`row ${table}`, part.row);
        const forms = this.memory.get(part.key);
        this.candidates.set(part.key, forms);
        for (const form of forms) {
          sources.push(...form.sources);
          next.push(...form.inner);
        }
      }
      // Errors are ignored here: a part may only belong to an outdated form, and a part that the reply needs is
      // presented again and fails there.
      await Promise.all(fresh.map((part) => this.present(part).catch(() => undefined)));
      for (const { key } of fresh) next.push(...(this.ready.get(key)?.inner ?? []));
      level = next;
    }
    await this.versions.read(sources);
  }

  /** Takes what is up to date from memory; adds what has to be presented to `missing`. */
  private settle(parts: readonly InnerPart[], missing: Map<string, InnerPart>, settled: Set<string>): void {
    for (const part of parts) {
      if (settled.has(part.key)) continue;
      settled.add(part.key);
      const text = this.ready.get(part.key) ?? this.taken(part);
      if (text) this.settle(text.inner, missing, settled);
      else missing.set(part.key, part);
    }
  }

  private taken(part: InnerPart): PartText | null {
    const form = this.candidates.get(part.key)?.find(({ sources }) => this.isCurrent(sources));
    if (!form) return null;
    this.memory.count(part.kind, 'hits');
    this.ready.set(part.key, form);
    return form;
  }

  private isCurrent(sources: readonly VersionedSource[]): boolean {
    for (const source of sources) if (!this.versions.matches(source)) return false;
    return true;
  }

  private async present(part: InnerPart): Promise<void> {
    const { kept, table, present } = kindNamed(part.kind);
    const row = part instanceof Part ? part.row : null;
    if (!kept) {
      this.ready.set(part.key, await this.textOf(await present(this.context, part.args, row)));
      return;
    }
    const recording = new Recording(this.context);
    leaveGaps(recording.context);
    if (row) recording.note(`row ${String(table)}`, row);
    const text = await this.textOf(await present(recording.context, part.args, row));
    this.ready.set(part.key, text);
    this.keep(part, text, recording);
  }

  private keep(part: InnerPart, { texts, inner }: ReturnType<typeof textOf>, recording: Recording): void {
    const result = recording.result();
    if ('reason' in result) {
      this.memory.count(part.kind, 'unkept');
      this.context.services.log.debug({ part: part.kind, reason: result.reason }, 'a part of a reply was not kept');
      return;
    }
    this.memory.count(part.kind, 'misses');
    const identities = inner.map(({ kind, args, key }) => ({ kind, args, key }));
    this.memory.keep(part.key, { texts, inner: identities, sources: result.sources }, this.generation);
  }

  /** Adds the pieces of a text with its parts; gives the bytes of all pieces. Throws `too_large` beyond the bound. */
  private collect({ texts, inner }: PartText, pieces: Buffer[], before: number): number {
    let size = before;
    for (let index = 0; index < texts.length; index += 1) {
      const text = texts[index] as Buffer;
      pieces.push(text);
      size += text.length;
      if (size > this.most) throw replyTooLarge(this.most);
      const part = inner[index];
      if (part) size = this.collect(this.ready.get(part.key) as PartText, pieces, size);
    }
    return size;
  }
}

/** Bytes of texts that are made before the event loop has a turn. */
const madeBetweenTurns = 1024 * 1024;
