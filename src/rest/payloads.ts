import type { Payloads } from '../context.js';
import type { JsonObject } from '../domain/steps/step.js';
import { presentJobAgent } from './present/agent.js';
import { presentBuild } from './present/build.js';
import { presentJob } from './present/job.js';
import { presentPipeline } from './present/pipeline.js';

/**
 * What outgoing webhooks carry: the documented JSON of /v2, a build without its jobs (rest-facts 6.1). The inbound
 * webhook URL is a secret of those who may edit the pipeline, and receivers are not.
 */
export const payloads: Payloads = {
  build: (context, build) => presentBuild(context, build, { excludeJobs: true, excludePipeline: true }),
  pipeline: async (context, pipeline) => {
    const shown = await presentPipeline(context, pipeline);
    return { ...shown, provider: { ...(shown['provider'] as JsonObject), webhook_url: '' } };
  },
  job: (context, job) => presentJob(context, job),
  agent: async (context, agent) => (await presentJobAgent(context, agent.id)) ?? {},
};
