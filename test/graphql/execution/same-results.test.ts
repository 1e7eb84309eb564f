import 'reflect-metadata';
import fc from 'fast-check';
import {
  buildSchema,
  GraphQLError,
  type GraphQLResolveInfo,
  isObjectType,
  parse,
  responsePathAsArray,
  validate,
} from 'graphql';
import { createHash } from 'node:crypto';
import { Executor } from '../../../src/graphql/execution/executor.js';
import { DirectResolvers } from '../../../src/graphql/execution/resolvers.js';
import { randomDocument } from '../../support/random-documents.js';

/** A schema with every form that a field can have, apart from the product's. */
const schema = buildSchema(`
  interface Named { name: String, next: Named }
  type Thing implements Named {
    name: String  id: ID!  count: Int  ratio: Float  flag: Boolean!  color: Color  colors: [Color!]
    next: Named  self: Thing  sure: Thing!  many: [Thing]  all: [Thing!]!  any: Any  anys: [Any!]  grid: [[Int!]]
    echo(value: Int = 3, list: [String!], color: Color): String
  }
  type Other implements Named { name: String  next: Named  thing: Thing!  size: Int! }
  union Any = Thing | Other
  enum Color { RED GREEN }
  type Query {
    thing: Thing  sure: Thing!  many: [Thing]  all: [Thing!]!  any: Any  named: Named  anys: [Any!]  count: Int  grid: [[Int!]]
    echo(value: Int = 3, list: [String!], color: Color): String!
  }
`);

interface Values {
  seed: number;
  /** How many fields of a hundred are not as they should be. */
  faults: number;
  /** With faults not both: what a list rejects beside an item that fails at once graphql-js leaves unhandled. */
  when: 'now' | 'later' | 'both';
}

/** The same number for the same field of the same reply. */
function numberOf({ seed }: Values, path: readonly (string | number)[], salt: string): number {
  return createHash('md5')
    .update(JSON.stringify([seed, path, salt]))
    .digest()
    .readUInt32BE(0);
}

const plain: Record<string, (number: number) => unknown> = {
  String: (number) => `text ${number % 7}`,
  ID: (number) => (number % 2 ? number % 100 : `id ${number % 9}`),
  Int: (number) => (number % 9) - 4,
  Float: (number) => (number % 1000) / 7,
  Boolean: (number) => number % 2 === 0,
  Color: (number) => (number % 2 ? 'RED' : 'GREEN'),
};

function valueOf(type: string, values: Values, path: readonly (string | number)[]): unknown {
  const number = numberOf(values, path, 'value');
  if (type.endsWith('!')) return valueOf(type.slice(0, -1), values, path);
  if (type.startsWith('[')) {
    const items = Array.from({ length: number % 4 }, (_, index) =>
      faulty(type.slice(1, -1), values, [...path, index, 'i']),
    );
    return number % 5 === 0 ? new Set(items) : items;
  }
  return (
    plain[type]?.(number) ?? { __typename: type === 'Thing' || (type !== 'Other' && number % 2) ? 'Thing' : 'Other' }
  );
}

/** A value of the type, now or later, or one of the many things that a resolver should not return. */
function faulty(type: string, values: Values, path: readonly (string | number)[]): unknown {
  const isFault = numberOf(values, path, 'fault') % 100 < values.faults;
  const kind = numberOf(values, path, 'kind') % 10;
  if (values.when === 'now') return isFault ? fault(kind) : valueOf(type, values, path);
  if (values.when === 'later') return (async () => (isFault ? fault(kind) : valueOf(type, values, path)))();
  const value = valueOf(type, values, path);
  return kind < 3 ? Promise.resolve(value) : kind < 4 ? Promise.resolve(value).then((later) => later) : value;
}

function fault(kind: number): unknown {
  const error = kind % 2 ? new GraphQLError('refused', { extensions: { code: 'NO' } }) : new Error('broken');
  if (kind < 3) return error;
  if (kind < 6) throw error;
  if (kind < 8) return kind % 2 ? null : undefined;
  return kind < 9 ? { __typename: 'Nothing' } : { toString: () => 'odd' };
}

for (const type of Object.values(schema.getTypeMap())) {
  if (!isObjectType(type) || type.name.startsWith('__')) continue;
  for (const field of Object.values(type.getFields())) {
    field.resolve = (_source, args, values: Values, info: GraphQLResolveInfo) => {
      if (field.name === 'echo') return JSON.stringify([args, info.fieldNodes.length, info.variableValues]);
      return faulty(String(field.type), values, responsePathAsArray(info.path));
    };
  }
}
for (const name of ['Any', 'Named']) {
  const type = schema.getType(name) as { resolveType?: unknown };
  type.resolveType = ({ __typename: name }: { __typename: string }, { when }: Values) =>
    when !== 'now' && name === 'Other' ? Promise.resolve(name) : name;
}

const executor = new Executor(schema, new DirectResolvers(schema, []));
const ways = [
  { when: 'both', faults: 0 },
  ...(['now', 'later'] as const).flatMap((when) => [5, 30].map((faults) => ({ when, faults }))),
];
const argumentsOf = (_type: unknown, { name }: { name: string }) => (name === 'echo' ? '(value: 5, color: RED)' : '');

describe('the results of plans', () => {
  test('are those of graphql-js for any document and whatever resolvers return', async () => {
    const seen = { planned: 0, errors: 0, nulls: 0 };
    await fc.assert(
      fc.asyncProperty(fc.gen(), fc.nat(1_000_000), fc.constantFrom(...ways), async (pick, seed, way) => {
        const text = randomDocument(pick, { schema, depth: 3, width: 3, argumentsOf });
        const document = parse(text);
        if (validate(schema, document).length > 0) return;
        const [operation] = document.definitions;
        if (operation?.kind !== 'OperationDefinition') throw new Error('no operation');
        const execution = {
          document,
          documentHash: text,
          operation,
          operationName: undefined,
          variables: { no: false },
          context: { seed, ...way },
        };
        expect(executor.covers(execution)).toBe(true);
        const planned = await executor.execute(execution);
        const unplanned = await executor.executeUnplanned(execution);
        const shown = (result: typeof planned) => ({
          data: JSON.stringify(result.data),
          errors: result.errors?.map((error) => ({ ...error.toJSON(), original: error.originalError?.message })),
        });
        expect(shown(planned)).toEqual(shown(unplanned));
        seen.planned += 1;
        seen.errors += planned.errors ? 1 : 0;
        seen.nulls += planned.data === null ? 1 : 0;
      }),
      { numRuns: 300, endOnFailure: true },
    );
    // What is compared has errors of both kinds: beside data, and in place of it.
    expect(seen.planned).toBeGreaterThan(150);
    expect(seen.errors).toBeGreaterThan(50);
    expect(seen.nulls).toBeGreaterThan(5);
  });
});
