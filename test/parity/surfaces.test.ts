import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { z } from 'zod';
import type { AnyOperation } from '../../src/core/operation.js';
import { operations } from '../support/operations.js';
import { routes } from '../../src/rest/routes.js';

/** Operations on one surface only, by reason: callers other than users, or kinds that only one surface can carry. */
const oneSurface: Readonly<Record<string, readonly string[]>> = {
  'asks the host of a connection, which a list of connections must not do for each': [
    'provider-connection.list-repositories',
  ],
  'spoken by agents, on /v3': [
    'agent.connect',
    'agent.disconnect',
    'agent.heartbeat',
    'agent.metrics',
    'agent.ping',
    'agent.register',
    'agent-token.identify',
    'artifact.register',
    'artifact.search',
    'artifact.update-states',
    'build.cancel-own',
    'job.accept',
    'job.acquire',
    'job.append-log',
    'job.finish',
    'job.header-times',
    'job.promise-failure',
    'job.read-state',
    'job.request-oidc-token',
    'job.request-repository-token',
    'job.start',
    'job.update-timeout',
    'meta-data.exists',
    'meta-data.get',
    'meta-data.keys',
    'meta-data.set',
    'meta-data.set-batch',
    'secret.read',
    'stack.deregister',
    'stack.finish-job',
    'stack.list-scheduled-jobs',
    'stack.notify',
    'stack.read-job',
    'stack.read-job-states',
    'stack.register',
    'stack.reserve-jobs',
    'step-upload.create',
    'step-upload.get-outcome',
    'step.cancel',
    'step.export',
    'step.update',
  ],
  'sent by source providers and whoever has the address of a trigger': [
    'connection-webhook-address.find',
    'pipeline-trigger.deliver',
    'webhook-address.find',
    'webhook-delivery.receive',
    'webhook-delivery.receive-for-connection',
  ],
  'sent by test collectors with a token of the suite, below /v1': ['test-ownership.store', 'upload.create'],
  'bytes, at an address of their own that needs no credential': [
    'artifact-archive.read',
    'artifact.read',
    'artifact.receive',
    'badge.read',
    'report-file.read',
  ],
  'about the token of the request itself, which the schema does not show': ['access-token.get', 'access-token.revoke'],
  'read by whoever receives an identity token, at the path that its issuer must have': ['oidc-key.list'],
  'done by whoever runs the installation': [
    'access-token.create',
    'provisioning.apply',
    'provisioning.export',
    'sign-in.create-address',
    'organization.delete',
    'user.create',
    'user.set-password',
  ],
  'steps of signing in to the console, before which nobody is known': [
    'session.create',
    'sign-in.accept-invitation',
    'sign-in.admit',
    'sign-in.check-password',
    'sign-in.count-attempts',
    'sign-in.find-invitation',
    'sign-in.use-address',
  ],
  'asked by an editor while its user types: /v2 refuses the same problems where a pipeline is created': [
    'pipeline.validate',
    'pipeline-schedule.next-times',
  ],
  'GraphQL asks the jobs of a build for their failures': ['job-failure.list'],
  'a setting with one value, for clients of GraphQL that always send it': ['organization.set-two-factor'],
  'for people who are signed in to the console, which speaks GraphQL': [
    'access-token.create-own',
    'access-token.list-organizations',
    'access-token.list-own',
    'access-token.revoke-own',
    'session.get',
    'session.list',
    'session.revoke',
    'session.revoke-all',
    'user.change-build-mail',
    'user.change-password',
  ],
  'steps of OAuth, at the paths and in the words of its RFCs': [
    'oauth-client.find',
    'oauth-client.register',
    'oauth-device.approve',
    'oauth-device.begin',
    'oauth-device.deny',
    'oauth-device.find',
    'oauth-grant.approve',
    'oauth-grant.exchange-code',
    'oauth-grant.exchange-device',
    'oauth-step.count',
  ],
};
const most = 95;

/** Operations that the sources of a folder import, by the modules they import them from. */
async function importedBy(folder: string): Promise<AnyOperation[]> {
  const known = new Set<unknown>(operations);
  const found = new Set<AnyOperation>();
  for (const name of readdirSync(folder, { recursive: true }) as string[]) {
    if (!name.endsWith('.ts')) continue;
    const file = join(folder, name);
    for (const [, imported = '', path = ''] of readFileSync(file, 'utf8').matchAll(
      /^import \{([^}]*)\} from '([^']*\/operations\/[^']*)\.js';/gm,
    )) {
      const module = (await import(new URL(`${path}.ts`, pathToFileURL(file)).href)) as Record<string, unknown>;
      for (const word of imported.split(',').map((part) => part.trim()))
        if (known.has(module[word])) found.add(module[word] as AnyOperation);
    }
  }
  return [...found];
}

describe('the surfaces of every operation', () => {
  const rest = new Set(routes.map((route) => route.operation.name));
  let graphql: Set<string>;
  beforeAll(async () => {
    // GraphQL uses a batch operation in place of the operation it batches.
    graphql = new Set(
      (await importedBy('src/graphql')).flatMap(({ name, batchOf }) => (batchOf ? [name, batchOf] : [name])),
    );
  });

  test('every operation is on both surfaces, or its reason for being on one is listed', () => {
    expect(graphql.size).toBeGreaterThan(30);
    const single = operations
      .filter(({ name, batchOf }) => !batchOf && !(rest.has(name) && graphql.has(name)))
      .map(({ name }) => name);
    expect(single.sort()).toEqual(Object.values(oneSurface).flat().sort());
    expect(single.length).toBeLessThanOrEqual(most);
  });

  test('a batch operation has the scope and surfaces of the operation it batches, and is read-only', () => {
    const batches = operations.filter(({ batchOf }) => batchOf !== null);
    expect(batches.length).toBeGreaterThan(5);
    for (const { name, batchOf, kind, input, scope } of batches) {
      const whole = operations.find((operation) => operation.name === batchOf);
      expect([name, kind, rest.has(name), graphql.has(name)]).toEqual([name, 'query', false, true]);
      expect([name, whole?.batchOf, rest.has(whole?.name ?? ''), graphql.has(whole?.name ?? '')]).toEqual([
        name,
        null,
        true,
        true,
      ]);
      expect([name, whole?.scope]).toEqual([name, scope]);
      const fields = Object.entries((input as unknown as z.ZodObject).shape as Record<string, z.ZodType>);
      const parents = fields.filter(([field, type]) => field.endsWith('Ids') && !type.safeParse(undefined).success);
      expect([name, parents.length]).toEqual([name, 1]);
    }
  });

  test('lists that may be a moment old are those of docs/operations.md, and the jobs of a single build are not', () => {
    const page = readFileSync('docs/operations.md', 'utf8');
    const section = page.slice(page.indexOf('### A read replica'));
    const named = [...section.slice(0, section.indexOf('\n## ')).matchAll(/`([a-z-]+\.[a-z-]+)`/g)].map(
      ([, name]) => name,
    );
    const mayLag = (input: object) =>
      operations.filter((operation) => operation.mayLag(input)).map(({ name, batchOf }) => batchOf ?? name);
    const wide = new Set(mayLag({ within: { organization: 'acme' } }));
    expect(wide.size).toBeGreaterThan(5);
    expect([...wide].sort()).toEqual(named.sort());
    const ofBuild = mayLag({ within: { build: {} } });
    expect(ofBuild).not.toContain('job.list');
    expect(operations.filter((operation) => operation.kind === 'command' && operation.mayLag({}))).toEqual([]);
  });
});
