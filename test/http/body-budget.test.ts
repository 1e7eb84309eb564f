import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import express from 'express';
import { BodyBudget, bodyBudget } from '../../src/http/body-budget.js';
import { readBody, readPackedBody } from '../../src/http/body.js';
import { bodyBytes } from '../../src/domain/limits/memory-bounds.js';
import { requestsTo } from '../support/requests.js';

const MiB = 1024 * 1024;
const response = () => Object.assign(new EventEmitter(), { closed: false });
const request = (headers: Record<string, string>, res = response()) =>
  ({ headers, res, complete: false, destroy: () => res.emit('close') }) as unknown as IncomingMessage;
const length = (bytes: number, res = response()) => request({ 'content-length': String(bytes) }, res);
const refusal = expect.objectContaining({ code: 'unavailable', details: { retryAfter: 5 } });

describe('the budget of request bodies', () => {
  test('large bodies beyond the sum are refused with Retry-After before they are read, and taken again once others are answered', () => {
    const budget = new BodyBudget(50 * MiB);
    const [one, two] = [response(), response()];
    budget.hold(length(25 * MiB, one), 25 * MiB);
    budget.hold(length(25 * MiB, two), 25 * MiB);
    expect(() => budget.hold(length(5 * MiB), 25 * MiB)).toThrow(refusal);
    budget.hold(length(10_000), 25 * MiB);
    expect([budget.held, budget.refused]).toEqual([50 * MiB, 1]);
    one.emit('close');
    budget.hold(length(5 * MiB), 25 * MiB);
    two.emit('close');
    expect(budget.held).toBe(5 * MiB);
  });

  test('a body without a length counts as it arrives, and what it held is free when its response closes', () => {
    const budget = new BodyBudget(50 * MiB);
    const [one, two] = [response(), response()];
    budget.hold(request({}, one), 40 * MiB).grow(40 * MiB);
    const other = budget.hold(request({}, two), 40 * MiB);
    other.grow(10 * MiB);
    expect(() => other.grow(11 * MiB)).toThrow(refusal);
    one.emit('close');
    other.grow(40 * MiB);
    two.emit('close');
    expect(budget.held).toBe(0);
  });

  test('a body that announces much and sends nothing gives way to another one', async () => {
    const budget = new BodyBudget(50 * MiB, 20);
    const [stalled, slow] = [budget.hold(length(25 * MiB), 25 * MiB), budget.hold(length(25 * MiB), 25 * MiB)];
    expect(() => budget.hold(length(25 * MiB), 25 * MiB)).toThrow(refusal);
    await sleep(40);
    slow.grow(MiB);
    budget.hold(length(25 * MiB), 25 * MiB);
    expect([stalled.bytes, slow.bytes, budget.held]).toEqual([0, 25 * MiB, 50 * MiB]);
  });

  test('a body alone may have any size', () => {
    const budget = new BodyBudget(MiB);
    const body = budget.hold(request({}), 30 * MiB);
    body.grow(10 * MiB);
    body.grow(20 * MiB);
    expect(budget.held).toBe(20 * MiB);
  });

  test('nothing is held for a client that has left', () => {
    const budget = new BodyBudget(MiB);
    budget.hold(length(MiB, Object.assign(response(), { closed: true })), MiB);
    expect(budget.held).toBe(0);
  });

  test.each([
    [560, 70],
    [256, 64],
    [16_000, 512],
  ])('with a heap of %d MiB it is %d MiB', (heap, most) => expect(bodyBytes(heap * MiB)).toBe(most * MiB));
});

describe('a request body', () => {
  const limit = { bytes: 8 * MiB };
  const bytes = Buffer.alloc(4 * MiB, 'x');
  const held: number[] = [];
  const app = express();
  app.post('/whole', async (req, res) => {
    const { length: size } = await readBody(req, limit);
    held.push(bodyBudget.held);
    res.json({ size });
  });
  app.post('/packed', async (req, res) => {
    const { bytes: all } = await readPackedBody(req, limit);
    held.push(bodyBudget.held);
    res.json({ size: all.length });
  });

  test.each([
    ['/whole', 'identity', 4 * MiB],
    ['/whole', 'gzip', 4 * MiB],
    ['/packed', 'gzip', 4 * MiB + gzipSync(bytes).length],
  ])('to %s as %s is held with the bytes that are made of it, until it is answered', async (path, encoding, most) => {
    held.length = 0;
    const call = requestsTo(app).post(path).set('Content-Encoding', encoding);
    const reply = await call.type('application/octet-stream').send(encoding === 'gzip' ? gzipSync(bytes) : bytes);
    expect([reply.status, reply.body, held]).toEqual([200, { size: bytes.length }, [most]]);
    await vi.waitFor(() => expect(bodyBudget.held).toBe(0));
  });
});
