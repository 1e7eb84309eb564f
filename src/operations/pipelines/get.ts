import { z } from 'zod';
import { pipelineAddress } from '../address.js';
import { findPipeline } from '../find.js';
import { defineOperation } from '../operation.js';
import type { PipelineSubject } from '../subject.js';

/** One pipeline with its organization and the caller's level on it; hidden where the caller may not see it. */
export const getPipeline = defineOperation({
  name: 'pipeline.get',
  summary: 'Returns one pipeline.',
  kind: 'query',
  scope: 'read_pipelines',
  access: 'visible',
  input: z.object({ pipeline: pipelineAddress }),
  subject: (context, { pipeline }) => findPipeline(context, pipeline),
  run: async (_context, _input, subject: PipelineSubject) => subject,
});
