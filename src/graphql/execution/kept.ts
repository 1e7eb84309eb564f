import { createHash } from 'node:crypto';
import { Extensions } from 'type-graphql';
import type { FragmentCache, ReplyCost } from '../../response-cache/fragment-cache.js';

/** A value of a reply as its JSON text, which was made for an earlier reply. */
export class KeptText {
  constructor(
    readonly text: Buffer,
    readonly cost: ReplyCost,
  ) {}

  toJSON(): unknown {
    return JSON.parse(this.text.toString('utf8'));
  }
}

/**
 * How a field's list can be kept: everything in it is made of the rows whose versions this gives, and of the arguments.
 * Hidden lists have no version.
 */
export interface KeptBy {
  /** Kind of the part, for the metrics. */
  kind: string;
  /** Whether lists with these arguments depend on nothing else. */
  covers(args: Readonly<Record<string, unknown>>): boolean;
  /** Reads the present version of the list of a parent, with the rights of the caller. */
  version(context: never, parent: { id: string }): Promise<string | undefined>;
}

/** Keeps the JSON text of a field's lists if the selection reads only columns of their rows. */
export const Kept = (by: KeptBy): MethodDecorator => Extensions({ kept: by }) as MethodDecorator;

export function keptBy({ extensions }: { extensions: Readonly<Record<string, unknown>> }): KeptBy | null {
  return (extensions['kept'] as KeptBy | undefined) ?? null;
}

/** Texts of the lists of one field of a plan. */
export class KeptLists {
  private readonly name: string;

  /** @param shape says what is selected, and how it is called in the reply. */
  constructor(
    readonly by: KeptBy,
    shape: string,
    private readonly costOf: (value: unknown) => ReplyCost,
  ) {
    this.name = `graphql ${by.kind} ${createHash('sha256').update(shape).digest('base64')}`;
  }

  key(parent: { id: string }, args: object): string {
    return `${this.name} ${parent.id} ${JSON.stringify(args)}`;
  }

  get(parts: FragmentCache, key: string, version: string): KeptText | null {
    const part = parts.get(key).find(({ sources }) => sources[0]?.version === version);
    const [text] = part?.texts ?? [];
    parts.count(`graphql ${this.by.kind}`, text ? 'hits' : 'misses');
    return text ? new KeptText(text, part?.cost ?? { objects: 0, characters: 0 }) : null;
  }

  keep(
    parts: FragmentCache,
    { key, version, value }: { key: string; version: string; value: unknown },
    generation: number,
  ) {
    const texts = [Buffer.from(JSON.stringify(value))];
    const sources = [{ kind: this.by.kind, key: '', version }];
    parts.keep(key, { texts, inner: [], sources, cost: this.costOf(value) }, generation);
  }
}
