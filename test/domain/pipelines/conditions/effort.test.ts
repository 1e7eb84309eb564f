import { checkCondition, evaluateCondition } from '../../../../src/domain/pipelines/conditions/condition.js';
import { limits } from '../../../../src/domain/limits/limits.js';
import type { ConditionFacts } from '../../../../src/domain/pipelines/conditions/condition.js';

const facts = (message: string) => ({ values: { 'build.message': message } }) as unknown as ConditionFacts;
const of = (expression: string, about: ConditionFacts) => evaluateCondition(expression, about, 'build_condition');

describe('the cost of regular expressions in conditions', () => {
  test('a large expression over a long text is refused at its position, whether or not it matches', () => {
    const attack = 'build.message =~ /\\b(?:a[ab]{500}|b[ab]{499})zy?\\b/';
    expect(checkCondition(attack, 'build_condition')).toBeNull();
    expect(of(attack, facts('ab'.repeat(3_000)))).toEqual({
      ok: false,
      kind: 'evaluation',
      message: 'regular expression is too large for a text of 6000 characters',
      column: 15,
    });
    expect(of(attack, facts('ab'))).toEqual({ ok: true, value: false });
  });

  test('ordinary expressions can search the longest allowed text', () => {
    const long = facts('x'.repeat(limits.messageBytes - 10).concat(' [skip ci]'));
    expect(of('build.message =~ /\\[skip ci\\]/', long)).toEqual({ ok: true, value: true });
    expect(of('build.message !~ /^release\\//i', long)).toEqual({ ok: true, value: true });
  });

  test('the conditions of one build share one budget, and repeating a search costs nothing', () => {
    const about = facts('ab'.repeat(4_000));
    for (let index = 0; index < 500; index += 1)
      expect(of('build.message =~ /a[ab]{20}z/', about)).toEqual({ ok: true, value: false });
    const outcomes = Array.from({ length: 30 }, (_, index) => of(`build.message =~ /a[ab]{${index + 10}}z/`, about));
    expect(outcomes[0]).toEqual({ ok: true, value: false });
    expect(outcomes.at(-1)).toEqual({
      ok: false,
      kind: 'evaluation',
      message: 'the regular expressions of this build take too long together',
      column: 15,
    });
    expect(of('build.message =~ /a[ab]{29}z/', facts('ab'.repeat(4_000)))).toEqual({ ok: true, value: false });
  });

  test.each([
    ['repetitions inside each other', '(?:(?:[a-z]{30}){30}){30}', 'regular expression repeats too much'],
    [
      'many large expressions in one condition',
      Array.from({ length: 30 }, () => 'a{1000}').join('/ || build.message =~ /'),
      'the regular expressions of one condition are too large together',
    ],
  ])('%s are refused before any condition is evaluated', (_what, pattern, message) => {
    expect(checkCondition(`build.message =~ /${pattern}/`, 'build_condition')).toMatchObject({
      kind: 'parse',
      message,
    });
  });

  test('the size of consecutive repetitions is their sum, not their product', () => {
    expect(
      checkCondition(
        'build.branch =~ /^[a-z]{1,63}(\\.[a-z]{1,63})*-[0-9]{1,999}[a-z]{1,999}[0-9]{1,99}$/',
        'build_condition',
      ),
    ).toBeNull();
  });
});
