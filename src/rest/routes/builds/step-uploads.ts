import type { Context } from '../../../request/context.js';
import { getStepUpload, type StepUploadSubject } from '../../../operations/builds/step-uploads/get.js';
import { listStepUploads } from '../../../operations/builds/step-uploads/list.js';
import { readStretch } from '../../replies/cursor-page.js';
import { presentStepUpload, presentStepUploadWithDefinition } from '../../present/builds/step-upload.js';
import { listRoute, type Route, route } from '../../route.js';
import { ofBuild } from '../addresses.js';

const all = '/organizations/{org}/pipelines/{slug}/builds/{number}/step-uploads';

/** The pipeline uploads of a build's jobs, newest first. */
export const stepUploadRoutes: Route[] = [
  listRoute(listStepUploads, {
    method: 'get',
    path: all,
    query: [
      {
        name: 'filter',
        mostKeys: 1,
        example: {},
        type: 'map',
        description: 'Only the uploads of a job: `filter[source_job_id]` is its ID.',
      },
    ],
    refuses: [422],
    input: (request) => ({
      ...ofBuild(request),
      job: request.map('filter')?.['source_job_id'] || undefined,
      paging: readStretch(request),
    }),
    reply: { kind: 'cursor', schema: 'StepUpload', present: presentStepUpload },
  }),
  route(getStepUpload, {
    method: 'get',
    path: `${all}/{upload}`,
    input: (request) => ({ ...ofBuild(request), id: request.param('upload') }),
    reply: {
      kind: 'object',
      status: 200,
      schema: 'StepUploadWithDefinition',
      present: (context: Context, { stepUpload }: StepUploadSubject) =>
        presentStepUploadWithDefinition(context, stepUpload),
    },
  }),
];
