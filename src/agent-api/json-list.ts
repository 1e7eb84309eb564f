import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import type { Json } from '../domain/pipelines/steps/step.js';

/** A list that is answered page by page, because it may be too large to be in memory whole. */
export class JsonList {
  constructor(readonly pages: AsyncIterable<readonly Json[]>) {}
}

export const jsonList = <Item>(pages: AsyncIterable<readonly Item[]>, present: (item: Item) => Json): JsonList =>
  new JsonList(
    (async function* () {
      for await (const page of pages) yield page.map(present);
    })(),
  );

/**
 * Answers a list, each page when the reader has taken those before. The first page is read before anything is sent, so
 * that an error of the query is answered; one of a later page ends the connection. `sent` is called
 * each time that a page was taken.
 */
export async function sendList(response: Response, { pages }: JsonList, sent?: () => void): Promise<void> {
  const iterator = pages[Symbol.asyncIterator]();
  const first = await iterator.next();
  response.type('json');
  if (first.done) {
    response.end('[]');
    return;
  }
  try {
    await pipeline(Readable.from(texts(first.value, iterator, sent), { objectMode: false }), response);
  } catch (error) {
    // The reader has left.
    if (!response.destroyed) throw error;
  }
}

async function* texts(
  first: readonly Json[],
  rest: AsyncIterator<readonly Json[]>,
  sent?: () => void,
): AsyncGenerator<string> {
  let separator = '[';
  for (let page = first; ;) {
    if (page.length > 0) {
      yield separator + JSON.stringify(page).slice(1, -1);
      separator = ',';
    }
    sent?.();
    const next = await rest.next();
    if (next.done) break;
    page = next.value;
  }
  yield separator === '[' ? '[]' : ']';
}
