import { z } from 'zod';
import { artifactAddress } from '../address.js';
import { defineOperation } from '../operation.js';
import type { ArtifactSubject } from '../subject.js';
import { findArtifact } from './find-artifact.js';

/** GET one artifact, whatever its state (rest-facts 3.2); the way to its download begins here too. */
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
