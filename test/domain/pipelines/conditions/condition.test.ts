import fc from 'fast-check';
import { checkCondition, evaluateCondition } from '../../../../src/domain/pipelines/conditions/condition.js';
import type { ConditionFacts, EntryPoint } from '../../../../src/domain/pipelines/conditions/condition.js';

type Outcome = boolean | 'parse' | 'validation' | 'evaluation' | 'result';

function outcome(
  expression: string,
  facts: ConditionFacts = { values: {} },
  entryPoint: EntryPoint = 'build_condition',
): Outcome {
  const result = evaluateCondition(expression, facts, entryPoint);
  return result.ok ? result.value : result.kind;
}

const main: ConditionFacts = {
  values: { 'build.branch': 'main', 'build.tag': 'v1', 'build.state': 'passed', 'build.creator.teams': ['deploy'] },
  buildEnv: { b: 'main', branch: 'main', tag: 'v1', S: 'passed', e: '', g: 'grün😀' },
};

test.each<[string, Outcome]>([
  ['1 == 1', true],
  ['true == null', false],
  ['null != null', false],
  ['["a","b"] includes "b"', true],
  ['[] == []', true],
  ['["a"] == null', false],
  ['build.creator.teams includes /dep/', true],
  ['["passed"] includes build.state', 'validation'],
  ['build.state == "started_failing"', 'validation'],
  ['build.state == "${S}"', true],
  ['"passed" == build.state', 'validation'],
  ['build.state == build.state', 'validation'],
  ['null =~ /x/', false],
  ['null !~ /x/', true],
  ['false && ${no:?} == "x"', false],
  ['false && nope.x == "x"', 'validation'],
  ['"a"=="d" || "a"=="b" && "a"=="a"', false],
  ['("a"=="d" || "a"=="b") && true', false],
  ['1 == 2 ? 3 == 4 : 5 == 5', true],
  ['false ? true : false ? true : true', true],
  ['"not boolean"', 'result'],
  ['build.fixed', false],
  ['[build.message] includes "v"', 'evaluation'],
  ['true ? null : true', false],
  ['!build.pull_request.draft', true],
  ['!build.branch =~ /ma/', false],
  ['!build.branch !~ /ma/', true],
  ['!build.branch == "dev"', true],
  ['!build.creator.teams includes "deploy"', false],
  ['!!build.branch =~ /ma/', true],
  ['!build.branch == "dev" && false', false],
  ['true || !build.branch == "main"', true],
  ['!true ? false : build.tag == "v1"', true],
  ['(build.branch == "main" && !build.env("X") =~ /skip-it/) || build.tag != null', true],
  ['$branch.deploy == "main.deploy"', true],
  ['$none.deploy == ".deploy"', true],
  ['${x} == null', true],
  ['$x == null', true],
  ['${x:?} == "a"', 'evaluation'],
  ['${x?} == "a"', 'evaluation'],
  ['${e?} == ""', true],
  ['${e:-d} == "d"', true],
  ['${e-d} == ""', true],
  ['${b-xx} == "main"', true],
  ['${b+xx} == "xx"', true],
  ['${e:+xx} == ""', true],
  ['${x+xx} == ""', true],
  ['${b:1:2} == "ai"', true],
  ['${b: -1} == "n"', true],
  ['${b:25:2} == ""', true],
  ['${b:0: -1} == "mai"', true],
  ['${b: -99:1} == "m"', true],
  ['${g: -1} == "😀"', true],
  ['${x:1} == null', true],
  ['${b:3:$tag} == "e"', 'evaluation'],
  ['${b:1:2:3} == "e"', 'parse'],
  ['${x:-${y:-$b}} == "main"', true],
  ['${x:-$b-${e:-1}} == "main-1"', true],
  ['\'${b}\' == "main"', false],
  ['"cost $$5" == "cost $5"', true],
  ['"cost $5" == "cost $$5"', true],
  ['"\\$b" == \'$b\'', true],
  ['"it\'s $b" == "it\'s main"', true],
  ['"${b" == \'${b\'', true],
  ['"${x:-a b}c" == "a bc"', true],
  ['${x:-\'a\'} == "a"', true],
  ['\'\\n\' == "\\\\n"', true],
  ["'it\\'s' == \"it's\"", true],
  ['"\\400" == ""', 'parse'],
  ['"\\xc3\\xa9" == "é"', true],
  ['"\\s\\e\\q" == " \\x1bq"', true],
  ['"main" =~ /main/x', 'parse'],
  ['"main" =~ /main', 'parse'],
  ['"ab" =~ /(?<=a)b/', 'parse'],
  ['"aa" =~ /(?>a*)a/', 'parse'],
  ['"aaa" =~ /a++/', 'parse'],
  ['"aaa" =~ /a{3}+/', 'parse'],
  ['"g" =~ /(?<n>g)/', 'parse'],
  ['"g" =~ /(?P<n>g)/', 'parse'],
  ['"a" =~ /(a)\\1/', 'parse'],
  ['"ab" =~ /a(?=b)/', 'parse'],
  ['"ab" =~ /a(?#\\)(?<n>b)/', 'parse'],
  ['"ab" =~ /a(?# (?<= literal )b/', true],
  ['"?" =~ /[(?<=]/', true],
  ['"(?<n>" =~ /\\(\\?<n>/', true],
  ['"v1" =~ /^v[[:digit:]]+$/', true],
  ['"fee$" =~ /fee\\$/', true],
  ['"a/b" =~ /a\\/b/', true],
  ['"AB" =~ /ab/i', true],
  ['/skip/i == /skip/i', true],
  ['/skip/i == /skip/', false],
  ['env() == ""', 'validation'],
  ['env(1) == ""', 'validation'],
  ['env("a", "b") == ""', 'validation'],
  ['build.env("NONE") == null', true],
  ['env("NONE") == ""', true],
  ['env("$b") == ""', true],
  ['env("$tag.x") == ""', 'evaluation'],
  ['env("\\$b") == ""', 'validation'],
  ['env(build.state) == ""', true],
  ['env(build.tag) == ""', true],
  ['env(build.message) == ""', 'evaluation'],
  ['build.env("BUILDKITE_AGENT_ACCESS_TOKEN") == null', 'validation'],
  ['build.env("BUILDKITE_PULL_REQUEST") == "false"', true],
  ['build.env("BUILDKITE_PULL_REQUEST_LABELS") == ""', 'validation'],
  ['env("BUILDKITE_MESSAGE") == ""', true],
  ['build.message == null', true],
  ['step.key == "d"', 'validation'],
  ['pipeline.name == "x"', 'validation'],
  ['not_a_function() == "x"', 'validation'],
  ['["m"] @> build.branch', 'parse'],
  ['1 == "one"', 'validation'],
  ['"d" =~ "hello"', 'validation'],
  ['"x" includes "y"', 'validation'],
  ['[null] includes "y"', 'validation'],
  ['null includes "y"', false],
  ['!null', 'validation'],
  ['null', 'result'],
  ['/a/', 'result'],
  ['build..branch == "a"', 'parse'],
  ['build. == "a"', 'parse'],
  ['true true', 'parse'],
  ['(true', 'parse'],
  ['true ? false', 'parse'],
  ['99999999999999999999 == 1', 'parse'],
  ['true // but why', true],
  ['// only words', 'parse'],
  ['true\u0000', 'parse'],
  ['"', 'parse'],
  ['$', 'parse'],
  ['${', 'parse'],
  ['${} == 1', 'parse'],
])('the condition %s evaluates to %s', (expression, expected) => expect(outcome(expression, main)).toBe(expected));

