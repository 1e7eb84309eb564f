import type { Data } from '../../support/both-surfaces.js';
import { describeWithVectors, readVectors } from '../../support/vectors.js';
import { RestWorld } from '../rest-world.js';

interface Shape {
  types: string[];
  keys?: Record<string, Shape & { always?: boolean }>;
  items?: Shape;
}

const root = '/v2/organizations/{org}';
const wanted = ['members', 'pipeline-templates', 'teams'].map((noun) => `${root}/${noun}`);

describeWithVectors('the replies in rest/shapes-docs.json about members, templates and teams', () => {
  let rest: RestWorld;
  const here: Record<string, string> = { org: 'acme' };
  beforeAll(async () => {
    rest = await RestWorld.create({ plan: 'enterprise' });
    const { world } = rest;
    const organizationId = world.organization.id;
    const pipeline = (await world.pipeline('steps: []')).id;
    const suite = await world.insert('suites', {
      organizationId,
      slug: 'unit',
      name: 'Unit',
      defaultBranch: 'main',
      tokenHash: 'hash',
    });
    const { body: team } = await rest.post('/organizations/acme/teams', { name: 'Core', description: 'about' });
    const { body: template } = await rest.post('/organizations/acme/pipeline-templates', {
      name: 'Go',
      configuration: 'steps: []',
    });
    Object.assign(here, { team: team.id, template: template.uuid, user: world.member.id, suite, pipeline });
    await rest.post(`/organizations/acme/teams/${team.id}/members`, { user_id: world.member.id, role: 'member' });
    await rest.post(`/organizations/acme/teams/${team.id}/pipelines`, {
      pipeline_id: pipeline,
      access_level: 'read_only',
    });
    await rest.post(`/organizations/acme/teams/${team.id}/suites`, { suite_id: suite, access_level: ['read'] });
  });
  afterAll(() => rest.close());

  test('each read has every documented key, with a value of a documented type', async () => {
    const { endpoints } = readVectors('rest/shapes-docs.json') as { endpoints: Record<string, { response?: Shape }> };
    const reads = Object.entries(endpoints).filter(
      ([name, { response }]) =>
        response &&
        name.startsWith('GET ') &&
        wanted.some((path) => name.slice(4) === path || name.slice(4).startsWith(`${path}/`)),
    );
    expect(reads.length).toBeGreaterThanOrEqual(11);
    for (const [name, { response }] of reads) {
      const path = name.slice('GET /v2'.length).replace(/\{(\w+)\}/g, (_, word: string) => here[word] ?? word);
      const reply = await rest.get(path);
      expect([name, reply.status, differences(response as Shape, reply.body, '')]).toEqual([name, 200, []]);
    }
  });
});

/** Keys that a value lacks or has with another type than the shape; null fits every type. */
function differences(shape: Shape, value: Data, path: string): string[] {
  if (value === null) return [];
  const type = Array.isArray(value) ? 'array' : typeof value;
  if (!shape.types.includes(type)) return [`${path} is of type ${type}`];
  if (Array.isArray(value))
    return value.flatMap((item) => (shape.items ? differences(shape.items, item, `${path}[]`) : []));
  return Object.entries(shape.keys ?? {}).flatMap(([key, inner]) =>
    key in value ? differences(inner, value[key], `${path}.${key}`) : inner.always ? [`${path}.${key} is missing`] : [],
  );
}
