import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openJobSocket, type JobSocket } from '../../src/agent/job-socket/job-socket.js';
import { LockTable } from '../../src/agent/job-socket/lock-table.js';

describe('the local socket of a job', () => {
  const folder = mkdtempSync(join(tmpdir(), 'job-socket-'));
  let env: Record<string, string>;
  let hidden: string[];
  let socket: JobSocket;

  beforeEach(async () => {
    env = { KEPT: 'yes', BUILDKITE_AGENT_ACCESS_TOKEN: 'job-token' };
    hidden = [];
    socket = await openJobSocket(folder, {
      jobId: 'job-1',
      env,
      redact: (values) => void hidden.push(...values),
      environmentChanged: () => undefined,
      locks: new LockTable(),
    });
  });
  afterEach(() => socket.close());
  afterAll(() => rmSync(folder, { recursive: true }));

  const call = (method: string, path: string, body = '', token = socket.token) =>
    new Promise<{ status: number; json: Record<string, unknown> }>((resolve, reject) => {
      const headers = { Authorization: `Bearer ${token}`, 'Content-Length': Buffer.byteLength(body) };
      request({ socketPath: socket.path, method, path, headers, agent: false }, (response) => {
        void text(response).then((reply) =>
          resolve({ status: response.statusCode ?? 0, json: JSON.parse(reply) as Record<string, unknown> }),
        );
      })
        .on('error', reject)
        .end(body);
    });
  const envPath = '/api/current-job/v0/env';

  test('every call needs the token', async () => {
    for (const token of ['', 'wrong', `${socket.token}x`])
      expect((await call('GET', envPath, '', token)).status).toBe(401);
    expect((await call('GET', envPath)).json).toEqual({ env });
  });

  test.each([
    ['a body that is not JSON', 'PATCH', envPath, '{', 400],
    ['a list in place of variables', 'PATCH', envPath, '{"env": 3}', 400],
    ['a variable that is no text', 'PATCH', envPath, '{"env": {"A": null}}', 422],
    ['a variable without a name', 'PATCH', envPath, '{"env": {"": "x"}}', 422],
    ['a name with =', 'PATCH', envPath, '{"env": {"A=B": "x"}}', 422],
    ['a protected variable', 'PATCH', envPath, '{"env": {"A": "x", "BUILDKITE_AGENT_ACCESS_TOKEN": "y"}}', 422],
    ['removal of a protected variable', 'DELETE', envPath, '{"keys": ["BUILDKITE_JOB_ID"]}', 422],
    ['a lock without a key', 'PATCH', '/api/leader/v0/lock', '{"old": "", "new": "x"}', 422],
    [
      'a lock with a very long key',
      'PATCH',
      '/api/leader/v0/lock',
      `{"key": "${'k'.repeat(1001)}", "old": "", "new": "x"}`,
      422,
    ],
    ['an unknown call', 'GET', '/api/current-job/v0/nope', '', 404],
    ['a body without end', 'PATCH', envPath, `{"env": {"A": "${'x'.repeat(10 * 1024 * 1024)}"}}`, 413],
  ])('%s is refused and changes nothing', async (_, method, path, body, status) => {
    const before = { ...env };
    const reply = await call(method, path, body);
    expect(reply).toMatchObject({ status, json: { error: expect.any(String) as string } });
    expect(env).toEqual(before);
  });

  test('its folder is private to the user', () => {
    expect(statSync(folder).mode & 0o077).toBe(0);
  });
});

describe('locks', () => {
  test('a lock is exchanged only by who knows its value, and an ended job frees what it holds', () => {
    const locks = new LockTable();
    expect(locks.compareAndSwap('a', '', 'one', 'job-1')).toEqual({ value: 'one', swapped: true });
    expect(locks.compareAndSwap('a', '', 'two', 'job-2')).toEqual({ value: 'one', swapped: false });
    locks.compareAndSwap('b', '', 'doing', 'job-1');
    locks.compareAndSwap('b', 'doing', 'done', 'job-1');
    locks.compareAndSwap('c', '', 'x', 'job-2');
    expect(locks.releaseOf('job-1')).toEqual(['a']);
    expect([locks.get('a'), locks.get('b'), locks.get('c')]).toEqual(['', 'done', 'x']);
    expect(locks.compareAndSwap('c', 'x', '', 'job-1')).toEqual({ value: '', swapped: true });
  });

  test('there are no more than 10,000 of them', () => {
    const locks = new LockTable();
    for (let number = 0; number < 10_000; number += 1) locks.compareAndSwap(`${number}`, '', 'x', 'j');
    expect(() => locks.compareAndSwap('more', '', 'x', 'j')).toThrow(RangeError);
    expect(locks.compareAndSwap('1', 'x', 'y', 'j').swapped).toBe(true);
  });
});
