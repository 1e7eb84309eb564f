import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Columns written only for operators who look at the database, each with its reason; no reply shows them. */
const onlyWritten: Readonly<Record<string, string>> = {
  'artifacts.deletedAt': 'when its bytes were given up, for an operator who misses them',
  'pipeline_webhooks.providerConnectionId':
    'with which token the webhook was made, should it have to be taken away by hand',
};

/** Columns that triggers of the migrations write, and one list of names reads. */
const byTriggers = ['pipeline_counts.runningBuilds', 'pipeline_counts.scheduledBuilds'];

/** Columns that a migration writes once, and a partial index reads. */
const byMigrations = ['users.sharesEmail'];

const root = join(process.cwd(), 'src');
const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !/^(entities|migrations)\//.test(file))
  .map((file) => readFileSync(join(root, file), 'utf8'));
const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** How often the code names each word: as a property being set (`given`), and in any other way (`other`). */
const named = new Map<string, { given: number; other: number }>();
for (const text of sources) {
  for (const { 0: word, index } of text.matchAll(/\b[a-z]\w*\b/g)) {
    const before = text.slice(Math.max(0, index - 1), index);
    const after = text.slice(index + word.length, index + word.length + 2);
    const count = named.get(word) ?? { given: 0, other: 0 };
    if (before !== '.' && before !== "'" && /^(:|,| })/.test(after)) count.given += 1;
    else count.other += 1;
    named.set(word, count);
  }
}

/** The same of a column, which statements written as text name in snake case. */
function uses(name: string): { given: number; other: number } {
  const { given = 0, other = 0 } = named.get(name) ?? {};
  const inText = name === snake(name) ? undefined : named.get(snake(name));
  return { given, other: other + (inText?.given ?? 0) + (inText?.other ?? 0) };
}

const entities = readdirSync(join(root, 'entities'), { recursive: true, encoding: 'utf8' });
const columns = entities
  .filter((file) => file.endsWith('.ts'))
  .flatMap((file) => {
    const text = readFileSync(join(root, 'entities', file), 'utf8');
    const table = /tableName: '(\w+)'/.exec(text)?.[1];
    const properties = text.split('\n  properties: {')[1] ?? '';
    return table === undefined
      ? []
      : [...properties.matchAll(/^ {4}(\w+): /gm)].map(([, name = '']) => `${table}.${name}`);
  });

describe('database columns', () => {
  test('the scan finds the columns of all entities', () => {
    expect(columns.length).toBeGreaterThan(400);
    expect(columns).toContain('jobs.promisedExitStatus');
  });

  test('every column is both written and read, except the listed ones', () => {
    const unused = columns.filter((column) => {
      const { given, other } = uses(column.split('.')[1] ?? '');
      return given + other < 2 || other === 0;
    });
    expect(unused.filter((column) => ![...byTriggers, ...byMigrations].includes(column)).sort()).toEqual(
      Object.keys(onlyWritten).sort(),
    );
  });
});
