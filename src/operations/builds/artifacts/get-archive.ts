import { z } from 'zod';
import { buildAddress, jobAddress } from '../../../core/address.js';
import { findBuild, findJob } from '../../../core/find.js';
import { defineOperation } from '../../../core/operation.js';
import type { BuildSubject, JobSubject } from '../../../core/subject.js';
import { type ArchiveScope, type ArchiveSize, measureArchive } from '../../../resources/builds/artifacts/archive.js';

/** An archive that can be downloaded. */
export interface ArtifactArchive extends ArchiveSize {
  scope: ArchiveScope;
}

/**
 * GET artifacts.zip: what an archive of all artifacts of a build or a job holds; its download starts from here. Too
 * large a one is refused.
 */
export const getArtifactArchive = defineOperation({
  name: 'artifact-archive.get',
  summary: 'Redirects to an archive of all artifacts of a build or a job.',
  kind: 'query',
  scope: 'read_artifacts',
  access: 'visible',
  refusal: 'sentence',
  input: z.object({ within: z.union([z.object({ job: jobAddress }), z.object({ build: buildAddress })]) }),
  subject: (context, { within }): Promise<BuildSubject | JobSubject | null> =>
    'job' in within ? findJob(context, within.job) : findBuild(context, within.build),
  run: async (context, _input, subject): Promise<ArtifactArchive> => {
    const scope: ArchiveScope =
      'job' in subject ? { of: 'job', id: subject.job.id } : { of: 'build', id: subject.build.id };
    return { scope, ...(await measureArchive(context, scope)) };
  },
});
