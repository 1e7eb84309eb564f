import { z } from 'zod';
import { buildAddress } from '../../../core/address.js';
import { defineOperation } from '../../../core/operation.js';
import { findBuild } from '../../../core/find.js';
import type { BuildSubject } from '../../../core/subject.js';
import { idFromEither } from '../../../domain/node-id.js';
import { type StepUpload, stepUploadSelection } from '../../../entities/pipelines/shown-step-upload.js';

export interface StepUploadSubject extends BuildSubject {
  stepUpload: StepUpload;
}

/** Returns a pipeline upload of a build; `build` names the build that it must belong to. */
export const getStepUpload = defineOperation({
  name: 'step-upload.get',
  summary: 'Returns one pipeline upload of a build.',
  kind: 'query',
  scope: 'read_builds',
  access: 'visible',
  /** Uuid or node id. */
  input: z.object({ id: z.string().max(300), build: buildAddress.optional() }),
  subject: async (context, { id, build: address }): Promise<StepUploadSubject | null> => {
    const uuid = idFromEither(id, ['BuildStepUpload']);
    if (uuid === null) return null;
    const stepUpload = await context.db
      .selectFrom('step_uploads as u')
      .select(stepUploadSelection)
      .where('u.id', '=', uuid)
      .executeTakeFirst();
    const subject = stepUpload ? await findBuild(context, address ?? { id: stepUpload.buildId }) : null;
    return stepUpload && subject?.build.id === stepUpload.buildId ? { ...subject, stepUpload } : null;
  },
  run: async (_context, _input, subject): Promise<StepUploadSubject> => subject,
});
