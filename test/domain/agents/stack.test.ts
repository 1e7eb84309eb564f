import {
  bestState,
  type NotificationDraft,
  notificationProblem,
  stackState,
} from '../../../src/domain/agents/stack.js';

const now = new Date('2026-01-02T03:04:05Z');
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000);

test.each([
  ['connected', { disconnectedAt: null, lastConnectedAt: ago(180) }],
  ['lost', { disconnectedAt: null, lastConnectedAt: ago(181) }],
  ['disconnected', { disconnectedAt: ago(5), lastConnectedAt: ago(10) }],
])('a stack is %s by when it was heard and whether it signed off', (state, stack) => {
  expect(stackState(stack, now)).toBe(state);
});

test('of several stacks of a queue the best state counts', () => {
  const [connected, lost] = [ago(1), ago(999)].map((lastConnectedAt) => ({ disconnectedAt: null, lastConnectedAt }));
  const off = { disconnectedAt: now, lastConnectedAt: now };
  expect(bestState([off, lost!, connected!], now)).toBe('connected');
  expect(bestState([off, lost!], now)).toBe('lost');
  expect(bestState([off], now)).toBe('disconnected');
  expect(bestState([], now)).toBeNull();
});

const job = { createdAt: ago(600), finishedAt: null as Date | null, stored: 0 };
const says: NotificationDraft = { detail: 'Pod is starting', timestamp: null };

test.each<[string | null, NotificationDraft, typeof job | null]>([
  [null, says, job],
  [null, { ...says, timestamp: ago(600) }, job],
  [null, { ...says, timestamp: ago(-30) }, job],
  [null, says, { ...job, finishedAt: ago(300) }],
  ['job not found', says, null],
  ['detail is required', { ...says, detail: ' ' }, job],
  ['detail is required', { ...says, detail: null }, job],
  ['detail is too long (maximum is 256 characters)', { ...says, detail: 'x'.repeat(257) }, job],
  ['detail contains characters that cannot be stored', { ...says, detail: 'a\0b' }, job],
  ['timestamp is invalid', { ...says, timestamp: 'invalid' }, job],
  ['timestamp cannot be in the future', { ...says, timestamp: ago(-61) }, job],
  ['timestamp cannot be before the job was created', { ...says, timestamp: ago(661) }, job],
  ['job finished more than 300 seconds ago', says, { ...job, finishedAt: ago(301) }],
  ['job stack notification count exceeded', says, { ...job, stored: 100 }],
])('a notification of a stack: %s', (problem, draft, about) => {
  expect(notificationProblem(draft, about, { now, detailLength: 256, perJob: 100 })).toBe(problem);
});
