import type supertest from 'supertest';
import { DocumentedReplies } from './documented-replies.js';

/** Makes a request to /v2 fail if its reply does not match openapi.json. */
export function checkDocumented(request: supertest.Test): supertest.Test {
  const { method, url } = request;
  const path = url.replace(/^https?:\/\/[^/]+/, '');
  return request.expect((reply) =>
    DocumentedReplies.instance.check(method, path, { status: reply.status, headers: reply.headers, text: reply.text }),
  );
}
