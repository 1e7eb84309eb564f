import { z } from 'zod';
import { artifactTransition } from '../../domain/artifact-state.js';
import { artifactAddress } from '../address.js';
import { defineOperation } from '../operation.js';
import type { ArtifactSubject } from '../subject.js';
import { discardBytes } from './discard-bytes.js';
import { findArtifact } from './find-artifact.js';

/** DELETE an artifact (rest-facts 3.2): its record stays, in state `deleted`; its bytes are collected after the commit. Deleting it again changes nothing. */
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