test.each<[string, string, number, RegExp]>([
  ['build.branch = "a"', 'parse', 14, /unexpected character "="/],
  ['true &&\n  nope', 'validation', 11, /`nope` is not a variable/],
  ['build.state == "faillled"', 'validation', 16, /"faillled" is not a valid `build.state`/],
  ['true && "a" =~ /(/', 'parse', 16, /could not parse regular expression/],
  ['"x" == "${b:-${1}}"', 'parse', 14, /invalid shell expansion/],
  ['step.key == "a"', 'validation', 1, /step variables need a step/],
  ['true && !1', 'validation', 10, /expected boolean but found number/],
  ['env("BUILDKITE_BRANHC") == ""', 'validation', 5, /did you mean "BUILDKITE_BRANCH"/],
])('the condition %j is refused as a %s error at column %i', (expression, kind, column, message) => {
  expect(checkCondition(expression, 'build_condition')).toEqual({
    kind,
    column,
    message: expect.stringMatching(message),
  });
});

test('an evaluation error names its column', () => {
  const result = evaluateCondition('true && ${x:?} == "a"', { values: {} }, 'build_condition');
  expect(result).toEqual({ ok: false, kind: 'evaluation', message: 'parameter null or not set: x', column: 9 });
});

describe('a blank condition', () => {
  test.each(['', '  \n'])('the blank condition %j is valid and true', (blank) => {
    expect(checkCondition(blank, 'build_condition')).toBeNull();
    expect(outcome(blank)).toBe(true);
    expect(outcome(blank, undefined, 'build_notification')).toBe(true);
  });
});

test('a notification with an invalid condition is not sent', () => {
  for (const expression of ['nope', '(', '${x:?} == "a"', '"text"', 'step.key == "a"']) {
    expect(outcome(expression, undefined, 'build_notification')).toBe(false);
  }
  expect(outcome('step.key == "d"', { values: { 'step.key': 'd' } }, 'step_notification')).toBe(true);
  expect(checkCondition('nope', 'build_notification')?.kind).toBe('validation');
});

