import { randomUUID } from 'node:crypto';
import { writeJson } from '../../event-loop/json-in-steps.js';
import type { Context } from '../../request/context.js';
import type { Json, JsonObject } from '../../domain/pipelines/steps/step.js';
import type { InnerPart, PartText } from '../../response-cache/fragment-cache.js';

/** A kind of part: a piece of JSON that replies are made of. */
export interface PartKind<Args extends object, Row extends { id: string }> {
  readonly name: string;
  /** Whether its text is kept; a part of another kind is presented anew in every reply. */
  readonly kept: boolean;
  /** Table of the row that a part of this kind shows; null if it shows none or several. */
  readonly table: string | null;
  /**
   * Presents a part.
   *
   * @param args identify the part, and hold everything that it shows and that is not loaded through the context
   * @param row the row that it shows, if the caller has it; it is loaded otherwise
   */
  readonly present: (context: Context, args: Args, row: Row | null) => Promise<Json>;
}

// Kinds of all arguments are in one list.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type AnyKind = PartKind<any, any>;

const kinds = new Map<string, AnyKind>();

/** Declares a part whose text is kept: see docs/decisions/0013-kept-parts.md for what it may read. */
export function keptPart<Args extends object, Row extends { id: string }>(
  name: string,
  table: string | null,
  present: PartKind<Args, Row>['present'],
): PartKind<Args, Row> {
  return register({ name, kept: true, table, present });
}

/**
 * Declares a part that is presented anew in every reply: the choice of the parts that are kept inside it, for example.
 */
export function freshPart<Args extends object>(
  name: string,
  present: (context: Context, args: Args) => Promise<Json>,
): PartKind<Args, never> {
  return register({ name, kept: false, table: null, present });
}

function register<Kind extends AnyKind>(kind: Kind): Kind {
  if (kinds.has(kind.name)) throw new Error(`two kinds of parts are named ${kind.name}`);
  kinds.set(kind.name, kind);
  return kind;
}

export function kindNamed(name: string): AnyKind {
  const kind = kinds.get(name);
  if (!kind) throw new Error(`no kind of part is named ${name}`);
  return kind;
}

/** Parts that were met while a value was written as JSON, in order. */
let met: Part[] = [];
/** Stands for a part in JSON text; no user can know it. */
const marker = `part ${randomUUID()}`;

/** A place in a reply where a part is to be shown. */
export class Part implements InnerPart {
  readonly key: string;

  constructor(
    readonly kind: string,
    readonly args: object,
    readonly row: { id: string } | null = null,
  ) {
    this.key = `${kind} ${JSON.stringify(args)}`;
  }

  toJSON(): string {
    met.push(this);
    return marker;
  }
}

/** Writes a value as JSON text, with a gap for each part in it. */
export function textOf(value: Json): PartText & { inner: readonly Part[] } {
  let text: string;
  let inner: Part[];
  try {
    text = JSON.stringify(value);
  } finally {
    [inner, met] = [met, []];
  }
  const texts = inner.length === 0 ? [text] : text.split(`"${marker}"`);
  return { texts: texts.map((each) => Buffer.from(each)), inner };
}

/** Characters of a piece of a large text. */
const pieceLength = 64 * 1024;

/**
 * Writes a large value like {@link textOf}, in steps.
 *
 * @param made gets the characters of each piece, and gives a promise where others are to have their turn first
 */
export async function textOfLarge(
  value: Json,
  fragment: (bytes: number) => Promise<void> | undefined,
): Promise<PartText & { inner: readonly Part[] }> {
  const texts: Buffer[] = [];
  const inner: Part[] = [];
  let open: Buffer[] = [];
  let text = '';
  const flush = () => {
    const [first = '', ...rest] = text.split(`"${marker}"`);
    text = '';
    open.push(Buffer.from(first));
    for (const next of rest) {
      texts.push(joined(open));
      open = [Buffer.from(next)];
    }
  };
  await writeJson(value, (more) => {
    // Nothing else was written since the step began: `met` holds the parts of this text.
    inner.push(...met);
    met = [];
    text += more;
    if (text.length < pieceLength) return undefined;
    const turn = fragment(text.length);
    flush();
    return turn;
  });
  const turn = fragment(text.length);
  flush();
  texts.push(joined(open));
  if (turn) await turn;
  return { texts, inner };
}

const joined = (buffers: readonly Buffer[]): Buffer =>
  buffers.length === 1 ? (buffers[0] as Buffer) : Buffer.concat(buffers);

const replies = new WeakMap<Context, unknown>();

/** Has presenters that get this context leave gaps for parts. */
export function leaveGaps(context: Context): void {
  replies.set(context, true);
}

/** Whether presenters of this context leave gaps for parts. */
export const leavesGaps = (context: Context): boolean => replies.has(context);

/** A part of a reply: a gap for it where the reply is put together of parts, else its value. */
export function showPart<Args extends object, Row extends { id: string }>(
  context: Context,
  kind: PartKind<Args, Row>,
  args: Args,
  row: Row | null = null,
): Promise<JsonObject> {
  if (!leavesGaps(context)) return kind.present(context, args, row) as Promise<JsonObject>;
  return Promise.resolve(new Part(kind.name, args, row) as unknown as JsonObject);
}
