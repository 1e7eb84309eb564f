import fc from 'fast-check';
import { limits } from '../../../../src/domain/limits/limits.js';
import { parseResults, type UploadFormat, uploadFormats } from '../../../../src/domain/suites/results/formats.js';
import { testMetrics } from '../../../../src/domain/suites/results/metrics.js';
import { type ParsedResult, sortResults, UnreadableResults } from '../../../../src/domain/suites/results/result.js';
import { readTags } from '../../../../src/domain/suites/results/tags.js';

const plain = {
  location: null,
  fileName: null,
  result: 'passed',
  failureReason: null,
  failureExpanded: [],
  duration: null,
  tags: {},
};

test.each<[UploadFormat, unknown, object[]]>([
  [
    'json',
    [
      { name: 'a' },
      {
        scope: 's',
        name: 'b',
        result: 'failed',
        failure_reason: 'no',
        failure_expanded: [{ expanded: [] }, { expanded: ['x', 1], backtrace: 'y\nz' }],
        location: 'a:1',
        file_name: 'a',
        history: { duration: 2 },
        tags: { k: 1 },
      },
    ],
    [
      { ...plain, scope: '', name: 'a', result: 'unknown' },
      {
        scope: 's',
        name: 'b',
        result: 'failed',
        failureReason: 'no',
        failureExpanded: [{ expanded: ['x'], backtrace: ['y', 'z'] }],
        location: 'a:1',
        fileName: 'a',
        duration: 2,
        tags: { k: '1' },
      },
    ],
  ],
  [
    'json',
    [
      7,
      { name: '' },
      { name: 'a', result: 'maybe' },
      { name: 'a', history: [] },
      { name: 'a', history: { duration: -1 } },
      { name: 'a', tags: [] },
    ],
    [
      { refused: 'is not an object' },
      { refused: 'name is missing' },
      { refused: 'result must be one of passed, failed, skipped, pending, unknown' },
      { refused: 'history must be an object' },
      { refused: 'history.duration must be a number of seconds' },
      { refused: 'tags must be an object of texts' },
    ],
  ],
  [
    'rspec-json',
    {
      examples: [
        {
          description: 'adds',
          full_description: 'Sum adds',
          status: 'failed',
          file_path: './sum_spec.rb',
          line_number: 3,
          run_time: 0.25,
          exception: { class: 'E', message: '\nexpected 1\ngot 2', backtrace: ['sum_spec.rb:4'] },
        },
        { description: 'waits', full_description: 'Sum waits', status: 'pending' },
        {},
      ],
    },
    [
      {
        ...plain,
        scope: 'Sum',
        name: 'adds',
        result: 'failed',
        location: './sum_spec.rb:3',
        fileName: './sum_spec.rb',
        duration: 0.25,
        failureReason: 'expected 1',
        failureExpanded: [{ expanded: ['expected 1', 'got 2'], backtrace: ['sum_spec.rb:4'] }],
      },
      { ...plain, scope: 'Sum', name: 'waits', result: 'skipped' },
      { refused: 'example has no description' },
    ],
  ],
  [
    'jest-json',
    {
      testResults: [
        {
          name: '/a.test.js',
          assertionResults: [
            { ancestorTitles: ['sum', 'of'], title: 'two', status: 'passed', duration: 1500, location: { line: 7 } },
            { title: 'later', status: 'todo' },
            { status: 'passed' },
          ],
        },
        { name: '/b.test.js', status: 'failed', message: '\u001b[31mno such module\u001b[0m', assertionResults: [] },
      ],
    },
    [
      { ...plain, scope: 'sum of', name: 'two', location: '/a.test.js:7', fileName: '/a.test.js', duration: 1.5 },
      { ...plain, scope: '', name: 'later', result: 'skipped', location: '/a.test.js', fileName: '/a.test.js' },
      { refused: 'test has no title' },
      {
        ...plain,
        scope: '',
        name: '/b.test.js',
        result: 'failed',
        location: '/b.test.js',
        fileName: '/b.test.js',
        failureReason: 'no such module',
        failureExpanded: [{ expanded: ['no such module'], backtrace: [] }],
      },
    ],
  ],
  [
    'playwright-json',
    {
      suites: [
        {
          title: 'a.spec.ts',
          suites: [
            {
              title: 'login',
              specs: [
                {
                  title: 'works',
                  file: 'a.spec.ts',
                  line: 3,
                  tests: [
                    {
                      projectName: 'chrome',
                      status: 'flaky',
                      results: [{ status: 'failed' }, { status: 'passed', duration: 20 }],
                    },
                    {
                      projectName: 'firefox',
                      status: 'unexpected',
                      results: [{ status: 'timedOut', error: { message: 'too slow', stack: 'at a' } }],
                    },
                  ],
                },
                { title: 'not now', tests: [{ status: 'skipped', results: [] }] },
              ],
            },
          ],
        },
      ],
    },
    [
      {
        ...plain,
        scope: 'chrome a.spec.ts login',
        name: 'works',
        location: 'a.spec.ts:3',
        fileName: 'a.spec.ts',
        duration: 0.02,
      },
      {
        ...plain,
        scope: 'firefox a.spec.ts login',
        name: 'works',
        result: 'failed',
        location: 'a.spec.ts:3',
        fileName: 'a.spec.ts',
        failureReason: 'too slow',
        failureExpanded: [{ expanded: ['too slow'], backtrace: ['at a'] }],
      },
      { ...plain, scope: 'a.spec.ts login', name: 'not now', result: 'skipped' },
    ],
  ],
  [
    'cucumber-json',
    [
      {
        name: 'Login',
        uri: 'login.feature',
        elements: [
          { type: 'background', name: 'given', steps: [] },
          {
            type: 'scenario',
            name: 'good',
            line: 4,
            steps: [
              { result: { status: 'passed', duration: 500_000_000 } },
              { result: { status: 'passed', duration: 1e9 } },
            ],
          },
          {
            type: 'scenario',
            name: 'bad',
            line: 9,
            steps: [{ name: 'I log in', result: { status: 'undefined' } }, { result: { status: 'skipped' } }],
          },
          { type: 'scenario', name: 'later', steps: [{ result: { status: 'pending' } }] },
          { type: 'scenario', name: 'empty' },
          { type: 'scenario' },
        ],
      },
    ],
    [
      { ...plain, scope: 'Login', name: 'good', location: 'login.feature:4', fileName: 'login.feature', duration: 1.5 },
      {
        ...plain,
        scope: 'Login',
        name: 'bad',
        result: 'failed',
        location: 'login.feature:9',
        fileName: 'login.feature',
        failureReason: 'undefined: I log in',
      },
      {
        ...plain,
        scope: 'Login',
        name: 'later',
        result: 'skipped',
        location: 'login.feature',
        fileName: 'login.feature',
      },
      {
        ...plain,
        scope: 'Login',
        name: 'empty',
        result: 'unknown',
        location: 'login.feature',
        fileName: 'login.feature',
      },
      { refused: 'scenario has no name' },
    ],
  ],
])('results in the format %s are parsed as expected (row %#)', (format, data, expected) => {
  expect(parseResults(format, data)).toEqual(expected);
  expect(parseResults(format, JSON.stringify(data))).toEqual(expected);
});

