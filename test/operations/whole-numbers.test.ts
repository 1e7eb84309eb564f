import { z } from 'zod';
import { largestInteger, smallestInteger } from '../../src/domain/integer-column.js';
import { operations } from '../support/operations.js';

/** Numbers that no column of 32 bits stores: bytes, times, and numbers that `run` reduces or refuses itself. */
const elsewhere = [
  'artifact-archive.read expires',
  'artifact.read expires',
  'artifact.receive expires',
  'artifact.receive announcedBytes',
  'artifact.register artifacts.fileSize',
  'build.create pullRequestId',
  'job.append-log offset',
  'job.append-log size',
  'job.reprioritize priority',
  'organization.update-api-settings revokeInactiveTokensAfterDays',
  'stack.list-scheduled-jobs limit',
];

interface Numeric {
  minimum?: number;
  maximum?: number;
}

/** Paths of the whole numbers in a schema whose bounds are wider than a column, such as `artifacts.fileSize`. */
function unbounded(schema: unknown, path: string[] = []): string[] {
  if (schema === null || typeof schema !== 'object') return [];
  const { type, minimum = -Infinity, maximum = Infinity } = schema as Numeric & { type?: string };
  if (type === 'integer') return minimum < smallestInteger || maximum > largestInteger ? [path.join('.')] : [];
  return Object.entries(schema).flatMap(([key, inner]) => {
    if (key !== 'properties') return unbounded(inner, path);
    return Object.entries(inner as object).flatMap(([name, property]) => unbounded(property, [...path, name]));
  });
}

test('every whole number in the input of an operation is bounded by the column that stores it', () => {
  const wide = operations.flatMap(({ name, input }) =>
    unbounded(z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })).map((path) => `${name} ${path}`),
  );
  expect([...new Set(wide)].filter((place) => !/(^| )paging/.test(place) && !elsewhere.includes(place))).toEqual([]);
});
