import { z } from 'zod';
import type { Json, JsonObject } from '../../domain/pipelines/steps/step.js';
import { detail, eachOf, organization, pages, pick, pipeline, routeTool, type Tool } from '../tool.js';

const all = '/organizations/{org}/pipelines';
const one = `${all}/{slug}`;
const schedules = `${one}/schedules`;
const clusters = '/organizations/{org}/clusters';
const queues = `${clusters}/{cluster}/queues`;

const inSummary = ['id', 'slug', 'name', 'repository', 'default_branch', 'description', 'web_url'];
const inDetail = [
  ...inSummary,
  'cluster_id',
  'visibility',
  'tags',
  'skip_queued_branch_builds',
  'cancel_running_branch_builds',
  'branch_configuration',
  'scheduled_builds_count',
  'running_builds_count',
  'scheduled_jobs_count',
  'running_jobs_count',
  'waiting_jobs_count',
  'configuration',
  'created_at',
  'archived_at',
];

function pipelineAs(value: Json, level: 'summary' | 'detailed' | 'full'): Json {
  if (level === 'full') return value;
  return pick(value, level === 'summary' ? inSummary : inDetail);
}

/** Fields of the body that have a value. */
const present = (fields: Record<string, unknown>): JsonObject => JSON.parse(JSON.stringify(fields)) as JsonObject;

const branch = { default_branch: z.string().optional().describe('Default branch') };
const settings = {
  description: z.string().optional().describe('Description'),
  ...branch,
  skip_queued_branch_builds: z
    .boolean()
    .optional()
    .describe('Whether queued builds of a branch are skipped by newer ones'),
  cancel_running_branch_builds: z.boolean().optional().describe('Whether running builds are canceled by newer ones'),
  tags: z.array(z.string()).optional().describe('Tags'),
};

const cluster = { ...organization, cluster_id: z.string().describe('UUID of the cluster') };
const queue = { ...cluster, queue_id: z.string().describe('UUID of the queue') };
const clusterFields = {
  description: z.string().optional().describe('Description'),
  emoji: z.string().optional().describe('Emoji such as :rocket:'),
  color: z.string().optional().describe('Colour such as #A9CCE3'),
};
const affinity = {
  retry_agent_affinity: z
    .enum(['prefer-warmest', 'prefer-different'])
    .optional()
    .describe('Which agent a retry prefers'),
};
const schedule = { ...pipeline, schedule_id: z.string().describe('UUID of the schedule') };
const scheduleFields = {
  label: z.string().optional().describe('Name of the schedule'),
  message: z.string().optional().describe('Message of the builds'),
  commit: z.string().optional().describe('Commit, HEAD by default'),
  branch: z.string().optional().describe('Branch, by default that of the pipeline'),
  env: z.record(z.string(), z.string()).optional().describe('Environment variables; they replace those there are'),
  enabled: z.boolean().optional().describe('Whether the schedule is on'),
};

export const pipelineTools: Tool[] = [
  routeTool({
    name: 'list_pipelines',
    toolset: 'pipelines',
    title: 'Pipelines',
    description: 'Lists the pipelines of the organization by their names.',
    input: {
      ...organization,
      name: z.string().optional().describe('Only pipelines whose name contains this text'),
      repository: z.string().optional().describe('Only pipelines of this repository'),
      ...pages,
      ...detail('summary'),
    },
    method: 'get',
    path: all,
    query: ({ name, repository, page, per_page }) => ({ name, repository, page, per_page }),
    shape: (body, { detail_level }) => eachOf((each) => pipelineAs(each, detail_level))(body),
  }),
  routeTool({
    name: 'get_pipeline',
    toolset: 'pipelines',
    title: 'Pipeline',
    description: 'Returns a pipeline with its steps as YAML.',
    input: { ...pipeline, ...detail('detailed') },
    method: 'get',
    path: one,
    query: () => ({}),
    shape: (body, { detail_level }) => pipelineAs(body, detail_level),
  }),
  routeTool({
    name: 'create_pipeline',
    toolset: 'pipelines',
    title: 'New pipeline',
    description: 'Creates a pipeline of a repository.',
    input: {
      ...organization,
      name: z.string().describe('Name'),
      repository_url: z.string().describe('Address of the git repository'),
      cluster_id: z.string().optional().describe('UUID of the cluster; by default that of the organization'),
      configuration: z.string().describe('Steps as YAML'),
      ...settings,
    },
    method: 'post',
    path: all,
    body: ({ org_slug: _, repository_url: repository, ...fields }) => present({ ...fields, repository }),
    shape: (body) => pipelineAs(body, 'detailed'),
  }),
  routeTool({
    name: 'update_pipeline',
    toolset: 'pipelines',
    title: 'Change a pipeline',
    description: 'Changes settings or steps of a pipeline; what is not given stays.',
    input: {
      ...pipeline,
      name: z.string().optional().describe('Name'),
      repository_url: z.string().optional().describe('Address of the git repository'),
      cluster_id: z.string().optional().describe('UUID of the cluster'),
      configuration: z.string().optional().describe('Steps as YAML'),
      ...settings,
    },
    method: 'patch',
    path: one,
    body: ({ org_slug: _, pipeline_slug: __, repository_url: repository, ...fields }) =>
      present({ ...fields, repository }),
    shape: (body) => pipelineAs(body, 'detailed'),
    isDestructive: true,
    isIdempotent: true,
  }),
  routeTool({
    name: 'list_pipeline_schedules',
    toolset: 'pipelines',
    title: 'Schedules',
    description: 'Lists the schedules of a pipeline.',
    input: { ...pipeline, ...pages },
    method: 'get',
    path: schedules,
  }),
  routeTool({
    name: 'get_pipeline_schedule',
    toolset: 'pipelines',
    title: 'Schedule',
    description: 'Returns a schedule.',
    input: schedule,
    method: 'get',
    path: `${schedules}/{schedule}`,
  }),
  routeTool({
    name: 'create_pipeline_schedule',
    toolset: 'pipelines',
    title: 'New schedule',
    description: 'Has builds of a pipeline start by the clock.',
    input: {
      ...pipeline,
      cronline: z.string().describe('Times in the form of cron, such as 0 3 * * *, or @daily'),
      ...scheduleFields,
    },
    method: 'post',
    path: schedules,
  }),
  routeTool({
    name: 'update_pipeline_schedule',
    toolset: 'pipelines',
    title: 'Change a schedule',
    description: 'Changes a schedule; what is not given stays.',
    input: { ...schedule, cronline: z.string().optional().describe('Times in the form of cron'), ...scheduleFields },
    method: 'patch',
    path: `${schedules}/{schedule}`,
    isDestructive: true,
    isIdempotent: true,
  }),
];

