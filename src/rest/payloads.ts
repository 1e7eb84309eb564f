import type { Context } from '../request/context.js';
import type { Payloads } from '../services/services.js';
import type { JsonObject } from '../domain/pipelines/steps/step.js';
import { presentJobAgent } from './present/agents/agent.js';
import { presentBuild } from './present/builds/build.js';
import { presentJob } from './present/builds/job.js';
import { presentPipeline } from './present/pipelines/pipeline.js';

/**
 * Payloads of outgoing webhooks: the documented JSON of /v2, with a build without its jobs. They lack the inbound
 * webhook URL, which only users who may edit the pipeline may see.
 */
export const payloads: Payloads = {
  build: (context: Context, build) => presentBuild(context, build, { excludeJobs: true, excludePipeline: true }),
  pipeline: async (context: Context, pipeline) => {
    const json = await presentPipeline(context, pipeline);
    return { ...json, provider: { ...(json['provider'] as JsonObject), webhook_url: '' } };
  },
  job: (context: Context, job) => presentJob(context, job),
  agent: async (context: Context, agent) => (await presentJobAgent(context, agent.id)) ?? {},
};
