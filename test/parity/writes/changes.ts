import type { BothSurfaces, Data, GraphqlCall, RestCall } from '../../support/both-surfaces.js';

/** Ids of the resources that the writes name, looked up in one world. */
export interface Things {
  acme: string;
  pipeline: Data;
  build: Data;
  annotation: Data;
  /** Jobs of the latest build that were not retried, in pipeline order. */
  jobs: Data[];
  /** The latest artifact. */
  artifact?: Data;
  connection: Data;
  trigger: Data;
  service: Data;
  /** The latest delivery of a notification service. */
  delivery: Data;
}

/** Looks up the latest resource of every kind. */
export async function things({ world }: BothSurfaces): Promise<Things> {
  const { db } = world.services;
  const pipeline = await db.selectFrom('pipelines').selectAll().orderBy('id', 'desc').executeTakeFirst();
  const build = await db.selectFrom('builds').selectAll().orderBy('id', 'desc').executeTakeFirst();
  const jobs = build
    ? await db
        .selectFrom('jobs')
        .selectAll()
        .where('buildId', '=', build.id)
        .where('retriedInJobId', 'is', null)
        .orderBy('id')
        .execute()
    : [];
  const annotation = await db.selectFrom('annotations').selectAll().orderBy('id', 'desc').executeTakeFirst();
  const artifact = await db.selectFrom('artifacts').selectAll().orderBy('id', 'desc').executeTakeFirst();
  const connection = await db.selectFrom('provider_connections').selectAll().orderBy('id', 'desc').executeTakeFirst();
  const trigger = await db.selectFrom('pipeline_triggers').selectAll().orderBy('id', 'desc').executeTakeFirst();
  const service = await db.selectFrom('notification_services').selectAll().orderBy('id', 'desc').executeTakeFirst();
  const delivery = await db
    .selectFrom('notification_deliveries')
    .selectAll()
    .where('serviceId', 'is not', null)
    .orderBy('id', 'desc')
    .executeTakeFirst();
  return {
    service,
    delivery,
    acme: world.organization.id,
    pipeline,
    build,
    annotation,
    jobs,
    artifact,
    connection,
    trigger,
  };
}

/** One write for both surfaces. `more` is added to the REST body and to the GraphQL input, under the names of each. */
export interface Write {
  rest: (at: Things, more?: object) => RestCall;
  graphql: (at: Things, more?: object) => GraphqlCall;
}

const pipelines = '/organizations/acme/pipelines';
const connections = '/organizations/acme/provider-connections';
const services = '/organizations/acme/services';
const oneService = ({ service }: Things) => `${services}/${service.id}`;
const onePipeline = ({ pipeline }: Things) => `${pipelines}/${pipeline.slug}`;
const oneBuild = (at: Things) => `${onePipeline(at)}/builds/${at.build.number}`;
const oneJob = (at: Things, job: Data) => `${oneBuild(at)}/jobs/${job.id}`;
const command = ({ jobs }: Things) => jobs.find((job) => job.type === 'command');
const block = ({ jobs }: Things) => jobs.find((job) => job.type === 'block');

const mutation = (field: string, type: string, payload: string) =>
  `mutation ($input: ${type}!) { ${field}(input: $input) { ${payload} } }`;
/** A write whose only input is a notification service. */
const onService = (verb: 'Enable' | 'Disable' | 'Ping', method: 'put' | 'post'): Write => ({
  rest: (at) => [method, `${oneService(at)}/${verb.toLowerCase()}`],
  graphql: ({ service }) => call(`notificationService${verb}`, 'notificationService { id }', { id: service.id }),
});
const call = (field: string, payload: string, input: object): GraphqlCall => [
  mutation(field, `${field[0]?.toUpperCase()}${field.slice(1)}Input`, payload),
  { input },
];

