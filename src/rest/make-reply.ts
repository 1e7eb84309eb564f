import type { JsonObject, Json } from '../domain/pipelines/steps/step.js';
import { limits } from '../domain/limits/limits.js';
import { boundedJson, mostBytesOf } from '../http/reply-size.js';
import type { Context } from '../request/context.js';
import type { Reply } from '../core/idempotency.js';
import { perform, performAndRender } from '../core/operation.js';
import type { Page } from '../core/paging.js';
import type { Pieces } from '../http/send-pieces.js';
import { cursorLinkHeader, cursorLinks, readStretch } from './replies/cursor-page.js';
import { linkHeader, readPage } from './replies/pagination.js';
import type { SentReply } from './replies/send-reply.js';
import { ReplyParts } from './parts/reply-parts.js';
import type { RestRequest } from './requests/request.js';
import type { Route } from './route.js';

/** Replies that are made whole before they are sent. */
export type WrittenReply = Exclude<Route['reply'], { kind: 'stream' | 'redirect' }>;

/** Performs the operation of a route and writes its reply. */
export async function makeReply(
  { operation, reply }: { operation: Route['operation']; reply: WrittenReply },
  context: Context,
  { input, restRequest, url }: { input: unknown; restRequest: RestRequest; url: string },
): Promise<SentReply> {
  const { baseUrl } = context.services;
  switch (reply.kind) {
    case 'page': {
      const page = (await perform(operation, context, input)) as Page<unknown>;
      const write = writerOf(context);
      const items = await Promise.all(page.rows.map((row) => reply.present(context, row, restRequest)));
      const link = await linkHeader(baseUrl, url, readPage(restRequest), page);
      return { status: 200, body: await write(items), link };
    }
    case 'list': {
      const rows = (await perform(operation, context, input)) as readonly unknown[];
      const write = writerOf(context);
      const items = await Promise.all(rows.map((row) => reply.present(context, row, restRequest)));
      return { status: 200, body: await write(items) };
    }
    case 'cursor': {
      const page = (await perform(operation, context, input)) as Page<unknown>;
      const write = writerOf(context);
      const items = await Promise.all(page.rows.map((row) => reply.present(context, row, restRequest)));
      const links = cursorLinks(baseUrl, url, readStretch(restRequest), page);
      return { status: 200, body: await write({ items, links: { ...links } }), link: cursorLinkHeader(links) };
    }
    case 'object': {
      if (operation.kind === 'query') {
        const output: unknown = await perform(operation, context, input);
        const write = writerOf(context);
        return { status: reply.status, body: await write(await reply.present(context, output, restRequest)) };
      }
      const render = async (within: Context, output: unknown) => {
        // The operation may have changed rows that its loaders had read.
        const fresh = within.afterwards();
        const value = await reply.present(fresh, output, restRequest);
        return commandReply(context, reply.status, value);
      };
      return performAndRender(operation, context, input, render);
    }
    case 'objects': {
      const render = async (within: Context, output: unknown) =>
        commandReply(context, reply.status, await reply.present(within.afterwards(), output, restRequest));
      return performAndRender(operation, context, input, render);
    }
    case 'empty':
      return performAndRender(operation, context, input, async () => ({ status: 204, body: null }));
  }
}

/** Returns the reply to a command as JSON, with the text that an idempotency key stores in place of a large reply. */
function commandReply(context: Context, status: number, value: JsonObject | JsonObject[]): Reply {
  const body = boundedJson(value, mostBytesOf(context));
  if (!context.request.idempotency || body.length <= limits.idempotencyReplyBytes) return { status, body };
  const { url } = value as JsonObject;
  return typeof url === 'string'
    ? { status, body, brief: { status: 303, body: JSON.stringify({ url }) } }
    : { status, body };
}

/**
 * Returns the writer of a request's replies. Replies to reads are put together from parts, some of them kept in memory.
 * Replies to commands are not: they show uncommitted changes of their transaction, and versions know only committed
 * rows.
 */
function writerOf(context: Context): (value: Json) => Promise<Buffer | Pieces | string> {
  const { fragmentCache } = context.services;
  if (!fragmentCache) return async (value) => boundedJson(value, mostBytesOf(context));
  const parts = new ReplyParts(context, fragmentCache);
  return (value) => parts.write(value);
}
