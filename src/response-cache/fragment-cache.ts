import { LRUCache } from 'lru-cache';
import { ResponseCache } from './response-cache.js';

/**
 * Something that a part was made of.
 *
 * - `row TABLE`: a row by its id.
 * - `references TABLE`: a row in a pipeline that the caller may see; hidden is like absent.
 * - `set TABLE`: all rows of a build.
 * - `jobs latest` and `jobs all`: outlines of the jobs of a build, with the versions of the rows of jobs and steps.
 * - `counts pipelines`: numbers of unfinished builds and jobs of a pipeline.
 * - `value LOADER`: the value of a loader; it is its own version.
 */
export interface Source {
  kind: string;
  key: string;
}

/** A source with the version that it had (`request/source-versions.ts`). */
export interface VersionedSource extends Source {
  version: string;
}

/** A part inside another one: the name of its kind, and what identifies it. */
export interface InnerPart {
  kind: string;
  args: object;
  key: string;
}

/** JSON text with gaps: `texts` has one element more than `inner`, and an inner part stands between each two. */
export interface PartText {
  texts: readonly Buffer[];
  inner: readonly InnerPart[];
}

/** A part of a reply, valid as long as every source has the version that it had when the part was made. */
export interface Fragment extends PartText {
  sources: readonly VersionedSource[];
}

export interface PartCounts {
  /** Parts of replies that were taken from memory. */
  hits: number;
  /** Parts that were made and stored. */
  misses: number;
  /** Number of parts that were made and cannot be kept; each of them is a defect. */
  unkept: number;
}

/**
 * Callers who may see different things get different texts of one part; those differ in their sources, because a hidden
 * row is like an absent one. More than a few forms of one part are seldom in use at a time.
 */
const formsOfPart = 4;
/** Bytes of the objects around a part and around each of its sources, estimated. */
const overheadOfPart = 500;
const overheadOfSource = 150;
/** Bytes of the views on the buffer of a part, and of the objects around an inner part, estimated. */
const overheadOfText = 150;
const overheadOfInner = 300;

/** Share of the memory that whole replies have. */
const shareOfReplies = 0.25;

/**
 * Parts of replies in the memory of this process, at most so many bytes; the part whose use is longest ago goes first.
 */
export class FragmentCache {
  /** Replies that are kept whole, in a share of the memory. */
  readonly responses: ResponseCache;
  private readonly parts: LRUCache<string, readonly Fragment[]>;
  /** Raised when everything is forgotten. */
  private generation = 0;
  private readonly countsByKind = new Map<string, PartCounts>();

  constructor(bytes: number) {
    const ofReplies = Math.floor(bytes * shareOfReplies);
    const ofParts = bytes - ofReplies;
    this.responses = new ResponseCache(ofReplies);
    this.parts = new LRUCache({ maxSize: ofParts, maxEntrySize: Math.ceil(ofParts / 10), sizeCalculation: sizeOf });
  }

  /** The forms of a part that are kept, newest first. */
  get(key: string): readonly Fragment[] {
    return this.parts.get(key) ?? [];
  }

  /** Number of the present state of the database; pass it to {@link keep} with the rows read from now on. */
  get currentGeneration(): number {
    return this.generation;
  }

  /** Stores a part whose rows were read in this generation, unless a new generation has begun since. */
  keep(key: string, part: Fragment, generation: number): void {
    if (generation !== this.generation) return;
    const others = this.parts.peek(key)?.filter(({ sources }) => !sameThings(sources, part.sources)) ?? [];
    this.parts.set(key, [{ ...part, texts: compact(part.texts) }, ...others].slice(0, formsOfPart));
  }

  /** Forgets everything: the database may have been replaced by one that lacks its last changes. */
  clear(): void {
    this.generation += 1;
    this.parts.clear();
    this.responses.clear();
  }

  /** Bytes in use, bytes allowed, number of parts, and counts by kind of part. */
  use(): { bytes: number; budget: number; parts: number; counts: ReadonlyMap<string, PartCounts> } {
    const { calculatedSize: bytes, maxSize: budget, size: parts } = this.parts;
    return { bytes, budget, parts, counts: this.countsByKind };
  }

  count(kind: string, outcome: keyof PartCounts): void {
    let counts = this.countsByKind.get(kind);
    if (!counts) this.countsByKind.set(kind, (counts = { hits: 0, misses: 0, unkept: 0 }));
    counts[outcome] += 1;
  }
}

/** Whether two forms were made of the same things, present or hidden: then the older form is out of date. */
function sameThings(some: readonly VersionedSource[], others: readonly VersionedSource[]): boolean {
  const isSame = (one: VersionedSource, other?: VersionedSource) =>
    other?.kind === one.kind && other.key === one.key && (other.version === '') === (one.version === '');
  return some.length === others.length && some.every((one, index) => isSame(one, others[index]));
}

/** The texts as views of one buffer of their own: small buffers share a pool, which the smallest of them would keep. */
function compact(texts: readonly Buffer[]): readonly Buffer[] {
  if (texts.every(({ buffer, byteLength }) => buffer.byteLength === byteLength)) return texts;
  const whole = Buffer.allocUnsafeSlow(texts.reduce((sum, { length }) => sum + length, 0));
  let start = 0;
  return texts.map((text) => {
    text.copy(whole, start);
    start += text.length;
    return whole.subarray(start - text.length, start);
  });
}

function sizeOf(forms: readonly Fragment[], key: string): number {
  let size = 2 * key.length;
  for (const { texts, inner, sources } of forms) {
    size += overheadOfPart + overheadOfText * texts.length;
    size += overheadOfSource * sources.length + overheadOfInner * inner.length;
    for (const { length } of texts) size += length;
    for (const source of sources) size += source.key.length + source.version.length;
    for (const part of inner) size += 2 * part.key.length;
  }
  return size;
}
