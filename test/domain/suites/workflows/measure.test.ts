import fc from 'fast-check';
import { executionResults } from '../../../../src/domain/suites/results/result.js';
import { judge, measure, type Observation, remember } from '../../../../src/domain/suites/workflows/measure.js';

const letters: Readonly<Record<string, Observation>> = {
  P: { result: 'passed', duration: 1 },
  F: { result: 'failed', duration: 1 },
  S: { result: 'skipped', duration: 1 },
};
const observed = (results: string): Observation[] =>
  [...results].map((letter) => letters[letter] ?? { result: 'unknown', duration: 1 });

describe('the transitions of a test', () => {
  test.each([
    ['PF', 5, 0.2],
    ['P', 5, 0],
    ['', 5, 0],
    ['PFPFP', 5, 0.8],
    ['PPPPPFPFPF', 5, 0.8],
    ['PSSF', 4, 0.25],
    ['FFFFF', 5, 0],
  ])('%s in %i is %f', (results, window, value) => {
    const monitor = { type: 'transition_count', window } as const;
    expect(measure(monitor, remember(monitor, {}, observed(results))).value).toBeCloseTo(value, 12);
  });
});

describe('the median of the durations of a test', () => {
  const monitor = { type: 'duration', window: 3 } as const;
  const of = (...durations: (number | null)[]) =>
    measure(
      monitor,
      remember(
        monitor,
        {},
        durations.map((duration) => ({ result: 'passed', duration })),
      ),
    );

  test('is said of a whole window only, of executions with a duration', () => {
    expect(of(9, 9)).toEqual({ value: null, executions: 2 });
    expect(of(9, null, 9)).toEqual({ value: null, executions: 2 });
    expect(of(1, 9, 2)).toEqual({ value: 2, executions: 3 });
    expect(of(100, 1, 9, 2)).toEqual({ value: 2, executions: 3 });
  });

  test('is between the two in the middle of an even window', () => {
    const even = { type: 'duration', window: 4 } as const;
    expect(measure(even, { durations: [4, 1, 2, 100] }).value).toBe(3);
  });
});

const observation = fc.record({
  result: fc.constantFrom(...executionResults),
  duration: fc.option(fc.double({ min: 0, max: 1e4, noNaN: true })),
});
const monitors = fc.record({
  type: fc.constantFrom('transition_count' as const, 'duration' as const),
  window: fc.integer({ min: 1, max: 100 }),
});

describe('what a monitor remembers', () => {
  test('is the same however executions are divided into uploads, and never more than its window', () => {
    fc.assert(
      fc.property(monitors, fc.array(observation, { maxLength: 250 }), fc.nat(250), (monitor, all, cut) => {
        const whole = remember(monitor, {}, all);
        const parts = remember(monitor, remember(monitor, {}, all.slice(0, cut)), all.slice(cut));
        expect(parts).toEqual(whole);
        const { value, executions } = measure(monitor, whole);
        expect(executions).toBeLessThanOrEqual(monitor.window);
        if (monitor.type === 'transition_count') {
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThan(1);
        } else if (value !== null) {
          const durations = whole.durations ?? [];
          expect(durations.filter((each) => each <= value).length * 2).toBeGreaterThanOrEqual(durations.length);
          expect(durations.filter((each) => each >= value).length * 2).toBeGreaterThanOrEqual(durations.length);
        }
      }),
    );
  });
});

describe('an event', () => {
  const thresholds = { alarm: 0.5, recover: 0.2 };
  test.each([
    [0.5, false, 'alarm'],
    [0.49, false, null],
    [0.9, true, null],
    [0.2, true, 'recover'],
    [0.21, true, null],
    [0, false, null],
    [null, true, null],
  ])('of the value %f, in alarm %s, is %s', (value, inAlarm, event) => {
    expect(judge(thresholds, value, inAlarm)).toBe(event);
  });

  test('recovers only after an alarm, and a repeated alarm is none', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true })), (values) => {
        let inAlarm = false;
        const events = values.flatMap((value) => {
          const event = judge(thresholds, value, inAlarm);
          if (event !== null) inAlarm = event === 'alarm';
          return event ?? [];
        });
        expect(events).toEqual(events.map((_, at) => (at % 2 === 0 ? 'alarm' : 'recover')));
      }),
    );
  });
});
