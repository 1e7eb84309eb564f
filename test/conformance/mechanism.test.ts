import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWithSpecification, readSpecification, rowsOf, ruleNumbers } from './read-specification.js';

const json = (name: string) =>
  JSON.parse(readFileSync(join('test/conformance', name), 'utf8')) as Record<string, unknown>;

describeWithSpecification('the rows of the specifications', () => {
  test('api-v2-rows.json names every row of the REST specification and no other', () => {
    const names = rowsOf(readSpecification('api-v2.md')).map(({ name }) => name);
    expect(names.length).toBeGreaterThan(300);
    expect(new Set(names).size).toBe(names.length);
    const listed = Object.values(json('api-v2-rows.json') as Record<string, object>).flatMap((words) =>
      Object.keys(words),
    );
    expect(listed).toEqual(names);
  });

  test('a row keeps its name when lines are inserted above it and when its paragraph is wrapped anew', () => {
    const text = '# Title\n\n## Builds\n\n- `number` rises.\n- `id` is  unique.\n';
    const [first, second] = rowsOf(text);
    const longer = text.replace('## Builds\n', '## Agents\n\n- New.\n\n## Builds\n').replace('is  unique', 'is unique');
    expect(rowsOf(longer).slice(1)).toEqual([first, { name: second?.name, text: '- `id` is unique.' }]);
    expect(rowsOf(text.replace('rises', 'falls'))[0]?.name).not.toBe(first?.name);
    expect(rowsOf(text.replace('## Builds', '## Jobs'))[0]?.name).not.toBe(first?.name);
  });

  test('compatibility-rules.json names every compatibility rule and no other', () => {
    expect(Object.keys(json('compatibility-rules.json')).map(Number)).toEqual(
      ruleNumbers(readSpecification('compatibility.md')),
    );
  });

  test('api-v2-rows.json quotes no sentence of the specification', () => {
    const text = readSpecification('api-v2.md');
    const words = Object.values(json('api-v2-rows.json') as Record<string, Record<string, string>>).flatMap((group) =>
      Object.values(group),
    );
    expect(words.filter((each) => each.split(' ').length > 6 && text.includes(each))).toEqual([]);
  });
});

describe('the conformance report', () => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-conformance-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  /** The report for tests with these titles and results. */
  function reportOn(tests: { titles: string[]; status: string }[]): { document: string; problems: string } {
    const results = join(folder, 'results.json');
    const document = join(folder, 'conformance.md');
    const assertionResults = tests.map(({ titles, status }) => ({
      ancestorTitles: titles.slice(0, -1),
      title: titles.at(-1),
      status,
    }));
    writeFileSync(
      results,
      JSON.stringify({ testResults: [{ name: join(process.cwd(), 'test/x.test.ts'), assertionResults }] }),
    );
    let problems = '';
    try {
      execFileSync('node', ['test/conformance/report.mjs', results], {
        env: { ...process.env, CONFORMANCE_OUTPUT: document },
        stdio: 'pipe',
      });
    } catch (error) {
      problems = String((error as { stderr: Buffer }).stderr);
    }
    return { document: readFileSync(document, 'utf8'), problems };
  }

  test('the conformance report counts a row as passed only by a test that passed, and fails for other rows', () => {
    const { document, problems } = reportOn([
      { titles: ['pipelines', 'have an id [api-v2:opfjec]'], status: 'passed' },
      { titles: ['fields [api-v2:mdodgd,cedamj]', 'one'], status: 'passed' },
      { titles: ['fields [api-v2:mdodgd,cedamj]', 'two'], status: 'failed' },
      { titles: ['waits for a database [api-v2:haoeml]'], status: 'pending' },
      { titles: ['a rule [compat:7]'], status: 'passed' },
      { titles: ['payloads [api-v2:enoemp] (shared vectors)', 'one'], status: 'passed' },
      { titles: ['a row that is not there [api-v2:nowhere]'], status: 'passed' },
    ]);
    expect(document).toContain('| opfjec | id | passed | pipelines › have an id (x.test.ts) |');
    expect(document).toContain('| mdodgd | graphql_id | failed | fields (x.test.ts) |');
    expect(document).toContain(
      '| 7 | Filters raw and encoded, times, booleans of other languages | passed | a rule (x.test.ts) |',
    );
    expect(problems).toContain('api-v2:haoeml (web_url): skipped');
    expect(problems).toContain('api-v2:gnmdek (name): no test');
    expect(problems).toContain('names api-v2:nowhere, which is no row');
    expect(problems).not.toContain('api-v2:opfjec ');
    // Only with the vectors: proves no row.
    expect(problems).toContain('api-v2:enoemp (description): no test');
    expect(document).toContain('| conditionals/conformance.json | 175 |');
    expect(document).toContain('None is excepted.');
  });
});
