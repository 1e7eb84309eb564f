import fc from 'fast-check';
import { criticalPath, timeByKind, type TimedJob } from '../../../../src/domain/builds/critical-path/critical-path.js';
import type { ScheduledStep } from '../../../../src/domain/builds/schedule-facts.js';

const at = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1000);

const step = (id: string, over: Partial<ScheduledStep> = {}): ScheduledStep => ({
  id,
  key: id,
  type: 'command',
  groupId: null,
  dependsOn: null,
  allowDependencyFailure: false,
  continueOnFailure: false,
  blockedState: null,
  softFail: false,
  uploadedByStepId: null,
  ...over,
});
const after = (...keys: string[]) => ({ dependsOn: keys.map((key) => ({ step: key, allowFailure: false })) });

/** A job that was made at one second, could run at the next, was taken at the third and ended at the fourth. */
const job = (
  stepId: string,
  [created, runnable, started, ended]: [number, number | null, number | null, number | null],
  over: Partial<TimedJob> = {},
): TimedJob => ({
  id: stepId,
  stepId,
  type: 'command',
  state: 'finished',
  createdAt: at(created),
  concurrencyQueuedAt: null,
  runnableAt: runnable === null ? null : at(runnable),
  startedAt: started === null ? null : at(started),
  endedAt: ended === null ? null : at(ended),
  retrySourceId: null,
  retryType: null,
  ...over,
});

type Story = [tells: string, steps: ScheduledStep[], jobs: TimedJob[], ended: number, path: string];
const stories: Story[] = [
  ['one job', [step('a')], [job('a', [0, 1, 4, 10])], 10, 'other a 0-1, agent a 1-4, running a 4-10'],
  ['a build that ends after its last job', [step('a')], [job('a', [0, 0, 0, 10])], 12, 'running a 0-10, other 10-12'],
  [
    'the longer of two jobs, then what waited for both',
    [step('a'), step('b'), step('wait', { type: 'wait' }), step('c')],
    [
      job('a', [0, 0, 0, 3]),
      job('b', [0, 0, 2, 8]),
      job('wait', [0, null, null, 8], { type: 'wait' }),
      job('c', [0, 8, 9, 12]),
    ],
    12,
    'agent b 0-2, running b 2-8, agent c 8-9, running c 9-12',
  ],
  [
    'dependencies by key, whatever else ran',
    [step('a'), step('long'), step('b', after('a'))],
    [job('a', [0, 0, 0, 2]), job('long', [0, 0, 0, 9]), job('b', [0, 2, 2, 10])],
    10,
    'running a 0-2, running b 2-10',
  ],
  [
    'a wait for others of a concurrency group',
    [step('a'), step('b', after('a'))],
    [job('a', [0, 0, 0, 2]), job('b', [0, 7, 8, 9], { concurrencyQueuedAt: at(2) })],
    9,
    'running a 0-2, concurrency b 2-7, agent b 7-8, running b 8-9',
  ],
  [
    'a block that somebody released',
    [step('a'), step('gate', { type: 'block' }), step('b')],
    [
      job('a', [0, 0, 0, 2]),
      job('gate', [0, null, null, 20], { type: 'block', state: 'unblocked' }),
      job('b', [0, 20, 21, 25]),
    ],
    25,
    'running a 0-2, person gate 2-20, agent b 20-21, running b 21-25',
  ],
  [
    'a step that another one uploaded while it ran',
    [step('upload'), step('b', { uploadedByStepId: 'upload' })],
    [job('upload', [0, 0, 1, 9]), job('b', [5, 5, 6, 12])],
    12,
    'agent upload 0-1, running upload 1-5, agent b 5-6, running b 6-12',
  ],
  [
    'an attempt that was retried by itself, and one that a person retried',
    [step('a')],
    [
      job('a', [0, 0, 0, 5], { id: 'first' }),
      job('a', [5, 5, 6, 10], { id: 'second', retrySourceId: 'first', retryType: 'automatic' }),
      job('a', [60, 60, 61, 70], { id: 'third', retrySourceId: 'second', retryType: 'manual' }),
    ],
    70,
    'running first 0-5, agent second 5-6, running second 6-10, person third 10-60, agent third 60-61, running third 61-70',
  ],
  [
    'a build that goes on, with a job that has no agent',
    [step('a'), step('b', after('a'))],
    [job('a', [0, 0, 0, 5]), job('b', [0, 5, null, null], { state: 'scheduled' })],
    30,
    'running a 0-5, agent b 5-30',
  ],
  [
    'a block that was never reached holds up nothing',
    [step('a'), step('gate', { type: 'block' })],
    [
      job('a', [0, 0, 1, 5], { state: 'canceled' }),
      job('gate', [0, null, null, 6], { type: 'block', state: 'canceled' }),
    ],
    6,
    'agent a 0-1, running a 1-5, other 5-6',
  ],
  ['a build without jobs', [], [], 3, 'other 0-3'],
];

const told = (path: ReturnType<typeof criticalPath>) =>
  path
    .map(({ kind, jobId, from, to }) => {
      const [begin, end] = [from, to].map((time) => (time.getTime() - at(0).getTime()) / 1000);
      return `${kind} ${jobId === null ? '' : `${jobId} `}${begin}-${end}`;
    })
    .join(', ');

describe('the critical path', () => {
  test.each(stories)('of %s', (_tells, steps, jobs, ended, path) => {
    expect(told(criticalPath({ createdAt: at(0), endedAt: at(ended), steps, jobs }))).toBe(path);
  });

  test('is the whole time of a build without a gap, whatever its jobs say', () => {
    const second = fc.integer({ min: 0, max: 100 });
    const anyJob = fc.record({
      step: fc.integer({ min: 0, max: 5 }),
      times: fc.tuple(second, fc.option(second), fc.option(second), fc.option(second)),
      queued: fc.option(second),
      type: fc.constantFrom('command', 'block', 'trigger', 'wait' as const),
      state: fc.constantFrom('finished', 'canceled', 'running', 'blocked', 'unblocked', 'waiting' as const),
      retries: fc.option(fc.integer({ min: 0, max: 20 })),
      isManual: fc.boolean(),
    });
    const anySteps = fc.array(fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 3 }), {
      minLength: 6,
      maxLength: 6,
    });
    fc.assert(
      fc.property(fc.array(anyJob, { maxLength: 20 }), anySteps, second, (many, dependencies, ended) => {
        const steps = dependencies.map((keys, index) =>
          step(`s${index}`, {
            ...after(...keys.map((key) => `s${key}`)),
            uploadedByStepId: index % 2 === 0 ? null : 's0',
          }),
        );
        const jobs = many.map(({ step: index, times, queued, type, state, retries, isManual }, id) =>
          job(`s${index}`, times, {
            id: `j${id}`,
            type,
            state,
            concurrencyQueuedAt: queued === null ? null : at(queued),
            retrySourceId: retries === null ? null : `j${retries}`,
            retryType: isManual ? 'manual' : 'automatic',
          }),
        );
        const path = criticalPath({ createdAt: at(0), endedAt: at(ended), steps, jobs });
        let cursor = at(0).getTime();
        for (const { from, to } of path) {
          expect(from.getTime()).toBe(cursor);
          expect(to.getTime()).toBeGreaterThan(cursor);
          cursor = to.getTime();
        }
        expect(cursor).toBe(at(ended).getTime());
        const sum = Object.values(timeByKind(path)).reduce((total, each) => total + each, 0);
        expect(sum).toBeCloseTo(ended);
      }),
    );
  });
});
