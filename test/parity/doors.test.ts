import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AnyOperation } from '../../src/operations/operation.js';
import { operations } from '../../src/operations/registry.js';
import { routes } from '../../src/rest/routes.js';

const agents = 'spoken by agents, on /v3';
const later = 'its resource comes to /v2 with the agents of a later issue';
const batch = 'lists within lists: many parents in one statement, which /v2 never asks for';
const screen = 'a part of the schema that /v2 has no request for';
const signed = 'bytes, at a signed address of their own that needs no credential';
const oneToken = 'about the token of the request itself, which the schema does not show';

/**
 * Operations without both doors, and why. An entry goes when its operation gets its second door; a new operation has
 * both from the start. The list only gets shorter.
 */
const oneDoor: Readonly<Record<string, string>> = {
  'artifact.register': agents,
  'artifact.search': agents,
  'artifact.update-states': agents,
  'agent.connect': agents,
  'agent.disconnect': agents,
  'agent.heartbeat': agents,
  'agent.metrics': agents,
  'agent.ping': agents,
  'agent.register': agents,
  'job.accept': agents,
  'job.acquire': agents,
  'job.append-log': agents,
  'job.finish': agents,
  'job.header-times': agents,
  'job.read-state': agents,
  'job.start': agents,
  'meta-data.exists': agents,
  'secret.read': agents,
  'meta-data.get': agents,
  'meta-data.keys': agents,
  'meta-data.set': agents,
  'meta-data.set-batch': agents,
  'user.get': later,
  'artifact.list-of-jobs': batch,
  'build.list-of-pipelines': batch,
  'event.list-of-jobs': batch,
  'job.list-of-agents': batch,
  'job.list-of-builds': batch,
  'job.list-of-pipelines': batch,
  'pipeline.favorites': batch,
  'pipeline.levels': batch,
  'pipeline.list-teams': batch,
  'agent.held-jobs': screen,
  'build.step-keys': screen,
  'event.get': screen,
  'job.cancel': screen,
  'pipeline.favorite': screen,
  'pipeline.rotate-webhook-url': screen,
  'pipeline-trigger.deliver': 'spoken by whoever has the address of a trigger',
  'webhook-delivery.receive': 'spoken by source providers, at the address of a pipeline',
  'access-token.get': oneToken,
  'access-token.revoke': oneToken,
  'access-token.create': 'done by whoever runs the installation, at its command line',
  'artifact.read': signed,
  'artifact.receive': signed,
  'badge.read': 'an image, at the address of its own',
  'upload.create': 'sent by test collectors with a token of the suite, on /v1/uploads',
  'provisioning.apply': 'done by whoever runs the installation, from its file',
};
const most = 48;

/** Operations that the sources of a folder import, by the modules they import them from. */
async function importedBy(folder: string): Promise<Set<string>> {
  const known = new Set<unknown>(operations);
  const names = new Set<string>();
  for (const name of readdirSync(folder, { recursive: true }) as string[]) {
    if (!name.endsWith('.ts')) continue;
    const file = join(folder, name);
    for (const [, imported = '', path = ''] of readFileSync(file, 'utf8').matchAll(/^import \{([^}]*)\} from '([^']*\/operations\/[^']*)\.js';/gm)) {
      const module = (await import(new URL(`${path}.ts`, pathToFileURL(file)).href)) as Record<string, unknown>;
      for (const word of imported.split(',').map((part) => part.trim())) if (known.has(module[word])) names.add((module[word] as AnyOperation).name);
    }
  }
  return names;
}

describe('the doors of every operation', () => {
  test('are two, or there is a reason why not', async () => {
    const rest = new Set(routes.map((route) => route.operation.name));
    const graphql = await importedBy('src/graphql');
    expect(graphql.size).toBeGreaterThan(30);
    const single = operations.map(({ name }) => name).filter((name) => !(rest.has(name) && graphql.has(name)));
    expect(single.sort()).toEqual(Object.keys(oneDoor).sort());
    expect(single.length).toBeLessThanOrEqual(most);
  });
});
