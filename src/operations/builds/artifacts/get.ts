import { z } from 'zod';
import { artifactAddress } from '../../../core/address.js';
import { defineOperation } from '../../../core/operation.js';
import type { ArtifactSubject } from '../../../core/subject.js';
import { findArtifact } from '../../../resources/builds/artifacts/find-artifact.js';

/** GET artifact: returns one artifact in any state. Its download starts from here too. */
export const getArtifact = defineOperation({
  name: 'artifact.get',
  summary: 'Returns one artifact.',
  kind: 'query',
  scope: 'read_artifacts',
  access: 'visible',
  input: z.object({ artifact: artifactAddress }),
  subject: (context, { artifact }) => findArtifact(context, artifact),
  run: async (_context, _input, subject): Promise<ArtifactSubject> => subject,
});
