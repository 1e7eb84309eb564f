import { z } from 'zod';
import { defineOperation } from '../../../core/operation.js';
import type { Subject } from '../../../core/subject.js';
import { pathsOfReportFile } from '../../../domain/builds/report-path.js';
import { text } from '../../../domain/input-text.js';
import { limits } from '../../../domain/limits/limits.js';
import type { ArtifactRow } from '../../../entities/database.js';
import { jobOfReport, linkedArtifacts } from '../../../resources/builds/artifacts/links.js';
import { readableArtifact, type ReadableArtifact } from '../../../resources/builds/artifacts/readable-artifact.js';

/**
 * Opens a file of a report: the newest finished artifact of the job that the token names, by its path. The token is the
 * credential.
 */
export const readReportFile = defineOperation({
  name: 'report-file.read',
  summary: 'Returns the bytes of a file of a report.',
  kind: 'query',
  scope: null,
  access: 'internal',
  input: z.object({ token: z.string().max(300), path: text(limits.artifactPathLength) }),
  subject: async (context, { token, path }): Promise<(Subject & { artifact: ArtifactRow }) | null> => {
    const job = jobOfReport(context, token);
    if (job === null) return null;
    const paths = pathsOfReportFile(path);
    const rows = await linkedArtifacts(context)
      .where('a.jobId', '=', job)
      .where('a.path', 'in', paths)
      .where('a.state', '=', 'finished')
      .where('a.uploadDestination', 'is', null)
      .orderBy('a.id', 'desc')
      .limit(paths.length)
      .execute();
    const [artifact] = paths.flatMap((each) => rows.find((one) => one.path === each) ?? []);
    return artifact ? { artifact } : null;
  },
  run: (context, _input, { artifact }): Promise<ReadableArtifact> => readableArtifact(context, artifact),
});
