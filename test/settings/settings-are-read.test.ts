import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { columnsByTable } from '../../src/entities/columns-by-table.js';
import { providerSettingTypes } from '../../src/domain/integrations/provider-settings.js';
import { settingDescriptions } from '../../src/graphql/integrations/repository-providers/setting-descriptions.js';
import { records, settings, type Stored } from './readers.js';

/** Columns that every row has, and that nobody sets. */
const ofEveryRow = new Set(['id', 'organizationId', 'createdAt', 'createdById', 'updatedAt', 'updatedById']);

/** Code that only takes, stores or shows settings: a setting that nothing else reads has no effect. */
const takesOrShows =
  /^(?:rest|graphql|console|migrations|entities|provisioning)\/|^operations\/.*\/(?:create|update|list|get|upsert)\.ts$|fields\.ts$/;

const columns = Object.entries(settings).flatMap(([table, readers]) =>
  Object.entries(readers).map(([column, reader]) => [`${table}.${column}`, reader, column] as const),
);
const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

test('every table is one of settings or one of records', () => {
  expect([...Object.keys(settings), ...records].sort()).toEqual(Object.keys(columnsByTable).sort());
});

test.each(Object.entries(settings))(
  'every column of the settings in %s is listed with what reads it',
  (table, readers) => {
    const own = columnsByTable[table]?.all.filter((column) => !ofEveryRow.has(column)) ?? [];
    expect(Object.keys(readers).sort()).toEqual([...own].sort());
  },
);

test.each(columns.filter(([, reader]) => typeof reader === 'string'))('%s is read by %s', (_name, reader, column) => {
  const file = reader as string;
  expect([existsSync(join('src', file)), takesOrShows.test(file)]).toEqual([true, false]);
  const code = readFileSync(join('src', file), 'utf8').replaceAll(/^import .*$/gm, '');
  // Statements in SQL name the column as the database does.
  expect(new RegExp(`\\b(?:${column}|${snakeCase(column)})\\b`).test(code)).toBe(true);
});

test('a column that is only shown has a name for people', () => {
  const names = columns.flatMap(([, reader, column]) =>
    typeof reader === 'object' && reader.kind === 'shown' ? [column] : [],
  );
  const forPeople = [
    'name',
    'label',
    'description',
    'message',
    'emoji',
    'color',
    'tags',
    'applicationName',
    'revokedReason',
  ];
  const ofLists = ['userId', 'pipelineId', 'state', 'labels'];
  expect(names.filter((name) => ![...forPeople, ...ofLists].includes(name))).toEqual([]);
});

interface Described {
  description?: string;
}
const openapi = JSON.parse(readFileSync('openapi.json', 'utf8')) as {
  components: { schemas: Record<string, { properties: Record<string, Described> }> };
};
const schema = readFileSync('schema.graphql', 'utf8');

/** The description of a field in the printed schema. */
function describedIn(type: string, field: string): string {
  const body = new RegExp(`^(?:type|input) ${type}\\b[^]*?^}`, 'm').exec(schema)?.[0] ?? '';
  return new RegExp(`"""([^"]*)"""\\s+${field}\\b`).exec(body)?.[1] ?? '';
}

test.each(columns.filter(([, reader]) => typeof reader === 'object' && reader.kind === 'stored'))(
  '%s has no effect, and the documents of both surfaces say so',
  (_name, reader) => {
    const { graphql, rest } = reader as Stored;
    for (const place of graphql) {
      const [type = '', field = ''] = place.split('.');
      expect([place, describedIn(type, field)]).toEqual([place, expect.stringContaining('stored only')]);
    }
    const [name = '', property = ''] = rest.split('.');
    const described = openapi.components.schemas[name]?.properties[property]?.description;
    expect([rest, described]).toEqual([rest, expect.stringContaining('stored only')]);
  },
);

describe('settings of source providers', () => {
  const inside = ['domain/integrations/webhook-deliveries', 'engine'];
  const code = inside
    .flatMap((folder) =>
      readdirSync(join('src', folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts'))
        .map((name) => readFileSync(join('src', folder, name), 'utf8')),
    )
    .join('\n');
  /** Names that code puts together of a beginning and the action of an event. */
  const beginnings = [...code.matchAll(/`(build_\w+_)\$\{/g)].map(([, beginning = '']) => beginning);
  const isRead = (name: string) =>
    new RegExp(`'${name}'|\\b${name}\\b`).test(code) || beginnings.some((beginning) => name.startsWith(beginning));
  const documented = readFileSync('docs/webhooks.md', 'utf8').split('Taken and stored, but without effect')[1] ?? '';

  test.each(Object.keys(providerSettingTypes()))('%s is read, or said to be stored only', (name) => {
    const camelCase = name.replaceAll(/_(\w)/g, (_match, letter: string) => letter.toUpperCase());
    const description = settingDescriptions[camelCase] ?? '';
    const saidToBeStored = description.includes('stored only') && documented.includes(`\`${name}\``);
    expect([name, saidToBeStored]).toEqual([name, !isRead(name)]);
  });
});
