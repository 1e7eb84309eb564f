import type { MessageAttachment } from '@slack/types';
import { slackMessage } from '../../src/channels/slack/message.js';
import type { BuildFacts } from '../../src/channels/build-facts.js';
import { noFailedJobs } from '../../src/channels/failed-jobs.js';
import { disableNotificationService } from '../../src/operations/integrations/notification-services/disable.js';
import { enableNotificationService } from '../../src/operations/integrations/notification-services/enable.js';
import { redeliverNotification } from '../../src/operations/integrations/notification-deliveries/redeliver.js';
import { updateNotificationService } from '../../src/operations/integrations/notification-services/update.js';
import { shownSettings } from '../../src/resources/integrations/notification-services/service-settings.js';
import type { BusEvent, SendingResult } from '../../src/services/services.js';
import { decodeTraces } from '../support/otlp.js';
import { ChannelWorld } from '../support/channel-world.js';

const facts: BuildFacts = {
  event: 'build.finished',
  buildId: 'a-build',
  pipeline: 'App',
  number: 7,
  url: 'https://ci.example.com/acme/app/builds/7',
  state: 'passed',
  branch: 'main',
  commit: 'a'.repeat(40),
  title: 'A & B',
  author: 'Ann',
  seconds: 3661,
  startedAt: null,
  finishedAt: null,
  step: null,
  unblocked: null,
};

