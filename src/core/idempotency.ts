import { sql } from 'kysely';
import { credentialOf } from '../auth/actor.js';
import { seal, unsealOwn } from '../auth/sealed.js';
import { isSignedBy, sign } from '../auth/secrets.js';
import type { Context, IdempotencyClaim } from '../request/context.js';
import { jsonSize } from '../domain/json-size.js';
import { byteLength, limits } from '../domain/limits/limits.js';
import { Problem } from '../domain/problem.js';
import type { Json } from '../domain/pipelines/steps/step.js';

/** Reply of a surface, as sent. */
export interface Reply {
  status: number;
  body: string | null;
  /** What a repeat is answered with if the body is above `limits.idempotencyReplyBytes`: where to read the whole. */
  brief?: { status: number; body: string };
}

const lifetimeHours = 24;
const purpose = 'idempotency';

/**
 * Claims the request's idempotency key inside the command's transaction. Returns null for the first request with the
 * key, else that request's output, its holders and its reply. The output is not whole if it was too large to be stored:
 * short fields of its rows are left then. Throws `conflict` for a different body, or while the first request
 * is under way.
 */
export async function claimIdempotencyKey(
  context: Context,
  operation: string,
): Promise<{ result: unknown; isWhole: boolean; reply: Reply | null; holders: Holders } | null> {
  const claim = context.request.idempotency;
  const { actor } = context;
  if (!claim || actor.kind !== 'user') return null;
  const lock = await sql<{
    taken: boolean;
  }>`select pg_try_advisory_xact_lock(hashtextextended(${`${credentialOf(actor)} ${claim.key}`}, 0)) as taken`.execute(
    context.db,
  );
  if (!lock.rows[0]?.taken)
    throw new Problem('conflict', 'A request with this Idempotency-Key is still being processed');
  const oldest = new Date(context.now.getTime() - lifetimeHours * 3_600_000);
  await context.db
    .deleteFrom('idempotency_keys')
    .where('apiTokenId', '=', credentialOf(actor))
    .where('key', '=', claim.key)
    .where('createdAt', '<', oldest)
    .execute();
  const row = await context.db
    .selectFrom('idempotency_keys')
    .selectAll()
    .where('apiTokenId', '=', credentialOf(actor))
    .where('key', '=', claim.key)
    .executeTakeFirst();
  if (!row) return null;
  if (
    row.operation !== operation ||
    !isSignedBy(context.services.secretKey, row.fingerprint, purpose, claim.fingerprint)
  ) {
    throw new Problem('conflict', 'This Idempotency-Key was used with a different request');
  }
  const reply =
    row.replyStatus === null
      ? null
      : { status: row.replyStatus, body: row.replyBody && openText(context, claim.key, row.replyBody) };
  if (row.result === null) throw notStored();
  const first = JSON.parse(openText(context, claim.key, (row.result as unknown as Sealed).sealed)) as StoredResult;
  return { result: revive(first), isWhole: !first.isShortened, reply, holders: first.holders ?? {} };
}

/** Stores the command's output under the key, with its holders, in the command's transaction. */
export async function storeResult(
  context: Context,
  operation: string,
  result: unknown,
  holders: Holders,
): Promise<void> {
  const claim = context.request.idempotency;
  const { actor } = context;
  if (!claim || actor.kind !== 'user') return;
  await context.db
    .insertInto('idempotency_keys')
    .values({
      apiTokenId: credentialOf(actor),
      key: claim.key,
      operation,
      fingerprint: fingerprintOf(context, claim),
      result: { sealed: sealText(context, claim.key, JSON.stringify(freeze(result, holders))) },
      createdAt: context.now,
    })
    .execute();
}

/** Stores the reply to a request under its key; the first stored reply stays. */
export async function storeReply(context: Context, reply: Reply): Promise<void> {
  const claim = context.request.idempotency;
  const { actor } = context;
  if (!claim || actor.kind !== 'user') return;
  const isLarge = reply.body !== null && byteLength(reply.body) > limits.idempotencyReplyBytes;
  const stored = isLarge ? reply.brief : reply;
  // A repeat presents what the command returned.
  if (!stored) return;
  await context.db
    .updateTable('idempotency_keys')
    .set({ replyStatus: stored.status, replyBody: stored.body && sealText(context, claim.key, stored.body) })
    .where('apiTokenId', '=', credentialOf(actor))
    .where('key', '=', claim.key)
    .where('replyStatus', 'is', null)
    .execute();
}

interface Sealed {
  sealed: string;
}

/**
 * Replies may contain a token that is shown only once, and requests a secret: the database holds neither in plain text.
 */
const sealText = (context: Context, key: string, text: string) => seal(context.services.secretKey, purpose, text, key);
const openText = (context: Context, key: string, sealed: string) =>
  unsealOwn(context.services.secretKey, purpose, sealed, key);
const fingerprintOf = (context: Context, { fingerprint }: IdempotencyClaim) =>
  sign(context.services.secretKey, purpose, fingerprint);

/** An operation's output as JSON, with the paths of its dates, which JSON holds as text. */
interface StoredResult {
  output: Json;
  dates: string[][];
  /** Whether long fields of the output were left out, because the whole was too large. */
  isShortened?: boolean;
  /** Absent in rows of releases that did not store them. */
  holders?: Holders;
}

/**
 * Ids of the resources whose access rights protect a command's subject and its reply; rights are checked against them
 * on a repeat.
 */
export interface Holders {
  organization?: string;
  pipeline?: string;
  team?: string;
  suite?: string;
  cluster?: string;
}

function freeze(whole: unknown, holders: Holders): StoredResult {
  const isShortened = jsonSize(whole, limits.idempotencyReplyBytes) > limits.idempotencyReplyBytes;
  const output = isShortened ? shortened(whole, shortenedLevels) : whole;
  const stored = { output: (output ?? null) as Json, dates: [...datesOf(output, [])], holders };
  return isShortened ? { ...stored, isShortened } : stored;
}

/** Levels of objects, and bytes of a field, that are left of an output that is too large: enough to check rights by. */
const shortenedLevels = 4;
const shortField = 500;

function shortened(value: unknown, levels: number): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Date)
    return jsonSize(value, shortField) > shortField ? undefined : value;
  if (Array.isArray(value)) return jsonSize(value, shortField) > shortField ? undefined : (value as unknown[]);
  if (levels === 0) return undefined;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shortened(inner, levels - 1)]));
}

/**
 * The refusal of a repeat whose first reply was too large to be stored, or is not stored any more
 * (`limits.idempotencyKeptBytes`).
 */
export function notStored(): Problem {
  return new Problem(
    'conflict',
    'The first request with this Idempotency-Key was carried out, and its reply was too large to be kept: read ' +
      'what it made or changed',
  );
}

function* datesOf(value: unknown, path: string[]): Generator<string[]> {
  if (value instanceof Date) yield path;
  else if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value)) yield* datesOf(inner, [...path, key]);
}

/** Restores the output; only recorded paths become dates, so that a caller's text that looks like one stays text. */
function revive({ output, dates }: StoredResult): unknown {
  const whole = { output };
  for (const path of dates) {
    const last = path.at(-1) ?? 'output';
    const holder = path
      .slice(0, -1)
      .reduce<Record<string, unknown>>(
        (at, key) => at[key] as Record<string, unknown>,
        (path.length === 0 ? whole : output) as Record<string, unknown>,
      );
    holder[last] = new Date(holder[last] as string);
  }
  return whole.output;
}
