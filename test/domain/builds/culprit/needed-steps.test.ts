import { neededSteps } from '../../../../src/domain/builds/culprit/needed-steps.js';
import type { ScheduledStep } from '../../../../src/domain/builds/schedule-facts.js';

const step = (id: string, change: Partial<ScheduledStep> = {}): ScheduledStep => ({
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
  ...change,
});
const on = (...steps: string[]) => steps.map((each) => ({ step: each, allowFailure: false }));
const wait = (id: string, change: Partial<ScheduledStep> = {}) => step(id, { type: 'wait', key: null, ...change });

/** The steps that run and what each waits for, `?` after one that may fail. */
const needed = (steps: ScheduledStep[], targets: string[], passes: string[] = []) =>
  neededSteps(steps, new Set(targets), new Set(passes)).map(({ id, dependsOn }) =>
    [id, ...dependsOn.map((each) => `${each.id}${each.allowFailure ? '?' : ''}`).sort()].join(' '),
  );

describe('the steps that a build of one commit runs', () => {
  test('are the failed ones alone where they depend on nothing', () => {
    expect(needed([step('lint'), step('test'), step('docs')], ['test'])).toEqual(['test']);
  });

  test('are those before a wait too', () => {
    const steps = [step('build'), wait('w'), step('lint'), step('test')];
    expect(needed(steps, ['test'])).toEqual(['build', 'test build']);
    const on2 = [step('build'), wait('w', { continueOnFailure: true }), step('test')];
    expect(needed(on2, ['test'])).toEqual(['build', 'test build?']);
  });

  test('follow dependencies all the way, in the order of the pipeline', () => {
    const steps = [
      step('image'),
      step('unrelated'),
      step('build', { dependsOn: on('image') }),
      step('test', { dependsOn: [...on('build'), { step: 'lint', allowFailure: true }] }),
      step('lint', { dependsOn: [] }),
    ];
    expect(needed(steps, ['test'])).toEqual(['image', 'build image', 'test build lint?', 'lint']);
  });

  test('wait for what was before a block or a trigger, which are left out', () => {
    const steps = [
      step('build'),
      step('approve', { type: 'block' }),
      step('deploy', { type: 'trigger' }),
      wait('w'),
      step('test'),
    ];
    expect(needed(steps, ['test'])).toEqual(['build', 'test build']);
  });

  test('are without the step that uploaded them', () => {
    const steps = [
      step('upload'),
      wait('w', { uploadedByStepId: 'upload' }),
      step('build', { uploadedByStepId: 'upload' }),
      wait('w2', { uploadedByStepId: 'upload' }),
      step('test', { uploadedByStepId: 'upload' }),
      step('after', { dependsOn: on('upload') }),
    ];
    expect(needed(steps, ['test'], ['upload'])).toEqual(['build', 'test build']);
    expect(needed(steps, ['after'], ['upload'])).toEqual(['build', 'test build', 'after build test']);
  });

  test('are those of a group that one depends on', () => {
    const steps = [
      step('builds', { type: 'group' }),
      step('one', { groupId: 'builds' }),
      step('two', { groupId: 'builds' }),
      step('test', { dependsOn: on('builds') }),
    ];
    expect(needed(steps, ['test'])).toEqual(['one', 'two', 'test one two']);
  });

  test('end with a circle', () => {
    const steps = [step('one', { dependsOn: on('two') }), step('two', { dependsOn: on('one') })];
    expect(needed(steps, ['one'])).toEqual(['one two', 'two one']);
  });
});