/** Every write that both surfaces have, by the name of its operation. */
export const writes: Readonly<Record<string, Write>> = {
  'pipeline.create': {
    rest: (_at, more) => ['post', pipelines, more],
    graphql: ({ acme }, more) => call('pipelineCreate', 'pipeline { id }', { organizationId: acme, ...more }),
  },
  'pipeline.update': {
    rest: (at, more = { description: 'x' }) => ['patch', onePipeline(at), more],
    graphql: ({ pipeline }, more = { description: 'x' }) =>
      call('pipelineUpdate', 'pipeline { id }', { id: pipeline.id, ...more }),
  },
  'pipeline.archive': {
    rest: (at) => ['post', `${onePipeline(at)}/archive`],
    graphql: ({ pipeline }) => call('pipelineArchive', 'pipeline { id }', { id: pipeline.id }),
  },
  'pipeline.unarchive': {
    rest: (at) => ['post', `${onePipeline(at)}/unarchive`],
    graphql: ({ pipeline }) => call('pipelineUnarchive', 'pipeline { id }', { id: pipeline.id }),
  },
  'pipeline.delete': {
    rest: (at) => ['delete', onePipeline(at)],
    graphql: ({ pipeline }) => call('pipelineDelete', 'deletedPipelineID', { id: pipeline.id }),
  },
  'pipeline.create-webhook': {
    rest: (at) => ['post', `${onePipeline(at)}/webhook`],
    graphql: ({ pipeline }) => call('pipelineCreateWebhook', 'webhook { externalId }', { id: pipeline.id }),
  },
  'pipeline.delete-webhook': {
    rest: (at) => ['delete', `${onePipeline(at)}/webhook`],
    graphql: ({ pipeline }) => call('pipelineDeleteWebhook', 'deletedWebhookExternalId', { id: pipeline.id }),
  },
  'pipeline.rotate-webhook-url': {
    rest: (at) => ['post', `${onePipeline(at)}/webhook/rotate`],
    graphql: ({ pipeline }) => call('pipelineRotateWebhookURL', 'pipeline { id }', { id: pipeline.id }),
  },
  'pipeline.set-webhook-secret': {
    rest: (at, more = { secret: 'a secret' }) => ['put', `${onePipeline(at)}/webhook/secret`, more],
    graphql: ({ pipeline }, more = { secret: 'a secret' }) =>
      call('pipelineSetWebhookSecret', 'pipeline { id }', { id: pipeline.id, ...more }),
  },
  'pipeline-trigger.create': {
    rest: (at, more) => ['post', `${onePipeline(at)}/triggers`, more ?? {}],
    graphql: ({ pipeline }, more) =>
      call('pipelineTriggerCreate', 'pipelineTrigger { uuid }', { pipelineId: pipeline.id, ...more }),
  },
  'pipeline-trigger.update': {
    rest: (at, more = { enabled: false }) => ['patch', `${onePipeline(at)}/triggers/${at.trigger.id}`, more],
    graphql: ({ pipeline, trigger }, more = { enabled: false }) =>
      call('pipelineTriggerUpdate', 'pipelineTrigger { uuid }', { pipelineId: pipeline.id, id: trigger.id, ...more }),
  },
  'pipeline-trigger.delete': {
    rest: (at) => ['delete', `${onePipeline(at)}/triggers/${at.trigger.id}`],
    graphql: ({ pipeline, trigger }) =>
      call('pipelineTriggerDelete', 'deletedPipelineTriggerUuid', { pipelineId: pipeline.id, id: trigger.id }),
  },
  'provider-connection.create': {
    rest: (_at, more) => ['post', connections, more],
    graphql: ({ acme }, more) =>
      call('providerConnectionCreate', 'providerConnection { uuid }', { organizationId: acme, ...more }),
  },
  'provider-connection.update': {
    rest: ({ connection }, more) => ['patch', `${connections}/${connection.id}`, more],
    graphql: ({ connection }, more) =>
      call('providerConnectionUpdate', 'providerConnection { uuid }', { id: connection.id, ...more }),
  },
  'provider-connection.check': {
    rest: ({ connection }) => ['post', `${connections}/${connection.id}/check`],
    graphql: ({ connection }) =>
      call('providerConnectionCheck', 'providerConnection { uuid } check { works problems }', { id: connection.id }),
  },
  'provider-connection.delete': {
    rest: ({ connection }) => ['delete', `${connections}/${connection.id}`],
    graphql: ({ connection }) =>
      call('providerConnectionDelete', 'deletedProviderConnectionUuid', { id: connection.id }),
  },
  'notification-service.create': {
    rest: (_at, more) => [
      'post',
      services,
      { description: 'hook', settings: { url: 'http://127.0.0.1:9/hook' }, ...more },
    ],
    graphql: ({ acme }, more) =>
      call('notificationServiceCreate', 'notificationService { id }', {
        organizationId: acme,
        description: 'hook',
        settings: { url: 'http://127.0.0.1:9/hook' },
        ...more,
      }),
  },
  'notification-service.update': {
    rest: (at, more = { description: 'renamed' }) => ['patch', oneService(at), more],
    graphql: ({ service }, more = { description: 'renamed' }) =>
      call('notificationServiceUpdate', 'notificationService { id }', { id: service.id, ...more }),
  },
  'notification-service.disable': onService('Disable', 'put'),
  'notification-service.enable': onService('Enable', 'put'),
  'notification-service.ping': onService('Ping', 'post'),
  'notification-service.delete': {
    rest: (at) => ['delete', oneService(at)],
    graphql: ({ service }) => call('notificationServiceDelete', 'deletedNotificationServiceId', { id: service.id }),
  },
  'notification-delivery.redeliver': {
    rest: (at) => ['post', `${oneService(at)}/deliveries/${at.delivery.id}/redeliver`],
    graphql: ({ service, delivery }) =>
      call('notificationDeliveryRedeliver', 'notificationDelivery { uuid }', {
        id: service.id,
        deliveryUuid: delivery.id,
      }),
  },
  'build.create': {
    rest: (at, more) => ['post', `${onePipeline(at)}/builds`, { commit: 'HEAD', branch: 'main', ...more }],
    graphql: ({ pipeline }, more) =>
      call('buildCreate', 'build { id }', { pipelineID: pipeline.id, commit: 'HEAD', branch: 'main', ...more }),
  },
  'build.cancel': {
    rest: (at) => ['put', `${oneBuild(at)}/cancel`],
    graphql: ({ build }) => call('buildCancel', 'build { id }', { id: build.id }),
  },
  'build.pin': {
    rest: (at, more) => ['put', `${oneBuild(at)}/pin`, more],
    graphql: ({ build }, more) => call('buildPin', 'build { id }', { id: build.id, ...more }),
  },
  'build.unpin': {
    rest: (at) => ['delete', `${oneBuild(at)}/pin`],
    graphql: ({ build }) => call('buildUnpin', 'build { id }', { id: build.id }),
  },
  'build.rebuild': {
    rest: (at) => ['put', `${oneBuild(at)}/rebuild`],
    graphql: ({ build }) => call('buildRebuild', 'rebuild { id }', { id: build.id }),
  },
  'job.cancel': {
    rest: (at) => ['put', `${oneJob(at, command(at))}/cancel`],
    graphql: (at) => call('jobTypeCommandCancel', 'jobTypeCommand { id }', { id: command(at).id }),
  },
  'job.retry': {
    rest: (at) => ['put', `${oneJob(at, command(at))}/retry`],
    graphql: (at) => call('jobTypeCommandRetry', 'jobTypeCommand { id }', { id: command(at).id }),
  },
  'job.unblock': {
    rest: (at, more) => ['put', `${oneJob(at, block(at))}/unblock`, more ?? {}],
    graphql: (at, more) => call('jobTypeBlockUnblock', 'jobTypeBlock { id }', { id: block(at).id, ...more }),
  },
  'annotation.create': {
    rest: (at, more) => ['post', `${oneBuild(at)}/annotations`, { body: 'Hello *there*', ...more }],
    graphql: ({ build }, more) =>
      // The REST reply shows the HTML, which is stored at its first read.
      call('buildAnnotate', 'annotation { id body { html } }', { buildID: build.id, body: 'Hello *there*', ...more }),
  },
  'annotation.delete': {
    rest: (at) => ['delete', `${oneBuild(at)}/annotations/${at.annotation.id}`],
    graphql: ({ annotation }) => call('annotationDelete', 'deletedAnnotationId', { id: annotation.id }),
  },
  'build.retry-failed-jobs': {
    rest: (at, more) => ['put', `${oneBuild(at)}/retry_failed_jobs`, more ?? {}],
    graphql: (at, more) => call('buildRetryFailedJobs', 'build { id } retriedJobsCount', { id: at.build.id, ...more }),
  },
  'job.reprioritize': {
    rest: (at, more = { priority: 7 }) => ['put', `${oneJob(at, command(at))}/reprioritize`, more],
    graphql: (at, more = { priority: 7 }) =>
      call('jobTypeCommandReprioritize', 'jobTypeCommand { id }', { id: command(at).id, ...more }),
  },
  'artifact.delete': {
    rest: (at) => ['delete', `${oneBuild(at)}/artifacts/${at.artifact.id}`],
    graphql: (at) => call('artifactDelete', 'deletedArtifactId', { id: at.artifact.id }),
  },
  'job.log.delete': {
    rest: (at) => ['delete', `${oneJob(at, command(at))}/log`],
    graphql: (at) => call('jobLogDelete', 'jobTypeCommand { id }', { id: command(at).id }),
  },
};

