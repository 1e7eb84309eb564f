import { sql } from 'kysely';
import type { Context } from '../../../request/context.js';
import { plainAnnotation } from '../../../domain/builds/annotations/plain.js';
import { limits } from '../../../domain/limits/limits.js';
import { Problem } from '../../../domain/problem.js';
import { TaskTooDear } from '../../../workers/pool.js';
import { callerOf } from '../../../auth/caller.js';

/** Services for rendering; never a transaction's handle, since rendering is refused there. */
type Reader = Pick<Context, 'services' | 'actor' | 'load'>;

/**
 * Returns the sanitized HTML of an annotation's body; null if the annotation is gone. A body changed since its HTML was
 * last read is rendered now, in a thread, and stored with the row. A body that takes too long, nests too deeply or
 * becomes too large is shown as plain text after a sentence that says so.
 */
export async function annotationHtml(reader: Reader, id: string): Promise<string | null> {
  const stored = await reader.load.longTexts.annotationHtml.load(id);
  return stored ?? inTurn(reader, () => render(reader, id));
}

interface Turns {
  last: Promise<unknown>;
  /** Milliseconds spent rendering. */
  spent: number;
}

/**
 * A reply renders annotations one after another, so that their bodies are not all in memory at once, ahead of everyone
 * else's.
 */
const turns = new WeakMap<object, Turns>();

/** Milliseconds of rendering in one reply; later annotations are shown as plain text until they are read again. */
const renderedPerReply = 10_000;

async function inTurn(reader: Reader, work: () => Promise<string | null>): Promise<string | null> {
  const own = turns.get(reader.load) ?? { last: Promise.resolve(), spent: 0 };
  turns.set(reader.load, own);
  const turn = own.last.then(work);
  own.last = turn.catch(() => undefined);
  return turn;
}

/** Renderings under way, by annotation and body: readers of the same one wait for the first. */
const underway = new Map<string, Promise<string>>();

async function render(reader: Reader, id: string): Promise<string | null> {
  const { db } = reader.services;
  const row = await db
    .selectFrom('annotations')
    .select(['body', 'bodyHtml', sql<string>`md5(body)`.as('digest')])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) return null;
  if (row.bodyHtml !== null) return row.bodyHtml;
  const spent = turns.get(reader.load);
  if (spent && spent.spent > renderedPerReply) return plainAnnotation(row.body, 'busy', limits.annotationHtmlBytes);
  const startedAt = performance.now();
  const key = `${id} ${row.digest}`;
  const work = underway.get(key) ?? renderAndStore(reader, { id, ...row }).finally(() => underway.delete(key));
  underway.set(key, work);
  const html = await work;
  if (spent) spent.spent += performance.now() - startedAt;
  return html;
}

async function renderAndStore(
  { services, actor }: Reader,
  { id, body, digest }: { id: string; body: string; digest: string },
): Promise<string> {
  const html = await htmlOf(services, callerOf(actor), body);
  if (html === null) return plainAnnotation(body, 'busy', limits.annotationHtmlBytes);
  // Only if the body is still the rendered one: it may have changed meanwhile.
  await services.db
    .updateTable('annotations')
    .set({ bodyHtml: html })
    .where('id', '=', id)
    .where(sql<boolean>`md5(body) = ${digest}`)
    .where('bodyHtml', 'is', null)
    .execute();
  return html;
}

/** HTML of the body; null if no thread is available at the moment. */
async function htmlOf({ workers }: Context['services'], caller: string, body: string): Promise<string | null> {
  const most = limits.annotationHtmlBytes;
  try {
    return (await workers.run('annotation.render', caller, { body, most })) ?? plainAnnotation(body, 'large', most);
  } catch (error) {
    if (error instanceof TaskTooDear) return plainAnnotation(body, 'dear', most);
    // The annotation was written: a refusal now would have its writer write it again.
    if (error instanceof Problem && error.code === 'unavailable') return null;
    throw error;
  }
}
