import fc from 'fast-check';
import { concurrencyMemberStates, releasable, slotHoldingStates, type ConcurrencyMember } from '../../src/domain/concurrency.js';

/** `state:limit` with `e` for eager, `!n` for priority, `@b` for the build; the letters name the jobs. */
function members(text: string): ConcurrencyMember[] {
  return text.split(' ').filter(Boolean).map((word, index) => {
    const [, state, limit, eager, priority, build] = /^(\w+):(\d+)(e?)(?:!(-?\d+))?(?:@(\w))?$/.exec(word) ?? [];
    return {
      jobId: 'abcdefgh'[index] as string, buildId: build ?? String(index), state: state as ConcurrencyMember['state'],
      limit: Number(limit), method: eager === 'e' ? 'eager' : 'ordered', priority: Number(priority ?? 0),
    };
  });
}

test.each<[string, string, string]>([
  ['the first of one', 'limiting:1 limiting:1', 'a'],
  ['none while one holds the slot', 'running:1 limited:1', ''],
  ['a canceling job still holds its slot', 'canceling:1 limited:1', ''],
  ['so does one told to stop by its timeout', 'timing_out:1 limited:1', ''],
  ['a scheduled job holds its slot before it runs', 'scheduled:2 limited:2 limited:2', 'b'],
  ['two slots', 'limited:2 limiting:2 limiting:2', 'ab'],
  ['a slot held further behind counts too', 'limited:1 running:1', ''],
  ['a place ahead counts, though nothing is held', 'waiting:1@x limited:1@y', ''],
  ['but not a place of the same build', 'waiting:1@x limited:1@x', 'b'],
  ['a smaller limit waits, a larger one behind it goes', 'running:3 limited:1 limited:3', 'c'],
  ['eager takes a slot past a waiting place', 'waiting:1@x limited:1e@y', 'b'],
  ['eager by priority', 'limited:1e!0 limited:1e!5 limited:1e!5', 'b'],
  ['eager in queue order of release', 'limited:2e!0 limited:2e!5 limited:2e!7', 'bc'],
  ['eager beside ordered', 'limited:1e limited:2', 'b'],
  ['a limit of nothing', 'limited:0', ''],
])('%s: %s', (_, text, released) => {
  expect(releasable(members(text)).join('')).toBe(released);
});

const member = fc.record({
  buildId: fc.constantFrom('x', 'y', 'z'), state: fc.constantFrom(...concurrencyMemberStates), limit: fc.integer({ min: 1, max: 4 }),
  method: fc.constantFrom<'ordered' | 'eager'>('ordered', 'eager'), priority: fc.integer({ min: -2, max: 2 }),
});
const queues = fc.array(member, { maxLength: 12 }).map((list) => list.map((one, index): ConcurrencyMember => ({ ...one, jobId: `${index}` })));
const holds = (list: ConcurrencyMember[]) => list.filter(({ state }) => slotHoldingStates.includes(state)).length;

describe('laws of concurrency groups', () => {
  test('a release never brings the held slots above the limit of a released job (I8)', () => {
    fc.assert(fc.property(queues, (list) => {
      const released = new Set(releasable(list));
      const held = holds(list) + released.size;
      for (const one of list.filter(({ jobId }) => released.has(jobId))) {
        expect(['limiting', 'limited']).toContain(one.state);
        if (list.every(({ limit }) => limit === one.limit)) expect(held).toBeLessThanOrEqual(one.limit);
      }
      const after = list.map((one) => (released.has(one.jobId) ? { ...one, state: 'scheduled' as const } : one));
      expect(releasable(after).filter((id) => list.find(({ jobId }) => jobId === id)?.method === 'eager')).toEqual([]);
    }));
  });

  test('with one limit for all, slots never stay free while a job is queued and nothing waits ahead', () => {
    fc.assert(fc.property(queues, fc.integer({ min: 1, max: 4 }), (list, limit) => {
      const alike = list.filter(({ state }) => state !== 'waiting').map((one) => ({ ...one, limit }));
      const queued = alike.filter(({ state }) => state === 'limiting' || state === 'limited').length;
      const free = Math.max(0, limit - holds(alike));
      expect(releasable(alike)).toHaveLength(Math.min(queued, free));
    }));
  });
});
