import { z } from 'zod';
import { artifactTransition } from '../../../domain/builds/artifact-state.js';
import { artifactAddress } from '../../../core/address.js';
import { defineOperation } from '../../../core/operation.js';
import type { ArtifactSubject } from '../../../core/subject.js';
import { discardBytes } from '../../../resources/builds/artifacts/discard-bytes.js';
import { findArtifact } from '../../../resources/builds/artifacts/find-artifact.js';

/**
 * DELETE artifact: sets its state to `deleted` and keeps the row; its bytes are deleted after the commit. Repeating it
 * changes nothing.
 */
export const deleteArtifact = defineOperation({
  name: 'artifact.delete',
  summary: 'Deletes an artifact.',
  kind: 'command',
  scope: 'write_artifacts',
  access: 'build',
  input: z.object({ artifact: artifactAddress }),
  subject: (context, { artifact }) => findArtifact(context, artifact, { lock: true }),
  run: async (context, _input, subject): Promise<ArtifactSubject> => {
    const { artifact, job } = subject;
    const move = artifactTransition(artifact.state, 'delete');
    if (move.kind !== 'moved') return subject;
    const deleted = await context.db
      .updateTable('artifacts')
      .set({ state: move.to, deletedAt: context.now })
      .where('id', '=', artifact.id)
      .where('state', '!=', 'deleted')
      .returningAll()
      .executeTakeFirstOrThrow();
    discardBytes(context, [artifact]);
    context.record({
      organizationId: artifact.organizationId,
      subject: 'job',
      subjectId: job.id,
      pipelineId: artifact.pipelineId,
      buildId: artifact.buildId,
      jobId: job.id,
      type: 'job.artifact_deleted',
      data: { artifactId: artifact.id, path: artifact.path },
    });
    return { ...subject, artifact: deleted };
  },
});
