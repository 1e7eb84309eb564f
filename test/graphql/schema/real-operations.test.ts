import {
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isRequiredInputField,
  Kind,
  parse,
  parseType,
  type TypeNode,
} from 'graphql';
import { buildSchema } from '../../../src/graphql/server/schema.js';
import { oneOfEverything, type PathValues } from '../../support/one-of-everything.js';
import { describeWithVectors, readVectors } from '../../support/vectors.js';
import { type Operation, outOfScope, wrongAsWritten } from './real-operations.js';
import { Door } from '../support.js';

describeWithVectors('operations of real clients', () => {
  let door: Door;
  let schema: GraphQLSchema;
  let known: PathValues;
  beforeAll(async () => {
    schema = await buildSchema();
    door = await Door.open({ plan: 'enterprise' });
    known = await oneOfEverything(door.world, 'steps: [{ command: a }, { block: b }]');
  });
  afterAll(() => door.close());

  test('run: what they get is an answer, and never a failure of ours', async () => {
    const { cases } = readVectors<{ cases: Operation[] }>('graphql/operations.json');
    const runnable = cases.filter((one) => !(one.id in wrongAsWritten) && !(one.id in outOfScope));
    const failures: string[] = [];
    for (const { id, document } of runnable) {
      const parsed = parse(document);
      for (const definition of parsed.definitions) {
        if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
        const variables = Object.fromEntries(
          (definition.variableDefinitions ?? []).map(({ variable: { name }, type }) => [
            name.value,
            valueFor(schema, name.value, type, known('')),
          ]),
        );
        const { status, body } = await door
          .post()
          .send({ query: document, variables, operationName: definition.name?.value });
        const codes = (body.errors ?? []).map((error: { extensions?: { code?: string } }) => error.extensions?.code);
        if (status !== 200 || codes.some((code: string) => !answers.has(code)))
          failures.push(`${id} ${status} ${JSON.stringify(body).slice(0, 300)}`);
      }
    }
    expect(failures).toEqual([]);
    expect(runnable).toHaveLength(129);
  });
});

/**
 * What an operation may be told: that there is no such thing, that its state forbids it, or that a made-up value is not
 * right.
 */
const answers: ReadonlySet<string> = new Set(['NOT_FOUND', 'CONFLICT', 'BAD_USER_INPUT', 'FORBIDDEN']);

/** A value for a variable: the slug or id of something that is there where its name says so, else any of its type. */
function valueFor(schema: GraphQLSchema, name: string, type: TypeNode, at: Readonly<Record<string, string>>): unknown {
  if (type.kind === Kind.NON_NULL_TYPE) return valueFor(schema, name, type.type, at);
  if (type.kind === Kind.LIST_TYPE) return [valueFor(schema, name, type.type, at)];
  const named = schema.getType(type.name.value);
  if (isEnumType(named)) return named.getValues()[0]?.name;
  if (isInputObjectType(named))
    return Object.fromEntries(
      Object.values(named.getFields())
        .filter(isRequiredInputField)
        .map((field) => [field.name, valueFor(schema, field.name, parseType(String(field.type)), at)]),
    );
  if (['Int', 'JSInt', 'Float'].includes(type.name.value)) return 1;
  if (type.name.value === 'Boolean') return true;
  if (type.name.value === 'DateTime') return '2026-01-01T00:00:00Z';
  if (/cursor|after|before/i.test(name)) return null;
  if (/^(org|organization|orgslug|organizationslug|slug)$/i.test(name)) return 'acme';
  if (/pipeline.*slug/i.test(name)) return 'acme/app';
  const thing = [
    'pipeline',
    'job',
    'team',
    'cluster',
    'queue',
    'suite',
    'agent',
    'user',
    'rule',
    'token',
    'schedule',
    'template',
  ];
  return at[thing.find((each) => name.toLowerCase().includes(each)) ?? ''] ?? at['pipeline'];
}
