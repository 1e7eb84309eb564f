import fc from 'fast-check';
import { deliveryDelayMs } from '../../../src/domain/integrations/notification-retry.js';
import { eventOfAgent, eventOfBuild, eventOfJob } from '../../../src/domain/integrations/notification-events.js';
import { notifyRequests } from '../../../src/domain/integrations/notify.js';
import type { Json } from '../../../src/domain/pipelines/steps/step.js';
import { signatureHeader } from '../../../src/channels/webhook/webhook.js';
import { describeWithVectors, readVectors } from '../../support/vectors.js';

test.each([
  ['scheduled', 'build.scheduled'],
  ['running', 'build.running'],
  ['failing', 'build.failing'],
  ['passed', 'build.finished'],
  ['failed', 'build.finished'],
  ['canceled', 'build.finished'],
  ['blocked', 'build.finished'],
  ['skipped', 'build.skipped'],
  ['not_run', 'build.skipped'],
  ['creating', null],
  ['canceling', null],
] as const)('a build that becomes %s is notified as %s', (state, event) => expect(eventOfBuild(state)).toBe(event));

test.each([
  ['command', 'scheduled', 'job.scheduled'],
  ['command', 'running', 'job.started'],
  ['command', 'finished', 'job.finished'],
  ['command', 'timed_out', 'job.finished'],
  ['command', 'canceled', 'job.finished'],
  ['command', 'expired', 'job.finished'],
  ['command', 'broken', null],
  ['command', 'assigned', null],
  ['trigger', 'finished', 'job.finished'],
  ['block', 'unblocked', 'job.activated'],
  ['input', 'unblocked', 'job.activated'],
  ['block', 'finished', null],
  ['wait', 'finished', null],
] as const)('a %s job that becomes %s is notified as %s', (type, state, event) =>
  expect(eventOfJob(type, state)).toBe(event),
);

test('an agent is notified when its connection state changes', () => {
  expect(eventOfAgent('never_connected', 'connected')).toBe('agent.connected');
  expect(eventOfAgent('connected', 'lost')).toBe('agent.lost');
  expect(eventOfAgent('connected', 'connected')).toBeNull();
});

test('the wait between delivery attempts never decreases and is at most 72 minutes', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 500 }), fc.double({ min: 0, max: 1, noNaN: true }), (attempts, spread) => {
      const delay = deliveryDelayMs(attempts, spread);
      expect(delay).toBeGreaterThanOrEqual(10_000);
      expect(delay).toBeLessThanOrEqual(72 * 60_000);
      expect(deliveryDelayMs(attempts + 1, spread)).toBeGreaterThanOrEqual(delay);
    }),
  );
});

test('a notify list gives its commit statuses, and other entries are ignored', () => {
  const list: Json[] = [
    { webhook: 'https://example.com', if: 'build.state == "failed"' },
    { email: 'dev@example.com' },
    'github_commit_status',
    { slack: '#builds' },
    { github_commit_status: { context: 'ci/mine', blocked_builds_as_pending: true } },
    { webhook: 7 },
    null,
    ['x'],
  ];
  expect(notifyRequests(list)).toEqual({
    commitStatuses: [
      { context: null, blockedAsPending: false, condition: null },
      { context: 'ci/mine', blockedAsPending: true, condition: null },
    ],
    checks: [],
  });
});

interface Outgoing {
  signature: { secret: string; timestamp: string; body: string; signature: string };
}

describeWithVectors('recorded outgoing webhooks', () => {
  test('the signature equals the one that receivers compute', () => {
    const { signature } = readVectors<Outgoing>('webhooks-outgoing/outgoing.json');
    expect(signatureHeader(signature.secret, Number(signature.timestamp), signature.body)).toBe(
      `timestamp=${signature.timestamp},signature=${signature.signature}`,
    );
  });
});
