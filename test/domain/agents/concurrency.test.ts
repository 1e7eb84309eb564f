import fc from 'fast-check';
import {
  concernsGroup,
  concurrencyMemberStates,
  releasable,
  slotHoldingStates,
  type ConcurrencyMember,
} from '../../../src/domain/agents/concurrency.js';
import type { JobState } from '../../../src/domain/builds/job-state.js';

/** `state:limit` with `e` for eager, `!n` for priority, `@b` for the build; the letters name the jobs. */
function members(text: string): ConcurrencyMember[] {
  return text
    .split(' ')
    .filter(Boolean)
    .map((word, index) => {
      const [, state, limit, eager, priority, build] = /^(\w+):(\d+)(e?)(?:!(-?\d+))?(?:@(\w))?$/.exec(word) ?? [];
      return {
        jobId: 'abcdefgh'[index] as string,
        buildId: build ?? String(index),
        state: state as ConcurrencyMember['state'],
        limit: Number(limit),
        method: eager === 'e' ? 'eager' : 'ordered',
        priority: Number(priority ?? 0),
      };
    });
}

test.each<[string, string, string]>([
  ['the first of two jobs with a limit of one', 'limiting:1 limiting:1', 'a'],
  ['none while a running job holds the slot', 'running:1 limited:1', ''],
  ['a canceling job still holds its slot', 'canceling:1 limited:1', ''],
  ['a job stopping after its timeout still holds its slot', 'timing_out:1 limited:1', ''],
  ['a scheduled job holds its slot before it runs', 'scheduled:2 limited:2 limited:2', 'b'],
  ['two jobs for two slots', 'limited:2 limiting:2 limiting:2', 'ab'],
  ['a slot held by a later job counts', 'limited:1 running:1', ''],
  ['an earlier waiting job keeps its place', 'waiting:1@x limited:1@y', ''],
  ['an earlier waiting job of the same build keeps no place', 'waiting:1@x limited:1@x', 'b'],
  ['a job with a larger limit passes one whose smaller limit is reached', 'running:3 limited:1 limited:3', 'c'],
  ['an eager job passes an earlier waiting job', 'waiting:1@x limited:1e@y', 'b'],
  ['an eager job of higher priority comes first', 'limited:1e!0 limited:1e!5 limited:1e!5', 'b'],
  ['eager jobs released in the order of the queue', 'limited:2e!0 limited:2e!5 limited:2e!7', 'bc'],
  ['an ordered job beside an eager one', 'limited:1e limited:2', 'b'],
  ['none with a limit of zero', 'limited:0', ''],
])('a concurrency group releases the right jobs: %s (%s)', (_, text, released) => {
  expect(releasable(members(text)).join('')).toBe(released);
});

const member = fc.record({
  buildId: fc.constantFrom('x', 'y', 'z'),
  state: fc.constantFrom(...concurrencyMemberStates),
  limit: fc.integer({ min: 1, max: 4 }),
  method: fc.constantFrom<'ordered' | 'eager'>('ordered', 'eager'),
  priority: fc.integer({ min: -2, max: 2 }),
});
const queues = fc
  .array(member, { maxLength: 12 })
  .map((list) => list.map((one, index): ConcurrencyMember => ({ ...one, jobId: `${index}` })));
const holds = (list: ConcurrencyMember[]) => list.filter(({ state }) => slotHoldingStates.includes(state)).length;

describe('the rules of concurrency groups, for any queue', () => {
  test('releasing jobs never brings the held slots above the limit of a released job (I8)', () => {
    fc.assert(
      fc.property(queues, (list) => {
        const released = new Set(releasable(list));
        const held = holds(list) + released.size;
        for (const one of list.filter(({ jobId }) => released.has(jobId))) {
          expect(['limiting', 'limited']).toContain(one.state);
          if (list.every(({ limit }) => limit === one.limit)) expect(held).toBeLessThanOrEqual(one.limit);
        }
        const after = list.map((one) => (released.has(one.jobId) ? { ...one, state: 'scheduled' as const } : one));
        expect(releasable(after).filter((id) => list.find(({ jobId }) => jobId === id)?.method === 'eager')).toEqual(
          [],
        );
      }),
    );
  });

  test('while all jobs have one limit, no slot stays free with a job queued and no other ahead of it', () => {
    fc.assert(
      fc.property(queues, fc.integer({ min: 1, max: 4 }), (list, limit) => {
        const alike = list.filter(({ state }) => state !== 'waiting').map((one) => ({ ...one, limit }));
        const queued = alike.filter(({ state }) => state === 'limiting' || state === 'limited').length;
        const free = Math.max(0, limit - holds(alike));
        expect(releasable(alike)).toHaveLength(Math.min(queued, free));
      }),
    );
  });
});

test.each<[JobState, JobState, boolean]>([
  ['pending', 'limiting', true],
  ['pending', 'waiting', true],
  ['blocked', 'canceled', true],
  ['running', 'finished', true],
  ['limited', 'expired', true],
  ['scheduled', 'skipped', true],
  // It keeps its slot.
  ['scheduled', 'assigned', false],
  ['accepted', 'scheduled', false],
  ['running', 'canceling', false],
  // The release itself.
  ['limiting', 'limited', false],
  ['limited', 'scheduled', false],
])('a move from %s to %s concerns the others of the concurrency group: %s', (from, to, concerns) => {
  expect(concernsGroup(from, to)).toBe(concerns);
});
