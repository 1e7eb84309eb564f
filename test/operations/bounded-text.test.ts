import { z } from 'zod';
import { operations } from '../support/operations.js';

/**
 * Inputs of commands that no schema bounds by itself, with what does. What a request's body may be bounds all of them
 * besides (`jsonBodyBytes`, `jsonValues`); an input belongs here only if what is stored of it has a bound of its own.
 */
const elsewhere: Record<string, readonly string[]> = {
  'read as a time, a UUID, a number or a credential, and stored as that': [
    'access-token.create expiresAt',
    'access-token.create-own expiresAt',
    'agent-token.create expiresAt',
    'agent.register priority',
    'artifact.register batchId',
    'build.create pullRequestId',
    'pipeline-trigger.deliver token',
    'suite-test.set-state until',
    'webhook-delivery.receive token',
    'webhook-delivery.receive-for-connection connection',
  ],
  'the id or slug of something that exists, or of nothing': [
    'artifact.update-states artifacts.[].id',
    'execution.update-tags executions.[].id',
    'pipeline-trigger.delete id',
    'pipeline-trigger.update id',
    'suite.organization',
    'suite.slug',
    'suite.id',
  ],
  'one of a few words or known ids, each at most once or looked up': [
    'access-token.create organizations',
    'access-token.create scopes',
    'access-token.create scopes.[]',
    'annotation.create of.scope',
    'annotation.delete annotation.scope',
    'annotation.delete annotation.context',
    'job.types',
    'pipeline.create teamUuids',
    'pipeline.create teams',
    'suite.create teamIds',
  ],
  'bounded by a check of the field: envEntries and envBytes': [
    'build.create env',
    'build.create env.{}',
    'pipeline-schedule.create env',
    'pipeline-schedule.update env',
    'pipeline-trigger.create env',
    'pipeline-trigger.create env.{}',
    'pipeline-trigger.update env',
    'pipeline-trigger.update env.{}',
    'pipeline.create env',
    'pipeline.update env',
  ],
  'bounded by the few words that are its keys': ['test-plan.report statistics'],
  'bounded by a check of the field: entries and bytes of values': [
    'build.create metaData',
    'execution.update-tags executions.[].tags',
    'job.unblock fields',
    'job.unblock fields.{}',
    'job.unblock fields.{}.[]',
    'stack.register metadata',
    'pipeline.create tags',
    'pipeline.update tags',
  ],
  'bounded by configurationBytes, or by the sizes of a definition': [
    'pipeline.create steps',
    'pipeline.create steps.[]',
    'pipeline.update steps',
    'pipeline.update steps.[]',
    'step-upload.create pipeline',
  ],
  'only names of the provider are stored, each value checked by its kind': [
    'pipeline.create providerSettings',
    'pipeline.create providerSettings.{}',
    'pipeline.update providerSettings',
    'pipeline.update providerSettings.{}',
  ],
  'cut to its limit': ['stack.finish-job detail', 'stack.notify notifications.[].detail'],
  'refused or ignored': [
    'queue.create hostedAgents',
    'queue.create hostedAgents.{}',
    'queue.update hostedAgents',
    'queue.update hostedAgents.{}',
    'secret.update key',
    'secret.update value',
    'job.update-timeout attributes',
    'job.update-timeout attributes.{}',
    'stack.notify notifications.[].jobId',
    'stack.notify notifications.[].timestamp',
  ],
  'bytes or bodies that their surface bounds before it reads them': [
    'artifact.receive bytes',
    'job.append-log bytes',
    'job.append-log gzip',
    'job.header-times body',
    'pipeline-trigger.deliver body',
    'pipeline-trigger.deliver payload',
    'pipeline-trigger.deliver proofs',
    'webhook-delivery.receive body',
    'webhook-delivery.receive headers',
    'webhook-delivery.receive headers.[]',
    'webhook-delivery.receive payload',
    'webhook-delivery.receive proof',
    'webhook-delivery.receive-for-connection body',
    'webhook-delivery.receive-for-connection headers',
    'webhook-delivery.receive-for-connection headers.[]',
    'webhook-delivery.receive-for-connection payload',
    'webhook-delivery.receive-for-connection proof',
  ],
  'results of tests: cut one by one, and counted by upload and run': [
    'upload.create data',
    'upload.create runEnv',
    'upload.create runEnv.{}',
    'upload.create tags',
  ],
};
const exceptions = new Set(Object.values(elsewhere).flat());

type Node = Readonly<Record<string, unknown>>;

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);
const notes = ['$schema', 'description', 'default'];
const boundedByKind = ['enum', 'const', 'format', 'maxLength'];

/** Whether a node of JSON Schema accepts text, lists or maps of any size. */
function isOpen(node: Node): boolean {
  const names = Object.keys(node).filter((name) => !notes.includes(name));
  if (names.length === 0) return true;
  if (node['type'] === 'string') return !boundedByKind.some((name) => name in node);
  if (node['type'] === 'array') return !('maxItems' in node) && !('prefixItems' in node);
  return isNode(node['additionalProperties']) && !('maxProperties' in node);
}

/** Paths of the inputs without a bound, such as `artifacts.[].path`. */
function openPaths(schema: unknown, path: readonly string[] = []): string[] {
  if (!isNode(schema)) return [];
  const inner = ['anyOf', 'allOf', 'oneOf'].flatMap((name) => (schema[name] as unknown[] | undefined) ?? []);
  return [
    ...(isOpen(schema) ? [path.join('.')] : []),
    ...inner.flatMap((each) => openPaths(each, path)),
    ...openPaths(schema['items'], [...path, '[]']),
    ...openPaths(schema['additionalProperties'], [...path, '{}']),
    ...Object.entries((schema['properties'] as Node | undefined) ?? {}).flatMap(([name, each]) =>
      openPaths(each, [...path, name]),
    ),
  ];
}

/** Parts of addresses are the same in many operations. */
const placeOf = (operation: string, path: string) =>
  /(?:^|\.)(?:job\.types|suite\.(?:organization|slug|id))$/.exec(path)?.[0].replace(/^\./, '') ??
  `${operation} ${path}`;

// Provisioning is a file of the operator, not of a caller.
const open = operations
  .filter(({ kind, name }) => kind === 'command' && name !== 'provisioning.apply')
  .flatMap(({ name, input }) =>
    openPaths(z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })).map((path) => placeOf(name, path)),
  );

/** Objects that refuse fields that they do not name, which documents do not say (`domain/retention/policy.ts`). */
const closed = /^(organization\.update-pipeline-settings|pipeline\.(create|update)) retention\b/;

test('every text, list and map that a command takes has a bound', () => {
  expect([...new Set(open)].filter((place) => !exceptions.has(place) && !closed.test(place))).toEqual([]);
});

test('every exception is an input that a command takes', () => {
  expect([...exceptions].filter((place) => !open.includes(place))).toEqual([]);
});
