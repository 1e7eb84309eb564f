import type { Context } from '../request/context.js';
import type { Payloads } from '../services/services.js';
import type { JsonObject } from '../domain/pipelines/steps/step.js';
import { presentJobAgent } from './present/agents/agent.js';
import { presentAnnotation } from './present/builds/annotation.js';
import { presentArtifact } from './present/builds/artifact.js';
import { presentAgentToken } from './present/agents/cluster.js';
import { presentBuild } from './present/builds/build.js';
import { presentJob } from './present/builds/job.js';
import { presentStepUploadWithDefinition } from './present/builds/step-upload.js';
import { linkBuild } from './present/linked-build.js';
import { presentPipeline } from './present/pipelines/pipeline.js';

const withoutWebhook = (pipeline: JsonObject): JsonObject => ({
  ...pipeline,
  provider: { ...(pipeline['provider'] as JsonObject), webhook_url: '' },
});

/**
 * Payloads of outgoing webhooks: the documented JSON of /v2, with a build without its jobs. They lack the inbound
 * webhook URL, which only users who may edit the pipeline may see.
 */
export const payloads: Payloads = {
  build: (context: Context, build) => presentBuild(context, build, { excludeJobs: true, excludePipeline: true }),
  pipeline: async (context: Context, pipeline) => withoutWebhook(await presentPipeline(context, pipeline)),
  job: (context: Context, job) => presentJob(context, job),
  agentToken: (context: Context, token) => presentAgentToken(context, token),
  agent: async (context: Context, agent) => (await presentJobAgent(context, agent.id)) ?? {},
  exported: {
    build: async (context: Context, build) => {
      const json = await presentBuild(context, build, { excludeJobs: true, includeTestEngine: true, counted: true });
      // Whoever may read the place of exports may not therefore make builds.
      return { ...json, pipeline: withoutWebhook(json['pipeline'] as JsonObject) };
    },
    job: async (context: Context, job, build) => presentJob(context, job, await linkBuild(context, build)),
    annotation: (context: Context, annotation) => presentAnnotation(context, annotation),
    artifact: (context: Context, artifact) => presentArtifact(context, artifact),
    stepUpload: (context: Context, upload) => presentStepUploadWithDefinition(context, upload),
  },
};
