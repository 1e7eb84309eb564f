import {
  type ActionInput,
  actionOf,
  actionProblem,
  labelsAfter,
  maskedUrl,
  stateAfter,
} from '../../../../src/domain/suites/workflows/action.js';

const add = (label: string) => actionOf({ type: 'add_label', label });
const remove = (label: string) => actionOf({ type: 'remove_label', label });

describe('an action of a workflow', () => {
  test.each<[ActionInput, object | null]>([
    [{ type: 'add_label', label: 'slow' }, null],
    [{ type: 'add_label' }, { field: 'label', code: 'missing' }],
    [{ type: 'change_state', state: 'muted' }, null],
    [
      { type: 'change_state', state: 'muted', label: 'x' },
      { field: 'label', code: 'is not for actions of the type change_state' },
    ],
    [{ type: 'webhook', url: 'https://example.com' }, null],
    [
      { type: 'webhook', url: 'https://example.com', message: 'x' },
      { field: 'message', code: 'is not for actions of the type webhook' },
    ],
    [{ type: 'slack', channel: '#ci', message: 'x' }, null],
    [
      { type: 'slack', message: 'x' },
      { field: 'channel', code: 'missing' },
    ],
  ])('%j', (input, expected) => {
    expect(actionProblem(actionOf(input))).toEqual(expected);
  });

  test('adds a label once, removes it, and adds no more than a test may have', () => {
    expect(labelsAfter(['a'], [add('b'), add('a'), remove('a'), add('c')])).toEqual(['b', 'c']);
    const many = Array.from({ length: 50 }, (_, index) => `l${index}`);
    expect(labelsAfter(many, [add('one more')])).toEqual(many);
    expect(labelsAfter(many, [remove('l0'), add('one more')])).toHaveLength(50);
  });

  test('gives the state of the last that gives one', () => {
    const muted = actionOf({ type: 'change_state', state: 'muted' });
    expect(stateAfter([add('a')])).toBeNull();
    expect(stateAfter([muted, actionOf({ type: 'change_state', state: 'skipped' }), add('a')])).toBe('skipped');
  });

  test('shows the origin of its URL alone to those who may not change it', () => {
    expect(maskedUrl('https://hooks.example.com:8443/a/secret?b=c')).toBe('https://hooks.example.com:8443/…');
  });
});
