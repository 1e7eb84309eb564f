import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BusEvent } from '../../src/services/services.js';
import { ChannelWorld } from '../support/channel-world.js';
import { describeUnless } from '../support/skips.js';

type Fields = Record<string, unknown>;

const folder = process.env['PUBLISHED_EXAMPLES'] ?? '';
const files = { bus: 'amazon_eventbridge.md', changes: 'pagerduty_change_events.md', lines: 'basecamp_campfires.md' };
const absent = Object.values(files).every((file) => existsSync(join(folder, file)))
  ? null
  : `PUBLISHED_EXAMPLES names no folder with ${Object.values(files).join(', ')}`;

/** The objects in the blocks of JSON of a page; blocks that are no JSON are left out. */
function examplesOf(file: string): Fields[] {
  const blocks = readFileSync(join(folder, file), 'utf8').matchAll(/^```\s*json\n([\s\S]*?)^```/gm);
  return [...blocks].flatMap(([, text = '']) => {
    try {
      const value: unknown = JSON.parse(text.replaceAll(String.raw`\:`, ':'));
      return typeof value === 'object' && value !== null && !Array.isArray(value) ? [value as Fields] : [];
    } catch {
      return [];
    }
  });
}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The members of an example that ours lacks, or has with another type; null is of any type. */
function missing(example: Fields, ours: Fields, path = ''): string[] {
  return Object.entries(example).flatMap(([key, value]) => {
    const own = ours[key];
    const name = `${path}${key}`;
    if (own === undefined) return [`${name} is missing`];
    if (own === null || value === null) return [];
    if (isObject(value)) return isObject(own) ? missing(value, own, `${name}.`) : [`${name} is no object`];
    if (Array.isArray(value) !== Array.isArray(own) || typeof value !== typeof own)
      return [`${name} is a ${typeof own}`];
    return [];
  });
}

/** State of the build or job of an event; of a job that waits, as its API has it: its example tells one of later. */
const stateOf = (detail: Fields | undefined, name: string): unknown => {
  const state = (detail?.[name] as Fields | undefined)?.['state'];
  return state === 'assigned' ? 'scheduled' : state;
};

describeUnless(absent, 'what is sent, beside the examples that the services publish', () => {
  let channels: ChannelWorld;
  const busEvents: BusEvent[] = [];
  beforeAll(async () => {
    channels = await ChannelWorld.create();
    channels.services.eventBus = {
      put: (event) => {
        busEvents.push(event);
        return Promise.resolve({ verdict: 'sent', status: 200, words: 'id' });
      },
    };
  });
  afterEach(() => channels.reset());
  afterAll(() => channels.world.close());

  const steps = 'steps: [{ command: "true", label: "Test" }, { block: "Go" }]\n';

  test('EventBridge: each event of builds and jobs has every member of its example', async () => {
    await channels.service('aws_event_bridge', { aws_region: 'us-east-1', aws_account_id: '123456789012' });
    await channels.run('bus', steps);
    await channels.deliver();
    const examples = examplesOf(files.bus).filter(
      (example) => isObject(example['detail']) && 'version' in example['detail'],
    );
    const sent = new Map(busEvents.map(({ detailType, detail }) => [detailType, JSON.parse(detail) as Fields]));
    const compared = examples.filter((example) => sent.has(String(example['detail-type'])));
    expect(compared.map((example) => example['detail-type'])).toEqual(
      expect.arrayContaining(['Build Created', 'Build Started', 'Job Scheduled', 'Job Started', 'Job Finished']),
    );
    for (const { 'detail-type': type, detail } of compared) {
      // The jobs of this test run without agents: `agent` is compared in `event-bridge-detail`.
      const { agent: _agent, ...example } = detail as Fields;
      expect([type, ...missing(example, sent.get(String(type)) ?? {})]).toEqual([type]);
      expect([type, stateOf(sent.get(String(type)), 'job')]).toEqual([type, stateOf(example, 'job')]);
    }
  });

  test('PagerDuty: a change event has the members of the example and no other, but details of its own', async () => {
    await channels.run(
      'paged',
      `${steps.replace(', { block: "Go" }', '')}notify: [{ pagerduty_change_event: "${'0'.repeat(32)}" }]\n`,
    );
    await channels.deliver();
    const [example] = examplesOf(files.changes);
    const [ours] = channels.bodies();
    const withoutDetails = (value: Fields | undefined) => ({
      ...value,
      payload: { ...(value?.['payload'] as Fields), custom_details: null },
    });
    expect(missing(withoutDetails(example), withoutDetails(ours))).toEqual([]);
    expect(missing(withoutDetails(ours), withoutDetails(example))).toEqual([]);
    expect(Object.keys((ours?.['links'] as Fields[])[0] ?? {})).toEqual(
      Object.keys((example?.['links'] as Fields[])[0] ?? {}),
    );
  });

  test('Basecamp: a line is the content alone, as in the example', async () => {
    const url = 'https://3.basecamp.com/1/integrations/secret/buckets/2/chats/3/lines';
    await channels.run('camp', `${steps}notify: [{ basecamp_campfire: "${url}" }]\n`);
    await channels.deliver();
    const examples = examplesOf(files.lines).filter((example) => Object.keys(example).length === 1);
    expect(examples).not.toEqual([]);
    expect(Object.keys(channels.bodies()[0] ?? {})).toEqual(Object.keys(examples[0] ?? {}));
  });
});