test('JUnit results carry the location, duration and all failure details of a case', () => {
  const xml = `<?xml version="1.0"?><testsuites><testsuite file="a.py"><testcase classname="C" name="n&amp;m" line="3" time="1,000.5"><failure message="" type="T"><![CDATA[a < b
    c]]></failure><error>&#x64;</error></testcase><testcase classname="C" name="s" file="b.py"><skipped/></testcase><testsuite><testcase classname="D" name="x" time="nan"/></testsuite></testsuite></testsuites>`;
  expect(parseResults('junit', xml)).toEqual([
    {
      ...plain,
      scope: 'C',
      name: 'n&m',
      result: 'failed',
      location: 'a.py:3',
      fileName: 'a.py',
      duration: 1000.5,
      failureReason: 'a < b',
      failureExpanded: [
        { expanded: ['a < b', '    c'], backtrace: [] },
        { expanded: ['d'], backtrace: [] },
      ],
    },
    { ...plain, scope: 'C', name: 's', result: 'skipped', location: 'b.py', fileName: 'b.py' },
    { ...plain, scope: 'D', name: 'x', location: 'a.py', fileName: 'a.py' },
  ]);
});

test.each<[UploadFormat, unknown]>([
  ['json', '{'],
  ['json', {}],
  ['json', null],
  ['junit', []],
  ['junit', ''],
  ['junit', '<a/>'],
  ['junit', '<testsuite time="<<x>>"/>'],
  ['junit', '<testsuite><testcase></testsuite>'],
  ['rspec-json', {}],
  ['jest-json', []],
  ['playwright-json', {}],
  ['cucumber-json', {}],
])('a document that is not valid %s is refused as a whole: %j', (format, data) => {
  expect(() => parseResults(format, data)).toThrow(UnreadableResults);
});

