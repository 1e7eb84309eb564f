import { createRequire } from 'node:module';
import { join } from 'node:path';
import { bodyText, ChannelWorld } from '../support/channel-world.js';
import { describeUnless } from '../support/skips.js';

/** The folder of Datadog's own client for Node, `@datadog/datadog-api-client` of npm. */
const folder = process.env['DATADOG_CLIENT'];
const reason = folder ? null : 'no client of Datadog: DATADOG_CLIENT names the folder of its package';

interface Serializer {
  deserialize(data: unknown, type: string, format: string): unknown;
}

/** Where a value is not as the types of the client say: of an unknown kind, without a required member, or with more. */
function problems(value: unknown, at = ''): string[] {
  if (typeof value !== 'object' || value === null || value instanceof Date) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    if (name === '_unparsed') return member === true ? [`${at} is of no known kind`] : [];
    if (name === 'unparsedObject') return [`${at} is of no known kind: ${JSON.stringify(member).slice(0, 300)}`];
    if (name === 'additionalProperties') return [`${at} has members that nobody knows: ${JSON.stringify(member)}`];
    return problems(member, `${at}/${name}`);
  });
}

describeUnless(reason, 'what Datadog gets', () => {
  let channels: ChannelWorld;
  let serializer: Serializer;
  beforeAll(async () => {
    channels = await ChannelWorld.create();
    const models = join(folder ?? '', 'dist/packages/datadog-api-client-v2/models/ObjectSerializer.js');
    ({ ObjectSerializer: serializer } = createRequire(import.meta.url)(models) as { ObjectSerializer: Serializer });
  });
  afterEach(() => channels.reset());
  afterAll(() => channels.world.close());

  const read = (body: unknown) => serializer.deserialize(body, 'CIAppCreatePipelineEventRequest', '');

  test('is a pipeline event in the types of its own client: builds and jobs that passed and that failed', async () => {
    await channels.service('datadog_pipeline_visibility', { api_key: 'a'.repeat(32), datadog_tags: 'team:web' });
    const steps = 'steps: [{ command: "true", label: "Test" }, { command: "false", label: "Lint" }]\n';
    await channels.run('good', steps);
    await channels.run('bad', steps, 1);
    await channels.deliver();
    const bodies = channels.requests.map(({ body }) => JSON.parse(bodyText(body)) as object);
    expect(bodies.length).toBeGreaterThanOrEqual(6);
    expect(bodies.flatMap((body) => problems(read(body)))).toEqual([]);
  });

  test('would be seen here if it were anything else', () => {
    const attributes = { resource: { level: 'pipeline', unique_id: 'x', name: 'n', url: 'u', status: 'splendid' } };
    const body = { data: { type: 'cipipeline_resource_request', attributes } };
    expect(problems(read(body))).not.toEqual([]);
  });
});
