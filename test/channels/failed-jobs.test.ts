import type { Express } from 'express';
import { ChannelWorld } from '../support/channel-world.js';
import { runUntilIdle } from '../support/run-until-idle.js';
import { agentApp, ScriptedAgent } from '../support/scripted-agent.js';

const failure = [
  '~~~ Running commands',
  '$ npm test',
  'one of many lines',
  '\u001b[31mAssertionError: expected 3 <b> to be 4 ```\u001b[0m',
  '    at sum.test.ts:12:5',
  'npm error code 1',
].join('\n');

describe('messages about a build that failed', () => {
  let channels: ChannelWorld;
  let agents: Express;
  beforeAll(async () => {
    channels = await ChannelWorld.create();
    agents = agentApp(channels.world);
  });
  afterEach(() => channels.reset());
  afterAll(() => channels.world.close());

  /** A build whose jobs an agent runs, each with a log and an exit status by its label. */
  async function run(slug: string, yaml: string, statusOf: (label: string) => number): Promise<string> {
    await channels.world.pipeline(yaml, { slug });
    const { id } = await channels.build(slug);
    await runUntilIdle(channels.services);
    const agent = await ScriptedAgent.connected(agents, channels.world.agentToken, { name: slug });
    const jobs = await channels.runner.jobs(id);
    for (let left = jobs.length; left > 0; left -= 1) {
      const job = await agent.takeJob();
      const status = statusOf(jobs.find((row) => row.id === job)?.label ?? '');
      await agent.chunk(job, 1, 0, Buffer.from(status === 0 ? 'all is well\n' : failure)).expect(201);
      await agent.finish(job, { exit_status: String(status) }).expect(200);
    }
    await agent.call('post', '/disconnect').expect(200);
    await channels.deliver();
    return id;
  }

  const steps = (labels: readonly string[]) =>
    `steps: [${labels.map((label) => `{ label: ${label}, command: "npm test" }`).join(', ')}]\n`;

  test('a mail names the jobs that failed, how, and the lines that tell why; one about a success names none', async () => {
    const yaml = `${steps(['Lint', 'Unit'])}notify: [{ email: "dev@example.com", if: build.state != "failing" }]\n`;
    await run('mailed', yaml, (label) => (label === 'Unit' ? 1 : 0));
    const { text = '', html = '' } = channels.mails.at(-1) ?? {};
    expect(text).toContain('Unit: The command ended with exit status 1.');
    expect(text).toMatch(/^http:\/\/slipway\.test\/acme\/mailed\/builds\/1#[0-9a-f-]{36}$/m);
    expect(text).toContain('\n    AssertionError: expected 3 <b> to be 4 ```\n        at sum.test.ts:12:5\n');
    expect(text).not.toMatch(/Lint|\u001b/);
    expect(html).toContain('AssertionError: expected 3 &lt;b&gt; to be 4');
    channels.mails.length = 0;
    await run('mailed-well', yaml, () => 0);
    expect(channels.mails.map(({ text: words }) => words.includes('all is well'))).toEqual([false]);
  });

  test('Slack shows each in a block of code that no line of a log ends, and counts those beyond the third', async () => {
    await channels.service('slack', { url: 'https://hooks.slack.com/services/T000/B000/secret' });
    await run('posted', steps(['A', 'B', 'C', 'D']), (label) => (label === 'D' ? 0 : 1));
    await run('posted-more', steps(['A', 'B', 'C', 'D', 'E']), () => 1);
    const [three, five] = ['posted', 'posted-more'].map((slug) => attachmentsOf(channels, slug));
    expect(three?.map(({ title }) => title)).toEqual(['#1 failed', 'A', 'B', 'C']);
    const code = three?.[1]?.text ?? '';
    expect(code).toMatch(
      /^The command ended with exit status 1\.\n```\n[^`]*AssertionError: expected 3 &lt;b&gt;[^`]*\n```$/,
    );
    expect(five?.map(({ title, text }) => title ?? text)).toEqual([
      '#1 failed',
      'A',
      'B',
      'C',
      '2 more jobs have failed.',
    ]);
  });

  test('a message about a step is about the jobs of the step, soft failures too, and goes out without logs that are gone', async () => {
    await channels.service('slack_workspace', { token: 'xoxb-secret', workspace: 'acme' });
    channels.answer = () => ({ status: 200, body: '{"ok":true}' });
    const read = vi.spyOn(channels.services.storage, 'get').mockRejectedValue(new Error('storage is away'));
    try {
      await run(
        'of-step',
        'steps: [{ label: Hard, command: x }, { label: Soft, command: y, soft_fail: true, notify: [{ slack: "#ops" }] }]\n',
        () => 1,
      );
    } finally {
      read.mockRestore();
    }
    const attachments = attachmentsOf(channels, 'of-step');
    expect(attachments.map(({ title }) => title)).toEqual(['#1 failed softly', 'Soft']);
  });
});

function attachmentsOf(channels: ChannelWorld, pipeline: string): { title?: string; text: string }[] {
  const body = channels.bodies().findLast((each) => JSON.stringify(each).includes(`of ${pipeline} `));
  return (body?.['attachments'] ?? []) as { title?: string; text: string }[];
}
