import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWithSpecification, readSpecification, rowsOf, ruleNumbers } from './read-specification.js';

const json = (name: string) => JSON.parse(readFileSync(join('test/conformance', name), 'utf8')) as Record<string, unknown>;

describeWithSpecification('the rows that tests must name', () => {
  test('are all that api-v2.md has, and no others', () => {
    const found = rowsOf(readSpecification('api-v2.md')).map(({ line }) => line);
    expect(found.length).toBeGreaterThan(300);
    const listed = Object.values(json('api-v2-rows.json') as Record<string, object>).flatMap((words) => Object.keys(words).map(Number));
    expect(listed).toEqual(found);
  });

  test('are all that compatibility.md has, and no others', () => {
    expect(Object.keys(json('compatibility-rules.json')).map(Number)).toEqual(ruleNumbers(readSpecification('compatibility.md')));
  });

  test('hold our own words: no sentence of the specification', () => {
    const text = readSpecification('api-v2.md');
    const words = Object.values(json('api-v2-rows.json') as Record<string, Record<string, string>>).flatMap((group) => Object.values(group));
    expect(words.filter((each) => each.split(' ').length > 6 && text.includes(each))).toEqual([]);
  });
});

describe('the report', () => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-conformance-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  /** What the report says of tests with these titles and results. */
  function reportOn(tests: { titles: string[]; status: string }[]): { document: string; problems: string } {
    const results = join(folder, 'results.json');
    const document = join(folder, 'conformance.md');
    const assertionResults = tests.map(({ titles, status }) => ({ ancestorTitles: titles.slice(0, -1), title: titles.at(-1), status }));
    writeFileSync(results, JSON.stringify({ testResults: [{ name: join(process.cwd(), 'test/x.test.ts'), assertionResults }] }));
    let problems = '';
    try {
      execFileSync('node', ['test/conformance/report.mjs', results], { env: { ...process.env, CONFORMANCE_OUTPUT: document }, stdio: 'pipe' });
    } catch (error) {
      problems = String((error as { stderr: Buffer }).stderr);
    }
    return { document: readFileSync(document, 'utf8'), problems };
  }

  test('counts a row as passed only by a test that passed, and fails for the rest', () => {
    const { document, problems } = reportOn([
      { titles: ['pipelines', 'have an id [api-v2:51]'], status: 'passed' },
      { titles: ['fields [api-v2:52-53]', 'one'], status: 'passed' },
      { titles: ['fields [api-v2:52-53]', 'two'], status: 'failed' },
      { titles: ['waits for a database [api-v2:54]'], status: 'pending' },
      { titles: ['a rule [compat:7]'], status: 'passed' },
      { titles: ['payloads [api-v2:56] (shared vectors)', 'one'], status: 'passed' },
      { titles: ['a row that is not there [api-v2:1]'], status: 'passed' },
    ]);
    expect(document).toContain('| 51 | id | passed | pipelines › have an id (x.test.ts) |');
    expect(document).toContain('| 52 | graphql_id | failed | fields (x.test.ts) |');
    expect(document).toContain('| 7 | Filters raw and encoded, times, booleans of other languages | passed | a rule (x.test.ts) |');
    expect(problems).toContain('api-v2:54 (web_url): skipped');
    expect(problems).toContain('api-v2:55 (name): no test');
    expect(problems).toContain('names api-v2:1, which is no row');
    expect(problems).not.toContain('api-v2:51 ');
    // Only with the vectors: proves no row.
    expect(problems).toContain('api-v2:56 (description): no test');
    expect(document).toContain('| conditionals/conformance.json | 175 |');
    expect(document).toContain('None is excepted.');
  });
});
