import 'reflect-metadata';
import { runInNewContext } from 'node:vm';
import { setFlagsFromString } from 'node:v8';
import { buildSchema, type DocumentNode, Kind, parse } from 'graphql';
import { DefinitionMemory } from '../../src/engine/new-builds/definition-memory.js';
import { Executor } from '../../src/graphql/execution/executor.js';
import { DirectResolvers } from '../../src/graphql/execution/resolvers.js';
import { DocumentMemory } from '../../src/graphql/server/document-memory.js';
import { type Fragment, FragmentCache } from '../../src/response-cache/fragment-cache.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const MIB = 1024 * 1024;

function memoryInUse(): number {
  collectGarbage();
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Bytes by which the memory of the process grows while `fill` runs. */
function growthOf(fill: () => void): number {
  const before = memoryInUse();
  fill();
  return memoryInUse() - before;
}

/** What memory may grow by beside what is counted: code that is compiled meanwhile. */
const slack = 2 * MIB;

const worstDocuments: Record<string, (index: number) => string> = {
  'many fields': (index) => `{ f${index} ${'a '.repeat(4_000)}}`,
  'nested lists of arguments': (index) => `{ a(x: [${index} ${'{b:1}'.repeat(2_500)}]) }`,
  'a long text': (index) => `{ a(x: "${index}${'€'.repeat(80_000)}") }`,
  'many variables': (index) =>
    `query q${index}(${Array.from({ length: 900 }, (_, n) => `$a${n}:Int`).join(' ')}) { a }`,
};

test.each(Object.entries(worstDocuments))(
  'documents with %s take no more memory than their budget, however many come',
  (_, documentOf) => {
    const memory = new DocumentMemory(8 * MIB);
    const growth = growthOf(() => {
      for (let index = 0; index < 100; index += 1) memory.keep(`${index}`, parse(documentOf(index)));
    });
    expect(growth).toBeLessThan(8 * MIB + slack);
    expect(memory.use().bytes).toBeLessThanOrEqual(8 * MIB);
    expect(memory.use().bytes).toBeGreaterThan(4 * MIB);
  },
);

describe('plans', () => {
  const schema = buildSchema('type Query { a(x: String): Int }');
  for (const field of Object.values(schema.getQueryType()?.getFields() ?? {})) field.resolve = () => 1;
  const execute = async (executor: Executor, text: string, index: number) => {
    const document: DocumentNode = parse(text);
    const [operation] = document.definitions;
    if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error('no operation');
    const documentHash = `document ${index}`;
    await executor.execute({ document, documentHash, operation, operationName: null, variables: {}, context: {} });
  };

  test.each([
    ['a long name of their operation', (index: number) => `query n${index}${'a'.repeat(200_000)} { a }`],
    ['a long argument', (index: number) => `{ a(x: "${index}${'€'.repeat(80_000)}") }`],
    ['many fields', (index: number) => `{ ${Array.from({ length: 1_500 }, (_, n) => `f${n}x${index}: a`).join(' ')} }`],
  ])('of operations with %s take no more memory than their budget, however many come', async (_, documentOf) => {
    const budget = 8 * MIB;
    const resolvers = new DirectResolvers(schema, []);
    const executor = new Executor(schema, resolvers, undefined, budget);
    const before = memoryInUse();
    for (let index = 0; index < 100; index += 1) await execute(executor, documentOf(index), index);
    expect(memoryInUse() - before).toBeLessThan(budget + slack);
    expect(executor.use().bytes).toBeLessThanOrEqual(budget);
    expect(executor.use().bytes).toBeGreaterThan(budget / 2);
  });
});

test('parts of many small pieces take no more memory than their budget', () => {
  const parts = new FragmentCache(16 * MIB);
  const partOf = (index: number): Fragment => ({
    texts: Array.from({ length: 101 }, () => Buffer.from(',')),
    inner: Array.from({ length: 100 }, (_, n) => {
      const id = `${index}-${n}-${'0'.repeat(30)}`;
      return { kind: 'job', args: { id, detail: true }, key: `job ${id}` };
    }),
    sources: Array.from({ length: 100 }, (_, n) => ({
      kind: 'row jobs',
      key: `${index}-${n}-${'0'.repeat(30)}`,
      version: `v${n}.${index}`,
    })),
  });
  const growth = growthOf(() => {
    for (let index = 0; index < 2_000; index += 1) parts.keep(`part ${index}`, partOf(index), 0);
  });
  const { bytes, budget } = parts.use();
  expect(growth).toBeLessThan(budget + slack);
  expect(bytes).toBeLessThanOrEqual(budget);
});

test('100,000 URLs leave no more memory than a quarter of the budget of replies', () => {
  const { responses: replies } = new FragmentCache(16 * MIB);
  const asking = (index: number) => ({
    surface: 'rest',
    by: 'token',
    what: `/v2/organizations/o?page=${index}`,
    ipAddress: null,
    userAgent: null,
  });
  const growth = growthOf(() => {
    for (let index = 0; index < 100_000; index += 1) {
      const visit = replies.visit(asking(index));
      visit.record({ recorder: null }, {});
    }
  });
  const { bytes, budget } = replies.use();
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThanOrEqual(budget / 4);
  expect(growth).toBeLessThan(budget / 4 + slack);
});

test('definitions whose aliases repeat a text take no more memory than their budget, however many come', () => {
  const memory = new DefinitionMemory<object>(8 * MIB);
  const growth = growthOf(() => {
    for (let index = 0; index < 200; index += 1) {
      const env = Object.fromEntries(
        Array.from({ length: 50 }, (_, n) => [`NAME_${n}`, Buffer.alloc(20_000, `${index} `).toString('latin1')]),
      );
      memory.keep(`${index}: ${'*a '.repeat(500)}`, { ok: true, definition: { env, steps: [] } });
    }
  });
  expect(growth).toBeLessThan(8 * MIB + slack);
  expect(memory.use().bytes).toBeLessThanOrEqual(8 * MIB);
});
