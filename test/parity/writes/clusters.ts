import { both, byId, inAcme, ofAcme, org, cluster, queue, type WriteOnBoth } from './write.js';

export const clusters: readonly WriteOnBoth[] = [
  both(`post ${org}/clusters`, 'clusterCreate', inAcme({ name: 'New' }), { name: 'New' }),
  ...['patch', 'put'].map((method) =>
    both(`${method} ${cluster}`, 'clusterUpdate', ofAcme('cluster', { description: 'x' }), { description: 'x' }),
  ),
  both(`delete ${cluster}`, 'clusterDelete', ofAcme('cluster')),
  both(
    `post ${cluster}/maintainers`,
    'clusterMaintainerCreate',
    inAcme((at) => ({ clusterId: at['cluster'], userId: at['colleague'] })),
    (at) => ({ user: at['colleague'] }),
  ),
  both(`delete ${cluster}/maintainers/{maintainer}`, 'clusterMaintainerDelete', ofAcme('maintainer')),
  both(
    `post ${cluster}/queues`,
    'clusterQueueCreate',
    inAcme((at) => ({ clusterId: at['cluster'], key: 'new' })),
    { key: 'new' },
  ),
  ...['patch', 'put'].map((method) =>
    both(`${method} ${queue}`, 'clusterQueueUpdate', ofAcme('queue', { description: 'x' }), { description: 'x' }),
  ),
  both(`delete ${queue}`, 'clusterQueueDelete', ofAcme('queue')),
  both(`post ${queue}/pause_dispatch`, 'clusterQueuePauseDispatch', byId('queue'), {}),
  both(`post ${queue}/resume_dispatch`, 'clusterQueueResumeDispatch', byId('queue'), {}),
  both(
    `post ${cluster}/tokens`,
    'clusterAgentTokenCreate',
    inAcme((at) => ({ clusterId: at['cluster'], description: 'd' })),
    { description: 'd' },
  ),
  both(`post ${cluster}/tokens`, 'agentTokenCreate', (at) => ({ organizationID: at['acme'], description: 'd' }), {
    description: 'd',
  }),
  ...['patch', 'put'].map((method) =>
    both(`${method} ${cluster}/tokens/{token}`, 'clusterAgentTokenUpdate', ofAcme('token', { description: 'x' }), {
      description: 'x',
    }),
  ),
  both(`delete ${cluster}/tokens/{token}`, 'clusterAgentTokenRevoke', ofAcme('token')),
  both(`delete ${cluster}/tokens/{token}`, 'agentTokenRevoke', (at) => ({ id: at['token'], reason: 'old' })),
  both(
    `post ${cluster}/secrets`,
    'secretCreate',
    inAcme((at) => ({ clusterId: at['cluster'], key: 'NEW', value: 'x' })),
    { key: 'NEW', value: 'x' },
  ),
  ...['patch', 'put'].map((method) =>
    both(`${method} ${cluster}/secrets/{secret}`, 'secretUpdate', ofAcme('secret', { description: 'x' }), {
      description: 'x',
    }),
  ),
  both(`put ${cluster}/secrets/{secret}/value`, 'secretUpdateValue', ofAcme('secret', { value: 'x' }), { value: 'x' }),
  both(`delete ${cluster}/secrets/{secret}`, 'secretDelete', ofAcme('secret')),
  both(`put ${org}/agents/{agent}/stop`, 'agentStop', byId('agent'), {}),
  both(`put ${org}/agents/{agent}/pause`, 'agentPause', byId('agent'), {}),
  both(`put ${org}/agents/{agent}/resume`, 'agentResume', byId('agent'), {}),
  both(
    `post ${org}/rules`,
    'ruleCreate',
    inAcme({
      type: 'pipeline.artifacts_read.pipeline',
      value: { source_pipeline: 'app', target_pipeline: 'other' },
    }),
    { type: 'pipeline.artifacts_read.pipeline', value: { source_pipeline: 'app', target_pipeline: 'other' } },
  ),
  both(
    `patch ${org}/rules/{rule}`,
    'ruleUpdate',
    ofAcme('rule', { value: { source_pipeline: 'app', target_pipeline: 'other' } }),
    { value: { source_pipeline: 'app', target_pipeline: 'other' } },
  ),
  both(`delete ${org}/rules/{rule}`, 'ruleDelete', ofAcme('rule')),
];
