// Load over HTTP, and how often a second something is done.
import { Agent, request } from 'node:http';
import { performance } from 'node:perf_hooks';
import { apiToken } from './organization.mjs';

const agent = new Agent({ keepAlive: true, maxSockets: 128 });

/** One request; gives status, text and headers. `payload` is sent as it is, `body` as JSON. */
export function call(url, { method = 'GET', token = `Bearer ${apiToken}`, body, payload, headers = {} } = {}) {
  const bytes = payload ?? (body === undefined ? undefined : JSON.stringify(body));
  return new Promise((resolve, reject) => {
    const asked = request(
      url,
      {
        method,
        agent,
        headers: {
          ...(token ? { authorization: token } : {}),
          ...(bytes ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(bytes) } : {}),
          ...headers,
        },
      },
      (reply) => {
        const pieces = [];
        reply.on('data', (piece) => pieces.push(piece));
        reply.on('error', reject);
        reply.on('end', () =>
          resolve({ status: reply.statusCode, headers: reply.headers, text: Buffer.concat(pieces).toString() }),
        );
      },
    );
    asked.on('error', reject);
    asked.end(bytes);
  });
}

/** Like {@link call}, but throws for anything but success and gives the parsed body. */
export async function callOk(url, options) {
  const { status, text } = await call(url, options);
  if (status >= 300) throw new Error(`${options?.method ?? 'GET'} ${url}: ${status} ${text.slice(0, 500)}`);
  return text ? JSON.parse(text) : null;
}

/** Data of a GraphQL operation that has no errors. */
export async function graphqlOk(url, query, variables = {}) {
  const { data, errors } = await callOk(url, { method: 'POST', body: { query, variables } });
  if (errors) throw new Error(JSON.stringify(errors).slice(0, 500));
  return data;
}

/** Does `step(loop)` in so many loops during `ms`: how often, in how many milliseconds. */
export async function repeat(step, { ms, loops }) {
  let count = 0;
  const start = performance.now();
  await Promise.all(
    Array.from({ length: loops }, async (_, loop) => {
      while (performance.now() - start < ms) {
        await step(loop);
        count += 1;
      }
    }),
  );
  return { count, ms: performance.now() - start };
}

/** Value below which the given share of the values lies. */
export function percentile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

export const median = (values) => percentile(values, 0.5);
