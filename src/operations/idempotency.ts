import { sql } from 'kysely';
import { seal, unsealOwn } from '../auth/sealed.js';
import { sign } from '../auth/secrets.js';
import type { Context, IdempotencyClaim } from '../context.js';
import { jsonb } from '../database/row-conversion.js';
import { Problem } from '../domain/problem.js';
import type { Json } from '../domain/steps/step.js';

/** What a surface answered, as it went over the wire. */
export interface Reply {
  status: number;
  body: string | null;
}

const lifetimeHours = 24;

/**
 * Takes the request's idempotency key, inside the command's transaction. Returns null when the request is the first
 * with it, else what that one returned. Another body, or one still under way, is a `conflict` (promises.md).
 */
export async function claimIdempotencyKey(context: Context, operation: string): Promise<{ result: unknown; reply: Reply | null } | null> {
  const claim = context.request.idempotency;
  const { actor } = context;
  if (!claim || actor.kind !== 'user') return null;
  const lock = await sql<{ taken: boolean }>`select pg_try_advisory_xact_lock(hashtextextended(${`${actor.apiTokenId} ${claim.key}`}, 0)) as taken`.execute(context.db);
  if (!lock.rows[0]?.taken) throw new Problem('conflict', 'A request with this Idempotency-Key is still being processed');
  const oldest = new Date(context.now.getTime() - lifetimeHours * 3_600_000);
  await context.db.deleteFrom('idempotency_keys').where('apiTokenId', '=', actor.apiTokenId).where('key', '=', claim.key).where('createdAt', '<', oldest).execute();
  const row = await context.db.selectFrom('idempotency_keys').selectAll().where('apiTokenId', '=', actor.apiTokenId).where('key', '=', claim.key).executeTakeFirst();
  if (!row) return null;
  if (row.operation !== operation || row.fingerprint !== fingerprintOf(context, claim)) {
    throw new Problem('conflict', 'This Idempotency-Key was used with a different request');
  }
  const reply = row.replyStatus === null ? null : { status: row.replyStatus, body: row.replyBody && openText(context, claim.key, row.replyBody) };
  return { result: revive(JSON.parse(openText(context, claim.key, (row.result as unknown as Sealed).sealed)) as Kept), reply };
}

/** Stores what the command returned under the key, in the command's transaction. */
export async function keepResult(context: Context, operation: string, result: unknown): Promise<void> {
  const claim = context.request.idempotency;
  const { actor } = context;
  if (!claim || actor.kind !== 'user') return;
  await context.db
    .insertInto('idempotency_keys')
    .values({
      apiTokenId: actor.apiTokenId,
      key: claim.key,
      operation,
      fingerprint: fingerprintOf(context, claim),
      result: jsonb({ sealed: sealText(context, claim.key, JSON.stringify(freeze(result))) }),
      createdAt: context.now,
    })
    .execute();
}

export async function keepReply(context: Context, reply: Reply): Promise<void> {
  const claim = context.request.idempotency;
  const { actor } = context;
  if (!claim || actor.kind !== 'user') return;
  await context.db
    .updateTable('idempotency_keys')
    .set({ replyStatus: reply.status, replyBody: reply.body && sealText(context, claim.key, reply.body) })
    .where('apiTokenId', '=', actor.apiTokenId)
    .where('key', '=', claim.key)
    .execute();
}

interface Sealed {
  sealed: string;
}

/** What was answered may hold a token that is shown this once, and what was asked a secret: neither stands in the database. */
const sealText = (context: Context, key: string, text: string) => seal(context.services.secretKey, 'idempotency', text, key);
const openText = (context: Context, key: string, sealed: string) => unsealOwn(context.services.secretKey, 'idempotency', sealed, key);
const fingerprintOf = (context: Context, { fingerprint }: IdempotencyClaim) => sign(context.services.secretKey, 'idempotency', fingerprint);

/** What an operation returned, as JSON can hold it: with the places where dates stood, which JSON has only text for. */
interface Kept {
  output: Json;
  dates: string[][];
}

function freeze(output: unknown): Kept {
  return { output: (output ?? null) as Json, dates: [...datesOf(output, [])] };
}

function* datesOf(value: unknown, path: string[]): Generator<string[]> {
  if (value instanceof Date) yield path;
  else if (typeof value === 'object' && value !== null) for (const [key, inner] of Object.entries(value)) yield* datesOf(inner, [...path, key]);
}

/** The same again; text of the caller's that looks like a date stays text. */
function revive({ output, dates }: Kept): unknown {
  const whole = { output };
  for (const path of dates) {
    const last = path.at(-1) ?? 'output';
    const holder = path.slice(0, -1).reduce<Record<string, unknown>>((at, key) => at[key] as Record<string, unknown>, (path.length === 0 ? whole : output) as Record<string, unknown>);
    holder[last] = new Date(holder[last] as string);
  }
  return whole.output;
}