describe('the environment of a condition', () => {
  const facts: ConditionFacts = {
    values: { 'build.branch': 'main', 'build.pull_request.labels': ['a', 'b'] },
    pipelineEnv: { WHO: 'pipeline', ONLY: 'pipeline', BUILDKITE_BRANCH: 'forged' },
    buildEnv: {
      WHO: 'build',
      BUILDKITE_AGENT_ACCESS_TOKEN: 'secret',
      BUILDKITE_PULL_REQUEST: 'forged',
      N: 'BUILDKITE_PULL_REQUEST_LABELS',
    },
  };
  test.each<[string, Outcome]>([
    ['env("WHO") == "build"', true],
    ['env("ONLY") == "pipeline"', true],
    ['env("BUILDKITE_BRANCH") == "main"', true],
    ['env("BUILDKITE_PULL_REQUEST") == "false"', true],
    ['env($N) == "a,b"', true],
    ['$BUILDKITE_AGENT_ACCESS_TOKEN == null', true],
    ['"${BUILDKITE_AGENT_ACCESS_TOKEN}" == ""', true],
  ])('with pipeline and build variables, %s evaluates to %s', (expression, expected) =>
    expect(outcome(expression, facts)).toBe(expected),
  );
});

test('build.pull_request.label is known only for labeled pull requests', () => {
  const values = {
    'build.source': 'webhook',
    'build.source_event': 'pull_request',
    'build.pull_request.label': 'docs',
  };
  expect(
    outcome('build.pull_request.label == "docs"', { values: { ...values, 'build.source_action': 'labeled' } }),
  ).toBe(true);
  expect(
    outcome('build.pull_request.label == null', { values: { ...values, 'build.source_action': 'synchronize' } }),
  ).toBe(true);
  expect(outcome('build.pull_request.label == null', { values: { ...values, 'build.source': 'api' } })).toBe(true);
});

describe('hostile input', () => {
  const fragments = [
    '"',
    "'",
    '/',
    '$',
    '${',
    '}',
    ':-',
    ':',
    '\\',
    '(',
    ')',
    '[',
    ']',
    '!',
    '&&',
    '==',
    'includes',
    ' a',
    'a.',
    '1',
    '\n',
    '//',
    'env(',
    'x',
  ];

  test('no input text makes the lexer, parser or evaluator throw', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(fc.constantFrom(...fragments), { maxLength: 30 }).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(text, (expression) => {
        const problem = checkCondition(expression, 'build_condition');
        const result = evaluateCondition(expression, main, 'build_condition');
        if (problem) {
          expect(result).toEqual({ ok: false, ...problem });
          expect(problem.column).toBeGreaterThanOrEqual(1);
          expect(problem.column).toBeLessThanOrEqual(expression.length + 1);
        } else if (!result.ok) expect(result.kind).toBe('evaluation');
      }),
      { numRuns: 2_000 },
    );
  });

  test.each([
    ['parentheses', '('.repeat(5_000)],
    ['negations', `${'!'.repeat(8_000)}true`],
    ['arrays', '['.repeat(5_000)],
    ['expansions', '${a:-'.repeat(1_600)],
    ['closed expansions', `${'${a:-'.repeat(1_300)}${'}'.repeat(1_300)} == ""`],
    ['quoted expansions', `"${'${a:-'.repeat(1_300)}${'}'.repeat(1_300)}" == ""`],
    ['ternaries', 'true?'.repeat(1_600)],
    ['length', `true ${' '.repeat(100_000)}`],
    ['calls', 'env('.repeat(2_000)],
  ])('%s nested too deep or too long are a parse error', (_name, expression) =>
    expect(outcome(expression)).toBe('parse'),
  );

  test('a long chain of operators is accepted', () =>
    expect(outcome(`true${'||a'.replace('a', 'true').repeat(1_300)}`)).toBe(true));

  test.each([
    ['backtracking', '(x+x+)+y'],
    ['alternation', '(a|a)*b'],
    ['nesting', '((x*)*)*y'],
  ])('a regular expression prone to %s matches in linear time', (_name, pattern) => {
    expect(outcome(`env("LONG") =~ /${pattern}/`, { values: {}, buildEnv: { LONG: 'x'.repeat(50_000) } })).toBe(false);
  });

  test.each(['(aaaaaaaaaa){1000}{1000}', `(${'ab|'.repeat(300)}){1000}`, 'a'.repeat(2_000), '('.repeat(999)])(
    'a huge regular expression is a parse error (row %#)',
    (pattern) => {
      expect(outcome(`"a" =~ /${pattern}/`)).toBe('parse');
    },
  );
});

test('a negated comparison of two truth values is the same however it is read', () => {
  const value = fc.boolean().map(String);
  const operator = fc.constantFrom('==', '!=');
  fc.assert(
    fc.property(value, operator, value, (left, sign, right) => {
      expect(outcome(`!${left} ${sign} ${right}`)).toBe(outcome(`(!${left}) ${sign} ${right}`));
    }),
  );
});
