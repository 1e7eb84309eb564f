import { BothSurfaces } from '../support/both-surfaces.js';
import { ChannelWorld } from '../support/channel-world.js';
import { newSuite, result, upload } from '../support/suites.js';

describe('a message of a workflow of a suite', () => {
  let channels: ChannelWorld;
  let surfaces: BothSurfaces;
  beforeAll(async () => {
    channels = await ChannelWorld.create();
    surfaces = await BothSurfaces.of(channels.world);
  });
  afterAll(() => surfaces?.close());

  test('goes to the channel that it names, with its own text where it has one, by the token of the service', async () => {
    channels.answer = () => ({ status: 200, body: '{"ok":true}' });
    await channels.service('slack_workspace', { token: 'xoxb-secret', workspace: 'acme' }, { buildStates: {} });
    const suite = await newSuite(surfaces, 'RSpec');
    const workflow = await surfaces.read([
      'post',
      `${suite.path}/workflows`,
      {
        name: 'New ones',
        monitor: { type: 'new_test' },
        alarm_actions: [
          { type: 'slack', channel: '#tests' },
          { type: 'slack', channel: '#people', message: 'Look at it' },
        ],
      },
    ]);
    await upload(surfaces, suite.authorization, 'K1', [result('young')], { runEnv: { branch: 'main' } });
    await channels.deliver();
    const [event] = await surfaces.read(['get', `${suite.path}/workflows/${workflow.id}/events`]);
    expect(event.problems).toEqual([]);
    expect(channels.requests.map(({ url }) => url)).toEqual([
      'https://slack.com/api/chat.postMessage',
      'https://slack.com/api/chat.postMessage',
    ]);
    expect(channels.requests[0]?.headers).toMatchObject({ authorization: 'Bearer xoxb-secret' });
    const [tests, people] = ['#tests', '#people'].map((channel) =>
      JSON.stringify(channels.bodies().find((body) => body['channel'] === channel)),
    );
    expect(tests).toContain('a scope young');
    expect(people).toContain('Look at it');
    const sent = await surfaces.read(['get', `${suite.path}/workflows/${workflow.id}/events/${event.id}/deliveries`]);
    expect(sent.map(({ state }: { state: string }) => state)).toEqual(['delivered', 'delivered']);
  });
});
