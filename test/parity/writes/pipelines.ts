import { both, byId, inAcme, ofAcme, org, pipeline, yaml, type WriteOnBoth } from './write.js';

export const pipelines: readonly WriteOnBoth[] = [
  both(
    `post ${org}/pipelines`,
    'pipelineCreate',
    inAcme({ name: 'New', repository: { url: 'git@example.com:a/b.git' }, steps: { yaml } }),
    { name: 'New', repository: 'git@example.com:a/b.git', configuration: yaml },
  ),
  both(`patch ${pipeline}`, 'pipelineUpdate', (at) => ({ id: at['pipeline'], description: 'x' }), { description: 'x' }),
  both(`delete ${pipeline}`, 'pipelineDelete', byId('pipeline')),
  both(`post ${pipeline}/archive`, 'pipelineArchive', byId('pipeline')),
  both(`post ${pipeline}/unarchive`, 'pipelineUnarchive', byId('pipeline')),
  both(`put ${pipeline}/favorite`, 'pipelineFavorite', (at) => ({ id: at['pipeline'], favorite: true })),
  both(`delete ${pipeline}/favorite`, 'pipelineFavorite', (at) => ({ id: at['pipeline'], favorite: false })),
  both(
    `post ${pipeline}/schedules`,
    'pipelineScheduleCreate',
    (at) => ({ pipelineID: at['pipeline'], cronline: '@daily' }),
    { cronline: '@daily' },
  ),
  ...['patch', 'put'].map((method) =>
    both(
      `${method} ${pipeline}/schedules/{schedule}`,
      'pipelineScheduleUpdate',
      (at) => ({ id: at['schedule'], label: 'x' }),
      { label: 'x' },
    ),
  ),
  both(`delete ${pipeline}/schedules/{schedule}`, 'pipelineScheduleDelete', byId('schedule')),
  both(`post ${pipeline}/webhook`, 'pipelineCreateWebhook', byId('pipeline')),
  both(`delete ${pipeline}/webhook`, 'pipelineDeleteWebhook', byId('pipeline')),
  both(`post ${pipeline}/webhook/rotate`, 'pipelineRotateWebhookURL', byId('pipeline')),
  both(`put ${pipeline}/webhook/secret`, 'pipelineSetWebhookSecret', (at) => ({ id: at['pipeline'], secret: 'x' }), {
    secret: 'x',
  }),
  both(`post ${pipeline}/triggers`, 'pipelineTriggerCreate', (at) => ({ pipelineId: at['pipeline'] }), {}),
  both(
    `patch ${pipeline}/triggers/{trigger}`,
    'pipelineTriggerUpdate',
    (at) => ({ pipelineId: at['pipeline'], id: at['trigger'], enabled: false }),
    { enabled: false },
  ),
  both(`delete ${pipeline}/triggers/{trigger}`, 'pipelineTriggerDelete', (at) => ({
    pipelineId: at['pipeline'],
    id: at['trigger'],
  })),
  both(`post ${org}/pipeline-templates`, 'pipelineTemplateCreate', inAcme({ name: 'New', configuration: yaml }), {
    name: 'New',
    configuration: yaml,
  }),
  both(`patch ${org}/pipeline-templates/{template}`, 'pipelineTemplateUpdate', ofAcme('template', { name: 'x' }), {
    name: 'x',
  }),
  both(`delete ${org}/pipeline-templates/{template}`, 'pipelineTemplateDelete', ofAcme('template')),
];

export const integrations: readonly WriteOnBoth[] = [
  both(
    `post ${org}/services`,
    'notificationServiceCreate',
    inAcme({ description: 'hook', settings: { url: 'http://127.0.0.1:9/hook' } }),
    { description: 'hook', settings: { url: 'http://127.0.0.1:9/hook' } },
  ),
  both(
    `patch ${org}/services/{service}`,
    'notificationServiceUpdate',
    (at) => ({ id: at['service'], description: 'x' }),
    { description: 'x' },
  ),
  both(`delete ${org}/services/{service}`, 'notificationServiceDelete', byId('service')),
  both(`put ${org}/services/{service}/enable`, 'notificationServiceEnable', byId('service')),
  both(`put ${org}/services/{service}/disable`, 'notificationServiceDisable', byId('service')),
  both(`post ${org}/services/{service}/ping`, 'notificationServicePing', byId('service')),
  both(`post ${org}/services/{service}/deliveries/{delivery}/redeliver`, 'notificationDeliveryRedeliver', (at) => ({
    id: at['service'],
    deliveryUuid: at['notification'],
  })),
  both(
    `post ${org}/provider-connections`,
    'providerConnectionCreate',
    inAcme({ provider: 'github_enterprise', apiUrl: 'http://127.0.0.1:9', token: 'x' }),
    { provider: 'github_enterprise', api_url: 'http://127.0.0.1:9', token: 'x' },
  ),
  both(
    `patch ${org}/provider-connections/{connection}`,
    'providerConnectionUpdate',
    (at) => ({ id: at['connection'], token: 'y' }),
    { token: 'y' },
  ),
  both(`post ${org}/provider-connections/{connection}/check`, 'providerConnectionCheck', byId('connection')),
  both(`delete ${org}/provider-connections/{connection}`, 'providerConnectionDelete', byId('connection')),
];