/** Returns the write of this name; throws for an unknown name. */
export function write(name: string): Write {
  const found = writes[name];
  if (!found) throw new Error(`no write ${name}`);
  return found;
}

export const yaml = `
steps:
  - block: Release?
    key: gate
    fields: [{ text: Version, key: version }]
  - command: make
    key: make
    depends_on: []
`;

/** A finished artifact of the first command job, as its agent leaves one. */
export async function leaveArtifact(surfaces: BothSurfaces, path = 'dist/app.txt'): Promise<Data> {
  const { world } = surfaces;
  const { build, jobs } = await things(surfaces);
  const id = world.system().newId();
  const { organizationId, pipelineId } = build;
  return world.services.db
    .insertInto('artifacts')
    .values({
      id,
      organizationId,
      pipelineId,
      buildId: build.id,
      jobId: jobs.find((job) => job.type === 'command').id,
      batchId: id,
      position: 0,
      state: 'finished',
      path,
      absolutePath: `/work/${path}`,
      globPath: 'dist/*',
      contentType: 'text/plain',
      fileSize: 5,
      sha1sum: 'a'.repeat(40),
      sha256sum: 'b'.repeat(64),
      createdAt: world.clock.now(),
      storedAt: world.clock.now(),
      finishedAt: world.clock.now(),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}