export const clusterTools: Tool[] = [
  routeTool({
    name: 'list_clusters',
    toolset: 'clusters',
    title: 'Clusters',
    description: 'Lists the clusters of the organization.',
    input: { ...organization, ...pages },
    method: 'get',
    path: clusters,
  }),
  routeTool({
    name: 'get_cluster',
    toolset: 'clusters',
    title: 'Cluster',
    description: 'Returns a cluster.',
    input: cluster,
    method: 'get',
    path: `${clusters}/{cluster}`,
  }),
  routeTool({
    name: 'create_cluster',
    toolset: 'clusters',
    title: 'New cluster',
    description: 'Creates a cluster.',
    input: { ...organization, name: z.string().describe('Name'), ...clusterFields },
    method: 'post',
    path: clusters,
  }),
  routeTool({
    name: 'update_cluster',
    toolset: 'clusters',
    title: 'Change a cluster',
    description: 'Changes a cluster; what is not given stays.',
    input: {
      ...cluster,
      name: z.string().optional().describe('Name'),
      ...clusterFields,
      default_queue_id: z.string().optional().describe('UUID of the default queue'),
    },
    method: 'patch',
    path: `${clusters}/{cluster}`,
    isDestructive: true,
    isIdempotent: true,
  }),
  routeTool({
    name: 'list_cluster_queues',
    toolset: 'clusters',
    title: 'Queues',
    description: 'Lists the queues of a cluster.',
    input: { ...cluster, ...pages },
    method: 'get',
    path: queues,
  }),
  routeTool({
    name: 'get_cluster_queue',
    toolset: 'clusters',
    title: 'Queue',
    description: 'Returns a queue.',
    input: queue,
    method: 'get',
    path: `${queues}/{queue}`,
  }),
  routeTool({
    name: 'create_cluster_queue',
    toolset: 'clusters',
    title: 'New queue',
    description: 'Creates a queue in a cluster.',
    input: {
      ...cluster,
      key: z.string().describe('Key, which agents and steps name'),
      description: z.string().optional().describe('Description'),
      ...affinity,
    },
    method: 'post',
    path: queues,
  }),
  routeTool({
    name: 'update_cluster_queue',
    toolset: 'clusters',
    title: 'Change a queue',
    description: 'Changes a queue; what is not given stays.',
    input: { ...queue, description: z.string().optional().describe('Description'), ...affinity },
    method: 'patch',
    path: `${queues}/{queue}`,
    isDestructive: true,
    isIdempotent: true,
  }),
  routeTool({
    name: 'pause_cluster_queue_dispatch',
    toolset: 'clusters',
    title: 'Pause a queue',
    description: 'Has a queue give its agents no more jobs; running ones go on.',
    input: { ...queue, note: z.string().optional().describe('Reason, which is shown') },
    method: 'post',
    path: `${queues}/{queue}/pause_dispatch`,
    body: ({ note }) => present({ dispatch_paused_note: note }),
    isDestructive: true,
  }),
  routeTool({
    name: 'resume_cluster_queue_dispatch',
    toolset: 'clusters',
    title: 'Resume a queue',
    description: 'Has a paused queue give its agents jobs again.',
    input: queue,
    method: 'post',
    path: `${queues}/{queue}/resume_dispatch`,
    body: () => ({}),
  }),
];
