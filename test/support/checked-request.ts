import type { Server } from 'node:http';
import type { Response, Test } from 'supertest';
import type { Services } from '../../src/services/services.js';
import { DocumentedReplies } from './documented-replies.js';
import { requestsTo } from './requests.js';

/** Makes a request to /v2 fail if its reply does not match openapi.json. */
export function checkDocumented(request: Test): Test {
  const { method, url } = request;
  const path = url.replace(/^https?:\/\/[^/]+/, '');
  return request.expect((reply) =>
    DocumentedReplies.instance.check(method, path, { status: reply.status, headers: reply.headers, text: reply.text }),
  );
}

/** With `KEPT_PARTS_CHECK=1` every read is sent twice: see {@link checkKept}. */
const checksKept = process.env['KEPT_PARTS_CHECK'] === '1';

/**
 * Makes a read of /v2 fail if its reply, which may be put together of kept parts, is not byte for byte the one that is
 * made anew. It doubles the reads, so it is no part of the default suite.
 */
export function checkKept(request: Test, services: Services, server: Server): Test {
  if (!checksKept || request.method !== 'GET') return request;
  const end = request.end.bind(request);
  const { header } = request as unknown as { header: Record<string, string> };
  const path = request.url.replace(/^https?:\/\/[^/]+/, '');
  const readAgain = async () => (await requestsTo(server).get(path).set(header)).text;
  const check = async (text: string) => {
    const { fragmentCache } = services;
    services.fragmentCache = undefined;
    const anew = await readAgain().finally(() => (services.fragmentCache = fragmentCache));
    // Where an agent is at work the build may have changed between the two: it has again or it is out of date.
    if (anew !== text && (await readAgain()) === text) throw new Error(`GET ${path} differs from the reply made anew`);
  };
  request.end = (callback) =>
    end((error: unknown, reply: Response) => {
      const isChecked = !error && services.fragmentCache && reply.status === 200 && /json/.test(reply.type);
      void (isChecked ? check(reply.text) : Promise.resolve()).then(
        () => callback?.(error, reply),
        (problem: unknown) => callback?.(problem, reply),
      );
    }) as typeof request;
  return request;
}
