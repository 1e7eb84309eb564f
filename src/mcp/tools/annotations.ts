import { z } from 'zod';
import { build, job, pages, routeTool, type Tool } from '../tool.js';

const ofBuild = '/organizations/{org}/pipelines/{slug}/builds/{number}';

const scope = z.enum(['build', 'job']).default('build').describe('Of the build, or of the job job_id');
const jobId = job.job_id.optional().describe('UUID of the job, where scope is job');
const annotationsOf = ({ scope: of }: { scope: 'build' | 'job' }) =>
  of === 'job' ? `${ofBuild}/jobs/{job}/annotations` : `${ofBuild}/annotations`;

export const annotationTools: Tool[] = [
  routeTool({
    name: 'list_annotations',
    toolset: 'annotations',
    title: 'Annotations',
    description: 'Lists the annotations of a build or of a job.',
    input: { ...build, scope, job_id: jobId, ...pages },
    method: 'get',
    path: annotationsOf,
    query: ({ page, per_page }) => ({ page, per_page }),
  }),
  routeTool({
    name: 'create_annotation',
    toolset: 'annotations',
    title: 'New annotation',
    description: 'Writes an annotation on a build or a job; one with the same context is replaced or added to.',
    input: {
      ...build,
      scope,
      job_id: jobId,
      body: z.string().describe('Markdown or HTML'),
      style: z.enum(['success', 'info', 'warning', 'error']).optional().describe('Style'),
      priority: z.number().int().min(1).max(10).optional().describe('Order, 1 to 10; the highest first'),
      context: z.string().optional().describe('Name that tells annotations apart'),
      append: z.boolean().optional().describe('Whether to add to the annotation with the context'),
    },
    method: 'post',
    path: annotationsOf,
    body: ({ body, style, priority, context, append }) =>
      JSON.parse(JSON.stringify({ body, style, priority, context, append })),
  }),
];
