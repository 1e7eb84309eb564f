import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { join } from 'node:path';

import type { LockTable } from './lock-table.js';

/** What the programs of a job may ask of the agent that runs it. */
export interface JobSocketServices {
  jobId: string;
  /** The environment of the job's later programs; changed in place. */
  env: Record<string, string>;
  /** Hides values from the log from now on. */
  redact: (values: readonly string[]) => void;
  /** Called after programs changed `env`. */
  environmentChanged: () => void;
  locks: LockTable;
}

export interface JobSocket {
  path: string;
  token: string;
  close: () => Promise<void>;
}

/** Variables that stay what the agent set them to; a changed one would have no effect or break the job. */
export const protectedVariables = new Set([
  'BUILDKITE_AGENT_ACCESS_TOKEN',
  'BUILDKITE_AGENT_ENDPOINT',
  'BUILDKITE_AGENT_JOB_API_SOCKET',
  'BUILDKITE_AGENT_JOB_API_TOKEN',
  'BUILDKITE_AGENT_PID',
  'BUILDKITE_BIN_PATH',
  'BUILDKITE_BUILD_PATH',
  'BUILDKITE_COMMAND_EVAL',
  'BUILDKITE_HOOKS_PATH',
  'BUILDKITE_JOB_ID',
  'BUILDKITE_LOCAL_HOOKS_ENABLED',
  'BUILDKITE_PLUGINS_ENABLED',
  'BUILDKITE_PLUGINS_PATH',
  'BUILDKITE_SHELL',
]);

const maxBodyBytes = 10 * 1024 * 1024;

/** A request that is refused with a status and a sentence. */
class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Opens the local socket through which commands in a job reach the agent, with the paths and bodies of the open-source
 * agent's job API. Its folder must be private to the user; the token keeps out what else runs as that user.
 */
export async function openJobSocket(folder: string, services: JobSocketServices): Promise<JobSocket> {
  const { createServer } = await import('node:http');
  const path = join(folder, 'job.sock');
  const token = randomBytes(24).toString('hex');
  const server = createServer((request, response) => void answer(request, response, token, services));
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(path, resolve));
  return { path, token, close: () => closeServer(server) };
}

async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  token: string,
  services: JobSocketServices,
): Promise<void> {
  let status: number;
  let reply: unknown;
  try {
    if (!sameText(request.headers.authorization ?? '', `Bearer ${token}`))
      throw new Refusal(401, 'the token of the job API is wrong');
    [status, reply] = route(request, await readJson(request), services);
  } catch (error) {
    status = error instanceof Refusal ? error.status : 500;
    reply = { error: (error as Error).message };
  }
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(reply));
}

function route(
  request: IncomingMessage,
  body: Record<string, unknown>,
  services: JobSocketServices,
): [number, unknown] {
  const url = new URL(request.url ?? '/', 'http://job');
  switch (`${request.method} ${url.pathname}`) {
    case 'GET /api/current-job/v0/env':
      return [200, { env: services.env }];
    case 'PATCH /api/current-job/v0/env':
      return [200, setVariables(body['env'], services)];
    case 'DELETE /api/current-job/v0/env':
      return [200, deleteVariables(body['keys'], services)];
    case 'POST /api/current-job/v0/redactions': {
      const redact = stringOf(body['redact'], 'redact');
      services.redact([redact]);
      return [201, { redacted: redact }];
    }
    case 'GET /api/leader/v0/lock':
      return [200, { value: services.locks.get(url.searchParams.get('key') ?? '') }];
    case 'PATCH /api/leader/v0/lock':
      return [200, swapLock(body, services)];
    default:
      throw new Refusal(404, 'the job API has no such call');
  }
}

function setVariables(input: unknown, { env, environmentChanged }: JobSocketServices): unknown {
  if (typeof input !== 'object' || input === null) throw new Refusal(400, '"env" must be an object');
  const entries = Object.entries(input).map(([name, value]) => [name, stringOf(value, name)] as const);
  refuseProtected(entries.map(([name]) => name));
  const wrong = entries.find(([name, value]) => name === '' || /[=\0]/.test(name) || value.includes('\0'));
  if (wrong) throw new Refusal(422, `"${wrong[0]}" cannot be a variable`);
  const [added, updated]: [string[], string[]] = [[], []];
  for (const [name, value] of entries) {
    (Object.hasOwn(env, name) ? updated : added).push(name);
    env[name] = value;
  }
  environmentChanged();
  return { added: added.sort(), updated: updated.sort() };
}

function deleteVariables(input: unknown, { env, environmentChanged }: JobSocketServices): unknown {
  if (!Array.isArray(input)) throw new Refusal(400, '"keys" must be a list');
  const names = input.map((name) => stringOf(name, 'keys'));
  refuseProtected(names);
  const deleted = names.filter((name) => Object.hasOwn(env, name));
  for (const name of deleted) delete env[name];
  environmentChanged();
  return { deleted: deleted.sort() };
}

function refuseProtected(names: readonly string[]): void {
  const protectedNames = names.filter((name) => protectedVariables.has(name));
  if (protectedNames.length > 0)
    throw new Refusal(
      422,
      `these environment variables are protected and cannot be changed: ${protectedNames.join(', ')}`,
    );
}

function swapLock(body: Record<string, unknown>, { locks, jobId }: JobSocketServices): unknown {
  const [key, present, next] = [
    stringOf(body['key'], 'key'),
    stringOf(body['old'], 'old'),
    stringOf(body['new'], 'new'),
  ];
  try {
    return locks.compareAndSwap(key, present, next, jobId);
  } catch (error) {
    if (error instanceof RangeError) throw new Refusal(422, error.message);
    throw error;
  }
}

function stringOf(value: unknown, name: string): string {
  if (typeof value !== 'string') throw new Refusal(422, `"${name}" must be a text`);
  return value;
}

async function readJson(request: IncomingMessage): Promise<Record<string, unknown>> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    // The body is still read to its end, so that the caller can read the refusal.
    if (size <= maxBodyBytes) parts.push(part);
  }
  if (size > maxBodyBytes) throw new Refusal(413, `the body is larger than ${maxBodyBytes} bytes`);
  if (size === 0) return {};
  try {
    const value: unknown = JSON.parse(Buffer.concat(parts).toString());
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // Refused below.
  }
  throw new Refusal(400, 'the body is not a JSON object');
}

function sameText(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
