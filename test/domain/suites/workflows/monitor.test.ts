import { type MonitorInput, monitorOf, monitorProblems } from '../../../../src/domain/suites/workflows/monitor.js';

const problems = (input: MonitorInput) =>
  monitorProblems(monitorOf(input)).map(({ field, code }) => `${field} ${code}`);
const thresholds = { alarm: 0.5, recover: 0.1 };

describe('the monitor of a workflow', () => {
  test.each<[MonitorInput, string[]]>([
    [{ type: 'passed_on_retry' }, []],
    [{ type: 'new_test' }, []],
    [{ type: 'new_test', window: 5 }, ['window is not for monitors of the type new_test']],
    [{ type: 'passed_on_retry', branch: 'main' }, ['branch is not for monitors of the type passed_on_retry']],
    [{ type: 'transition_count', branch: 'main', window: 20, ...thresholds }, []],
    [{ type: 'transition_count', window: 20, ...thresholds }, ['branch missing']],
    [{ type: 'transition_count', branch: '', window: 20, ...thresholds }, ['branch missing']],
    [{ type: 'transition_count', branch: 'main', ...thresholds }, ['window missing']],
    [{ type: 'duration' }, ['alarm missing', 'recover missing']],
    [{ type: 'duration', ...thresholds }, []],
    [{ type: 'duration', branch: '!a*', ...thresholds }, ['branch takes one operator at most']],
    [{ type: 'duration', alarm: 1, recover: 1 }, ['recover must be at least 0 and below the threshold of the alarm']],
    [
      { type: 'transition_count', branch: 'main', window: 5, alarm: 1.1, recover: 0 },
      ['alarm must be above 0 and at most 1'],
    ],
    [{ type: 'duration', alarm: 60, recover: 30 }, []],
  ])('%j', (input, expected) => {
    expect(problems(input)).toEqual(expected);
  });

  test('of durations looks back on five executions where nobody says how many', () => {
    expect(monitorOf({ type: 'duration', ...thresholds }).window).toBe(5);
  });
});