test('suites nested too deep are refused', () => {
  let suite: object = { title: 'x' };
  for (let depth = 0; depth < 60; depth += 1) suite = { suites: [suite] };
  expect(() => parseResults('playwright-json', { suites: [suite] })).toThrow('nested more than 50');
});

test('any JSON is parsed or refused without an internal error, results add up, and stored texts are bounded', () => {
  const anything = fc.anything({ withNullPrototype: false });
  const data = fc.oneof(
    fc.array(
      fc.record(
        {
          name: fc.oneof(fc.string({ maxLength: 3_000 }), anything),
          scope: anything,
          result: anything,
          history: anything,
          failure_expanded: anything,
          tags: anything,
        },
        { requiredKeys: [] },
      ),
    ),
    anything,
  );
  fc.assert(
    fc.property(fc.constantFrom(...uploadFormats.filter((format) => format !== 'junit')), data, (format, given) => {
      let parsed: ParsedResult[];
      try {
        parsed = parseResults(format, given);
      } catch (error) {
        expect(error).toBeInstanceOf(UnreadableResults);
        return;
      }
      const { taken, refusals } = sortResults(parsed);
      expect(taken.length + refusals.length).toBe(parsed.length);
      for (const { scope, name, failureExpanded } of taken) {
        expect(Math.max(scope.length, name.length)).toBeLessThanOrEqual(limits.testNameLength);
        expect(name).not.toMatch(/[\0\p{Cs}]/u);
        expect(failureExpanded.length).toBeLessThanOrEqual(limits.testFailureDetails);
      }
    }),
    { numRuns: 300 },
  );
});

test('any text sent as XML is parsed or refused without an internal error', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.constantFrom(
          '<testsuite>',
          '</testsuite>',
          '<testcase name="a" classname="b">',
          '</testcase>',
          '<failure/>',
          '&',
          '&#0;',
          '&lt;',
          '<![CDATA[',
          ']]>',
          '<!--',
          '"',
          'x',
        ),
        { maxLength: 12 },
      ),
      (pieces) => {
        try {
          parseResults('junit', pieces.join(''));
        } catch (error) {
          expect(error).toBeInstanceOf(UnreadableResults);
        }
      },
    ),
    { numRuns: 300 },
  );
});

test.each<[unknown, object]>([
  [undefined, { tags: {} }],
  [{ a: 'x', 'b.c': 1, d_e: true }, { tags: { a: 'x', 'b.c': '1', d_e: 'true' } }],
  [[], { problem: 'tags must be an object of texts' }],
  [
    Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`t${index}`, ''])),
    { problem: 'has more than 10 tags' },
  ],
  [{ a: {} }, { problem: 'tag a must be a text' }],
  [{ 'a b': '' }, { problem: expect.stringContaining('must begin with a letter') }],
  [{ ['a'.repeat(64)]: '' }, { problem: expect.stringContaining('shorter than 64 bytes') }],
  [{ ['a'.repeat(63)]: '' }, { tags: { ['a'.repeat(63)]: '' } }],
  [{ 'mut.x': '' }, { problem: 'tag mut.x cannot be set by an upload' }],
  [{ a: '', 'a.b': '' }, { problem: 'tag a cannot stand beside a.b' }],
  [{ a: 'x'.repeat(256) }, { problem: 'tag a is too long (maximum is 255 characters)' }],
])('the tags of a result are read or refused with a reason (row %#)', (given, expected) =>
  expect(readTags(given)).toEqual(expected),
);

test('metrics of tests never executed or never timed are zero or null', () => {
  const none = { passed: 0, failed: 0, skipped: 0, pending: 0, unknown: 0 };
  const untimed = {
    reliability: null,
    durationAverage: null,
    durationSum: null,
    durationMinimum: null,
    durationMaximum: null,
  };
  expect(testMetrics([])).toEqual({ ...untimed, executionsCount: 0, countByResult: none });
  expect(testMetrics([{ result: 'skipped', count: 3, timed: 0, sum: null, least: null, most: null }])).toEqual({
    ...untimed,
    executionsCount: 3,
    countByResult: { ...none, skipped: 3 },
  });
});
