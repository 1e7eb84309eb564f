import { z } from 'zod';
import type { Context } from '../../../request/context.js';
import { mediaType } from '../../../domain/builds/artifact-path.js';
import { limits } from '../../../domain/limits/limits.js';
import { invalidField, wrongState } from '../../../domain/problem.js';
import type { ArtifactRow, JobRow } from '../../../entities/database.js';
import { isId } from '../../../core/address.js';
import { lockHeldJob, requireLiveToken } from '../../../resources/builds/jobs/held-job.js';
import { defineOperation } from '../../../core/operation.js';
import { filledText, text, wholeNumber } from '../../../domain/input-text.js';
import { uploadForm, type UploadForm, uploadLink } from '../../../resources/builds/artifacts/links.js';

const hex = (length: number, name: string) =>
  text(length).regex(new RegExp(`^[0-9a-f]{${length}}$`, 'i'), `must be a ${name} in hex`);
const orNothing = z.literal('').transform(() => null);

const artifact = z.object({
  path: filledText(limits.artifactPathLength),
  absolutePath: text(limits.artifactPathLength).nullish(),
  globPath: text(limits.artifactPathLength).nullish(),
  fileSize: wholeNumber(0, limits.artifactBytes),
  sha1sum: hex(40, 'SHA-1'),
  /** Not sent by agents before 3.35. */
  sha256sum: orNothing.or(hex(64, 'SHA-256')).nullish(),
  contentType: text(limits.artifactPathLength).nullish(),
  uploadDestination: text(limits.artifactUrlLength).nullish(),
  url: text(limits.artifactUrlLength).nullish(),
});

/** A registered batch with the upload instructions for its agent. */
export interface RegisteredBatch {
  batchId: string;
  /** In the order of the request. */
  artifacts: ArtifactRow[];
  form: UploadForm;
  /** The PUT address of each artifact, for agents that can use one. */
  puts: ReadonlyMap<string, string> | null;
}

/**
 * POST artifacts: registers up to 30 files in state `new`. The batch id is the idempotency key: a repeated batch
 * returns the same artifacts.
 */
export const registerArtifacts = defineOperation({
  name: 'artifact.register',
  summary: 'Registers artifacts of a job for upload.',
  kind: 'command',
  scope: null,
  access: 'internal',
  audited: false,
  input: z.object({
    job: z.string().max(300),
    batchId: z.string().refine(isId, 'must be a UUID'),
    uploadDestination: text(limits.artifactUrlLength).nullish(),
    takesPut: z.boolean().nullish(),
    artifacts: z
      .array(artifact)
      .min(1, 'is empty')
      .max(limits.artifactsPerRequest, `has more than ${limits.artifactsPerRequest} artifacts`),
  }),
  subject: (context, { job }) => lockHeldJob(context, job),
  run: async (context, request, { job }): Promise<RegisteredBatch> => {
    requireLiveToken(context, job);
    if (job.startedAt === null) throw wrongState('The job has not started');
    const batchId = request.batchId.toLowerCase();
    const known = await batchOf(context, job, batchId);
    const artifacts = known.length > 0 ? known : await insertBatch(context, job, { ...request, batchId });
    if (
      artifacts.length !== request.artifacts.length ||
      artifacts.some(({ path }, index) => path !== request.artifacts[index]?.path)
    ) {
      throw wrongState('A batch of this id holds other artifacts');
    }
    const puts = request.takesPut ? new Map(artifacts.map(({ id }) => [id, uploadLink(context, id)])) : null;
    return { batchId: request.batchId, artifacts, form: uploadForm(context, job.id, batchId), puts };
  },
});

const batchOf = (context: Context, job: JobRow, batchId: string): Promise<ArtifactRow[]> =>
  context.db
    .selectFrom('artifacts')
    .selectAll()
    .where('jobId', '=', job.id)
    .where('batchId', '=', batchId)
    .orderBy('position')
    .execute();

interface Request {
  batchId: string;
  uploadDestination?: string | null | undefined;
  artifacts: z.output<typeof artifact>[];
}

/** Requires the lock on the build, so that no artifact is added between the count and the insertion. */
async function insertBatch(
  context: Context,
  job: JobRow,
  { batchId, uploadDestination, artifacts }: Request,
): Promise<ArtifactRow[]> {
  const total = artifacts.reduce((sum, { fileSize }) => sum + fileSize, 0);
  if (total > limits.artifactUploadBytes)
    throw invalidField('artifacts', `hold more than ${limits.artifactUploadBytes} bytes`);
  const { count } = await context.db
    .selectFrom('artifacts')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('jobId', '=', job.id)
    .executeTakeFirstOrThrow();
  if (Number(count) + artifacts.length > limits.artifactsPerJob)
    throw wrongState(`A job may have at most ${limits.artifactsPerJob} artifacts`);
  const rows = artifacts.map((each, position) => ({
    id: context.newId(),
    organizationId: job.organizationId,
    pipelineId: job.pipelineId,
    buildId: job.buildId,
    jobId: job.id,
    batchId,
    position,
    state: 'new' as const,
    path: each.path,
    absolutePath: each.absolutePath || null,
    globPath: each.globPath || null,
    contentType: mediaType(each.contentType),
    fileSize: each.fileSize,
    sha1sum: each.sha1sum.toLowerCase(),
    sha256sum: each.sha256sum?.toLowerCase() ?? null,
    uploadDestination: each.uploadDestination || uploadDestination || null,
    url: webAddress(each.url),
    createdAt: context.now,
  }));
  return context.db.insertInto('artifacts').values(rows).returningAll().execute();
}

/** URL of a file that the agent stored itself. Users are redirected to it, so only http and https count. */
function webAddress(url: string | null | undefined): string | null {
  return url && /^https?:\/\//i.test(url) && URL.canParse(url) ? url : null;
}
