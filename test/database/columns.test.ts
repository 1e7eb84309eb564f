import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Columns written only for operators who look at the database, each with its reason; no reply shows them. */
const onlyWritten: Readonly<Record<string, string>> = {
  'artifacts.deletedAt': 'when its bytes were given up, for an operator who misses them',
  'pipeline_webhooks.providerConnectionId':
    'with which token the webhook was made, should it have to be taken away by hand',
};

const root = join(process.cwd(), 'src');
const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !/^(entities|migrations)\//.test(file))
  .map((file) => readFileSync(join(root, file), 'utf8'));
const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Counts where the code names a column: as a property being set (`given`), and in any other way (`other`). */
function uses(name: string): { given: number; other: number } {
  let [given, other] = [0, 0];
  for (const text of sources) {
    for (const { index } of text.matchAll(new RegExp(`\\b${name}\\b`, 'g'))) {
      const before = text.slice(Math.max(0, index - 2), index);
      const after = text.slice(index + name.length, index + name.length + 2);
      const isGiven = !before.endsWith('.') && !before.endsWith("'") && /^(:|,| })/.test(after);
      if (isGiven) given += 1;
      else other += 1;
    }
    if (name !== snake(name)) other += [...text.matchAll(new RegExp(`\\b${snake(name)}\\b`, 'g'))].length;
  }
  return { given, other };
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

  test('every column is both written and read, except the listed ones that are only written', () => {
    const unused = columns.filter((column) => {
      const { given, other } = uses(column.split('.')[1] ?? '');
      return given + other < 2 || other === 0;
    });
    expect(unused.sort()).toEqual(Object.keys(onlyWritten).sort());
  });
});
