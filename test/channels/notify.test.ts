import { unblockJob } from '../../src/operations/builds/jobs/unblock.js';
import { ChannelWorld } from '../support/channel-world.js';

describe('notify in pipelines', () => {
  let channels: ChannelWorld;
  beforeAll(async () => {
    channels = await ChannelWorld.create();
  });
  afterEach(() => channels.reset());
  afterAll(() => channels.world.close());

  const steps = 'steps: [{ command: "true", label: "Test" }]\n';
  const workspace = (fields: object = {}) =>
    channels.service('slack_workspace', { token: 'xoxb-secret', workspace: 'acme' }, fields);
  const ok = () => ({ status: 200, body: '{"ok":true}' });

  test('mail goes out when a build fails, and again when it ends: the documented double firing', async () => {
    const build = await channels.run(
      'mailed',
      'steps: [{ command: "a" }, { command: "b" }]\nnotify: [{ email: "dev@example.com" }]\n',
      1,
    );
    await channels.deliver();
    expect(channels.mails.map(({ to, subject }) => [to, subject])).toEqual([
      ['dev@example.com', '[mailed] #1 on main is failing: Fix <all> of it'],
      ['dev@example.com', '[mailed] #1 on main failed: Fix <all> of it'],
    ]);
    expect(channels.mails[1]?.html).toContain('Fix &lt;all&gt; of it');
    expect(channels.mails[1]?.text).toContain(`http://slipway.test/acme/mailed/builds/${build.number}`);
    expect(await channels.outcomes(build.id)).toEqual([
      { channel: 'email', target: 'dev@example.com', event: 'build.failing', outcome: 'sent', detail: null },
      { channel: 'email', target: 'dev@example.com', event: 'build.finished', outcome: 'sent', detail: null },
    ]);
  });

  test('a condition that is false is seen on the build with the values that it names', async () => {
    const build = await channels.run(
      'conditional',
      `${steps}notify:\n  - email: dev@example.com\n    if: build.state == "failed" && build.branch != "x"\n  - email: dev@example.com\n    if: build.nothing == 1\n`,
    );
    await channels.deliver();
    expect(channels.mails).toEqual([]);
    const [first, second] = await channels.outcomes(build.id);
    expect(first).toMatchObject({
      outcome: 'condition_false',
      detail: 'The condition is false: build.state = "passed", build.branch = "main"',
    });
    expect(second).toMatchObject({ outcome: 'condition_false' });
    expect(second?.detail).toContain('cannot be evaluated');
  });

  test('what cannot be sent says why: no mail, no such channel, no address, an unknown word, a kind that steps lack', async () => {
    const { mail } = channels.services;
    channels.services.mail = undefined;
    const build = await channels.run(
      'unsent',
      'steps: [{ command: "true", notify: [{ email: "a@example.com" }] }]\n' +
        'notify: [{ email: "a@example.com" }, { slack: "#general" }, { webhook: "nowhere" }, { pager: "x" }]\n',
    );
    channels.services.mail = mail;
    await channels.deliver();
    const rows = await channels.outcomes(build.id);
    expect(rows.filter(({ event }) => event.endsWith('.finished')).map(({ outcome }) => outcome)).toEqual([
      'no_mail',
      'no_channel',
      'invalid',
      'invalid',
      'invalid',
    ]);
    expect(rows.map(({ detail }) => detail)).toContain('A step has no email in notify: only the build has.');
    expect(rows.map(({ detail }) => detail)).toContain('Slipway does not know "pager" in notify.');
    expect(channels.mails.length + channels.requests.length).toBe(0);
  });

  test('a workspace posts to the channel with the own text of the entry, and mentions of a commit message are no mentions', async () => {
    await workspace();
    channels.answer = ok;
    const build = await channels.run(
      'chatty',
      `${steps}notify:\n  - slack: { channels: ["#general", "C0123456789"], message: "Look <@U1>" }\n    if: build.state == "passed"\n`,
    );
    await channels.deliver();
    expect(channels.requests.map(({ url, headers }) => [url, headers['authorization']])).toEqual([
      ['https://slack.com/api/chat.postMessage', 'Bearer xoxb-secret'],
      ['https://slack.com/api/chat.postMessage', 'Bearer xoxb-secret'],
    ]);
    const [first] = channels.bodies();
    expect(first).toMatchObject({ channel: '#general', text: 'Look <@U1>' });
    expect(JSON.stringify(first)).toContain('Fix &lt;all&gt; of it');
    expect((await channels.outcomes(build.id)).map(({ target, outcome }) => [target, outcome])).toEqual([
      ['#general', 'sent'],
      ['C0123456789', 'sent'],
    ]);
  });

  test('the words of the provider are the outcome of an entry that it refuses for good', async () => {
    await workspace();
    channels.answer = () => ({ status: 200, body: '{"ok":false,"error":"not_in_channel"}' });
    const build = await channels.run('refused', `${steps}notify: [{ slack: "acme#ops" }, { slack: "other#ops" }]\n`);
    await channels.deliver();
    expect(await channels.outcomes(build.id)).toEqual([
      {
        channel: 'slack',
        target: 'acme#ops',
        event: 'build.finished',
        outcome: 'failed',
        detail: 'Slack refused: not_in_channel',
      },
      expect.objectContaining({ target: 'other#ops', outcome: 'no_channel' }),
    ]);
  });

  test('an incoming webhook of Slack takes the entries of the channel that its description names', async () => {
    const slack = { url: 'https://hooks.slack.com/services/T/B/secret', theme: 'emoji' };
    await channels.service('slack', slack, { description: 'Operations, #ops', buildStates: {} });
    const build = await channels.run('hooked', `${steps}notify: [{ slack: "#ops" }, { slack: "#dev" }]\n`);
    await channels.deliver();
    expect(channels.requests.map(({ url }) => url)).toEqual([slack.url]);
    expect(channels.bodies()[0]).toMatchObject({ text: ':white_check_mark: Build #1 of hooked passed (0 seconds)' });
    expect((await channels.outcomes(build.id)).map(({ outcome }) => outcome)).toEqual(['sent', 'no_channel']);
    const [delivery] = await channels.deliveries();
    expect(JSON.stringify(delivery)).not.toContain('secret');
  });

  test('a step is notified of when its first job fails and when its last has ended, each once', async () => {
    await workspace();
    channels.answer = ok;
    const build = await channels.run(
      'stepped',
      'steps:\n  - { command: "a", parallelism: 3, key: "tests", label: "Tests", notify: [{ slack: "#dev" }, ' +
        '{ slack: "#bad", if: "step.outcome == \\"hard_failed\\"" }] }\n' +
        '  - { group: "All", notify: [{ slack: "#group" }], steps: [{ command: "b" }, { command: "c" }] }\n',
      ({ label }) => (label === 'Tests' ? 1 : 0),
    );
    await channels.deliver();
    const rows = await channels.outcomes(build.id);
    expect(rows.map(({ target, event, outcome }) => `${target} ${event} ${outcome}`)).toEqual([
      '#dev step.failing sent',
      '#bad step.failing condition_false',
      '#dev step.finished sent',
      '#bad step.finished sent',
      '#group step.finished sent',
    ]);
    expect(
      channels
        .bodies()
        .map(({ text }) => text)
        .toSorted(),
    ).toEqual([
      'All of build #1 of stepped passed',
      'Tests of build #1 of stepped failed',
      'Tests of build #1 of stepped failed',
      'Tests of build #1 of stepped is failing',
    ]);
  });

  test('a job that is retried ends neither its step nor makes it fail', async () => {
    await workspace();
    channels.answer = ok;
    let runs = 0;
    const build = await channels.run(
      'again',
      'steps: [{ command: "a", retry: { automatic: true }, notify: [{ slack: "#dev" }] }]\n',
      () => ((runs += 1) === 1 ? 1 : 0),
    );
    expect(runs).toBe(2);
    expect((await channels.outcomes(build.id)).map(({ event }) => event)).toEqual(['step.finished']);
  });

  test('PagerDuty gets a change event when a build has ended, not when it waits, and its key is seen in part', async () => {
    channels.answer = () => ({ status: 202, body: '{"status":"success"}' });
    const build = await channels.run(
      'paged',
      `steps: [{ command: "true" }, { block: "Go" }, { command: "true" }]\nnotify: [{ pagerduty_change_event: "0123456789abcdef0123456789abcdef" }]\n`,
    );
    expect(await channels.outcomes(build.id)).toEqual([]);
    const ended = await channels.run(
      'paged-2',
      `${steps}notify: [{ pagerduty_change_event: "0123456789abcdef0123456789abcdef" }]\n`,
    );
    await channels.deliver();
    const [request] = channels.requests;
    expect(request?.url).toBe('https://events.pagerduty.com/v2/change/enqueue');
    const [change] = channels.bodies();
    expect(change).toMatchObject({
      routing_key: '0123456789abcdef0123456789abcdef',
      payload: { summary: 'Build #1 of paged-2 passed (0 seconds)', source: 'slipway', timestamp: expect.any(String) },
      links: [{ href: `http://slipway.test/acme/paged-2/builds/${ended.number}`, text: 'Build #1' }],
    });
    const [outcome] = await channels.outcomes(ended.id);
    expect(outcome).toMatchObject({ target: '…cdef', outcome: 'sent' });
    const [delivery] = await channels.deliveries();
    expect(JSON.stringify(delivery)).not.toContain('0123456789abcdef');
  });

  test('Basecamp gets a line for every change of a build, with its texts escaped', async () => {
    channels.answer = () => ({ status: 201 });
    const url = 'https://3.basecamp.com/1/integrations/secret/buckets/2/chats/3/lines';
    const build = await channels.run('camp', `${steps}notify: [{ basecamp_campfire: "${url}" }]\n`);
    await channels.deliver();
    expect((await channels.outcomes(build.id)).map(({ event, target }) => `${event} ${target}`)).toEqual([
      'build.scheduled https://3.basecamp.com/…',
      'build.running https://3.basecamp.com/…',
      'build.finished https://3.basecamp.com/…',
    ]);
    expect(channels.bodies().at(-1)).toEqual({
      content:
        '<a href="http://slipway.test/acme/camp/builds/1">Build #1 of camp passed (0 seconds)</a>: Fix &lt;all&gt; of it',
    });
  });

  test('a message is tried six times in an hour after 429 and 5xx, no sooner than Retry-After, and then given up', async () => {
    await workspace();
    channels.answer = () => ({ status: 429, retryAfter: '300' });
    const build = await channels.run('late', `${steps}notify: [{ slack: "#dev" }]\n`);
    await channels.deliver();
    const [first] = await channels.deliveries();
    expect(first!.nextAttemptAt.getTime() - channels.world.clock.now().getTime()).toBe(300_000);
    expect(await channels.outcomes(build.id)).toEqual([
      expect.objectContaining({ outcome: 'pending', detail: 'Slack answered 429.' }),
    ]);
    for (let minute = 0; minute < 120; minute += 5) {
      channels.world.clock.advance(300);
      channels.answer = () => ({ status: 503, body: 'down' });
      await channels.deliver();
    }
    expect(channels.requests).toHaveLength(6);
    expect(await channels.outcomes(build.id)).toEqual([
      expect.objectContaining({ outcome: 'failed', detail: 'Slack answered 503: down' }),
    ]);
  });

  test('a build has so many rows of outcomes at most, and the last says that the rest was not sent', async () => {
    const build = await channels.run(
      'many',
      'steps: [{ command: "a" }, { block: "Go" }, { command: "b" }]\n' +
        'notify: [{ email: "a@example.com" }, { email: "b@example.com" }, { email: "c@example.com" }]\n',
    );
    const { db } = channels.services;
    const [row] = await db.selectFrom('build_notifications').selectAll().limit(1).execute();
    const copies = Array.from({ length: 995 }, () => ({ ...row!, id: channels.world.system().newId() }));
    await db.insertInto('build_notifications').values(copies).execute();
    const block = (await channels.runner.jobs(build.id)).find(({ type }) => type === 'block');
    await channels.world.perform(channels.world.admin, unblockJob, { job: { id: block!.id } });
    await channels.runner.runAll(build.id);
    const rows = await channels.outcomes(build.id);
    expect(rows).toHaveLength(1000);
    expect(rows.slice(-2).map(({ target, outcome }) => [target, outcome])).toEqual([
      ['a@example.com', 'pending'],
      ['b@example.com', 'too_many'],
    ]);
  });
});
