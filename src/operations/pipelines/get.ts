import { z } from 'zod';
import { pipelineAddress } from '../../core/address.js';
import { findPipeline } from '../../core/find.js';
import { defineOperation } from '../../core/operation.js';
import type { PipelineSubject } from '../../core/subject.js';

/** Returns one pipeline with its organization and the caller's access level; hidden where the caller may not see it. */
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