describe('notification services', () => {
  let channels: ChannelWorld;
  const busEvents: BusEvent[] = [];
  let busAnswer: SendingResult = { verdict: 'sent', status: 200, words: 'id' };
  beforeAll(async () => {
    channels = await ChannelWorld.create();
    channels.services.eventBus = {
      put: (event) => {
        busEvents.push(event);
        return Promise.resolve(busAnswer);
      },
    };
  });
  afterEach(async () => {
    await channels.reset();
    busEvents.length = 0;
    busAnswer = { verdict: 'sent', status: 200, words: 'id' };
  });
  afterAll(() => channels.world.close());

  const steps = 'steps: [{ command: "true", label: "Test" }]\n';
  const hook = { url: 'https://hooks.slack.com/services/T000/B000/secret' };

  test('a message of Slack has the members that its published types name', () => {
    const { attachments, text } = slackMessage(facts, noFailedJobs, 'text');
    const typed: MessageAttachment[] = attachments;
    expect(text).toBe('Build #7 of App passed (1 hour, 1 minute)');
    expect(typed).toEqual([
      {
        color: '#2eb67d',
        fallback: 'Build #7 of App passed (1 hour, 1 minute)',
        title: '#7 passed',
        title_link: facts.url,
        text: 'A &amp; B',
        fields: [
          { title: 'Pipeline', value: 'App', short: true },
          { title: 'Branch', value: 'main', short: true },
          { title: 'Commit', value: 'aaaaaaaaaa', short: true },
          { title: 'Author', value: 'Ann', short: true },
        ],
        mrkdwn_in: ['text'],
      },
    ]);
  });

  test('a Slack service posts the outcomes that it names, and nothing for others', async () => {
    await channels.service('slack', hook, { buildStates: { build_failed: true } });
    await channels.run('good', steps);
    await channels.run('bad', steps, 1);
    await channels.deliver();
    expect(channels.requests.map(({ url }) => url)).toEqual([hook.url]);
    expect(channels.bodies()[0]).toMatchObject({ text: 'Build #1 of bad failed (0 seconds)' });
  });

  test.each([
    [400, 'invalid_payload', 1],
    [403, 'action_prohibited', 1],
    [404, 'no_service', 1],
    [410, 'channel_is_archived', 1],
    [429, '', 2],
    [500, '', 2],
  ])('a refusal of Slack by %i is final or tried again, with its words', async (status, body, attempts) => {
    const slug = `refused-${status}`;
    await channels.service('slack', hook);
    channels.answer = () => ({ status, body });
    await channels.run(slug, steps);
    await channels.deliver();
    channels.world.clock.advance(40);
    await channels.deliver();
    const [delivery] = await channels.deliveries();
    expect(delivery).toMatchObject({
      attempts,
      state: attempts === 1 ? 'failed' : 'pending',
      responseStatus: status,
      lastError: `Slack answered ${status}${body === '' ? '.' : `: ${body}`}`,
      url: `slack:${delivery!.serviceId}`,
    });
    expect(delivery!.requestBody).toContain(`of ${slug} passed`);
  });

  test('secrets are masked or hidden in settings, and a mask that is sent back keeps the secret', async () => {
    const { world, services } = channels;
    const key = '0123456789abcdef';
    const datadog = await channels.service('datadog_pipeline_visibility', {
      api_key: key,
      datadog_site: 'datadoghq.eu',
    });
    expect(shownSettings(services, datadog)).toEqual({ api_key: 'XXXXXXXXXXXXcdef', datadog_site: 'datadoghq.eu' });
    const otel = await channels.service('open_telemetry_tracing', {
      endpoint: 'https://otel.example.com',
      headers: { authorization: 'Bearer one-secret', 'x-team': 'ci' },
    });
    const shown = shownSettings(services, otel);
    expect(shown).toMatchObject({ headers: { authorization: 'XXXXXXXXXXXXcret', 'x-team': 'XXXXXXXXXXXX' } });
    const { service: changed } = await world.perform(world.admin, updateNotificationService, {
      service: { id: otel.id },
      settings: { headers: { ...(shown['headers'] as object), 'x-more': 'yes' } },
    });
    await world.perform(world.admin, updateNotificationService, {
      service: { id: datadog.id },
      settings: { api_key: 'XXXXXXXXXXXXcdef', datadog_tags: 'team:ci' },
    });
    expect(JSON.stringify(await services.db.selectFrom('notification_services').selectAll().execute())).not.toContain(
      key,
    );
    await channels.run('masked', steps);
    await channels.deliver();
    const of = (part: string) => channels.requests.filter(({ url }) => url.includes(part));
    expect(of('datadoghq')[0]?.headers['dd-api-key']).toBe(key);
    expect(of('otel')[0]?.headers).toMatchObject({
      authorization: 'Bearer one-secret',
      'x-team': 'ci',
      'x-more': 'yes',
    });
    expect(JSON.stringify(changed)).not.toContain('one-secret');
    const slack = await channels.service('slack', { ...hook, theme: 'emoji' });
    expect(shownSettings(services, slack)).toEqual({ theme: 'emoji' });
  });

  test('a setting that is missing or wrong, or that no update changes, is refused by its name', async () => {
    const refusals = [
      ['slack', {}, 'settings.url'],
      ['slack_workspace', { token: 'xoxb' }, 'settings.workspace'],
      ['aws_event_bridge', { aws_region: 'us-east-1', aws_account_id: '12' }, 'settings.aws_account_id'],
      ['datadog_pipeline_visibility', { api_key: 'abcd1234', datadog_site: 'no site' }, 'settings.datadog_site'],
      ['open_telemetry_tracing', { endpoint: 'https://o.example.com', headers: { host: 'x' } }, 'settings.headers'],
      ['linear', {}, 'provider'],
      ['carrier_pigeon', {}, 'provider'],
    ] as const;
    for (const [provider, settings, field] of refusals)
      await expect(channels.service(provider, settings), provider).rejects.toMatchObject({
        details: { fields: [expect.objectContaining({ field })] },
      });
    const bus = await channels.service('aws_event_bridge', { aws_region: 'us-east-1', aws_account_id: '123456789012' });
    const { world } = channels;
    const update = (fields: object) =>
      world.perform(world.admin, updateNotificationService, { service: { id: bus.id }, ...fields });
    await expect(update({ settings: { aws_region: 'eu-west-1' } })).rejects.toThrow();
    await expect(update({ provider: 'slack' })).rejects.toThrow();
    await update({
      provider: 'aws_event_bridge',
      settings: { aws_account_id: 'XXXXXXXXXXXX9012', event_bus_name: 'ci' },
    });
    await expect(
      channels.service('aws_event_bridge', { aws_region: 'us-east-1', aws_account_id: '123456789012' }),
    ).rejects.toThrow('at most 1 aws event bridge service');
  });

  test('EventBridge gets compact events under the names of the reference, on the bus of the account', async () => {
    await channels.service('aws_event_bridge', {
      aws_region: 'us-east-1',
      aws_account_id: '123456789012',
      event_bus_name: 'ci',
    });
    const build = await channels.run('bus', 'steps: [{ command: "true" }, { block: "Go" }]\n');
    await channels.deliver();
    expect(new Set(busEvents.map(({ detailType }) => detailType))).toEqual(
      new Set(['Build Created', 'Build Started', 'Build Blocked', 'Job Scheduled', 'Job Started', 'Job Finished']),
    );
    expect(busEvents[0]).toMatchObject({
      region: 'us-east-1',
      bus: 'arn:aws:events:us-east-1:123456789012:event-bus/ci',
      source: 'slipway',
    });
    const finished = busEvents.find(({ detailType }) => detailType === 'Job Finished');
    const detail = JSON.parse(finished!.detail) as Record<string, Record<string, unknown>>;
    expect(detail).toMatchObject({
      version: 1,
      job: { type: 'script', passed: true, exit_status: 0, finished_at: expect.stringMatching(/^[\d -]+[\d:]+ UTC$/) },
      build: { uuid: build.id, number: 1, branch: 'main', state: 'blocked', meta_data: {} },
      pipeline: { slug: 'bus' },
      organization: { slug: 'acme' },
    });
  });

  test('Datadog gets builds and jobs that ended, with tags and measures of the meta-data', async () => {
    await channels.service('datadog_pipeline_visibility', {
      api_key: 'abcd1234efgh',
      datadog_tags: 'team:ci\nenv:prod',
    });
    channels.answer = () => ({ status: 202, body: '{}' });
    await channels.world.pipeline(steps, { slug: 'dog' });
    const build = await channels.build('dog', {
      metaData: { 'dd_tags.flavour': 'sour', 'dd_measures.size': '12.5', 'dd_measures.bad': 'many' },
      author: { name: 'Ann', email: 'ann@example.com' },
    });
    await channels.runner.runAll(build.id, () => 1);
    await channels.deliver();
    const resources = channels.bodies().map((body) => {
      const data = body['data'] as { type: string; attributes: { provider_name: string; resource: object } };
      expect(data).toMatchObject({ type: 'cipipeline_resource_request', attributes: { provider_name: 'slipway' } });
      return data.attributes.resource as Record<string, unknown>;
    });
    const [job, pipeline] = resources.toSorted((one, other) =>
      String(one['level']).localeCompare(String(other['level'])),
    );
    expect(channels.requests[0]?.url).toBe('https://api.datadoghq.com/api/v2/ci/pipeline');
    expect(pipeline).toMatchObject({
      level: 'pipeline',
      unique_id: build.id,
      name: 'dog',
      status: 'error',
      partial_retry: false,
      git: { sha: 'a'.repeat(40), branch: 'main', author_email: 'ann@example.com' },
      metrics: ['size:12.5'],
    });
    expect(pipeline?.['tags']).toEqual(['team:ci', 'env:prod', 'flavour:sour', 'build_number:1']);
    expect(job).toMatchObject({
      level: 'job',
      name: 'Test',
      pipeline_unique_id: build.id,
      pipeline_name: 'dog',
      status: 'error',
      error: { type: 'exit_status_1', domain: 'user' },
    });
  });

  test('a collector of OpenTelemetry gets the spans of a build and its jobs as Protobuf', async () => {
    await channels.service('open_telemetry_tracing', {
      endpoint: 'https://otel.example.com/base/',
      service_name: 'ci',
      resource_attributes: { team: 'core' },
      tracestate: { vendor: 'x1' },
    });
    const build = await channels.run(
      'traced',
      'steps: [{ command: "a", label: "One" }, { command: "b", label: "Two" }]\n',
    );
    await channels.deliver();
    const [request] = channels.requests;
    expect(request).toMatchObject({
      url: 'https://otel.example.com/base/v1/traces',
      headers: { 'content-type': 'application/x-protobuf' },
    });
    const { resource, spans } = decodeTraces(Buffer.concat(request!.body as Buffer[]));
    expect(resource).toEqual({ team: 'core', 'service.name': 'ci' });
    const root = spans.find(({ name }) => name === 'BUILD traced');
    expect(root).toMatchObject({
      traceId: build.id.replaceAll('-', ''),
      parentSpanId: '',
      traceState: 'vendor=x1',
      attributes: { 'cicd.pipeline.result': 'success', 'buildkite.build.branch': 'main' },
    });
    const jobs = spans.filter((span) => span !== root);
    expect(jobs.map(({ name }) => name).toSorted()).toEqual(['One', 'Two']);
    for (const job of jobs) expect(job).toMatchObject({ traceId: root?.traceId, parentSpanId: root?.spanId });
    const [delivery] = await channels.deliveries();
    expect(delivery?.requestBody).toContain('"name":"One"');
  });

  test('the event log has the events that it names, which are sent nowhere', async () => {
    const { id } = await channels.service('event_log_api', { events: ['build.finished'] });
    await channels.run('logged', steps);
    await channels.deliver();
    expect(channels.requests).toEqual([]);
    const rows = await channels.services.db
      .selectFrom('notification_deliveries as d')
      .innerJoin('notifications as n', 'n.id', 'd.notificationId')
      .select(['n.event', 'd.state', 'd.serviceId'])
      .execute();
    expect(rows).toEqual([{ event: 'build.finished', state: 'delivered', serviceId: id }]);
  });

  test('a service whose deliveries fail for good fifty times over a day is broken with one audit event, and enabling clears it', async () => {
    const { world, services } = channels;
    const { id } = await channels.service('slack', hook);
    channels.answer = () => ({ status: 404, body: 'no_service' });
    await world.pipeline(steps, { slug: 'broken' });
    const fail = async () => {
      const build = await channels.build('broken');
      await channels.runner.runAll(build.id);
      await channels.deliver();
    };
    await fail();
    await services.db.updateTable('notification_services').set({ failures: 48 }).execute();
    await fail();
    await fail();
    const state = () =>
      services.db
        .selectFrom('notification_services')
        .select(['enabled', 'failures', 'brokenAt'])
        .executeTakeFirstOrThrow();
    expect(await state()).toEqual({ enabled: true, failures: 50, brokenAt: null });
    world.clock.advance(24 * 3600);
    await fail();
    expect(await state()).toMatchObject({ enabled: false, failures: 51, brokenAt: world.clock.now() });
    await fail();
    const broken = await services.db
      .selectFrom('audit_events')
      .select(['actorType', 'subjectId'])
      .where('operation', '=', 'notification-service.break')
      .execute();
    expect(broken).toEqual([{ actorType: 'system', subjectId: id }]);
    await world.perform(world.admin, enableNotificationService, { service: { id } });
    expect(await state()).toEqual({ enabled: true, failures: 0, brokenAt: null });
    channels.answer = () => ({ status: 200, body: 'ok' });
    const [first] = await channels.deliveries();
    await world.perform(world.admin, redeliverNotification, { service: { id }, id: first!.id });
    await channels.deliver();
    expect((await channels.deliveries()).at(-1)).toMatchObject({ state: 'delivered', redeliveryOfId: first!.id });
    await world.perform(world.admin, disableNotificationService, { service: { id } });
    expect(await state()).toMatchObject({ enabled: false, brokenAt: null });
  });
});
