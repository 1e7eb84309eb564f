import { z } from 'zod';
import type { Context } from '../../context.js';
import { mediaType } from '../../domain/artifact-path.js';
import { limits } from '../../domain/limits.js';
import { invalidField, wrongState } from '../../domain/problem.js';
import type { ArtifactRow, JobRow } from '../../entities/database.js';
import { isId } from '../address.js';
import { lockHeldJob, requireLiveToken } from '../jobs/held-job.js';
import { defineOperation } from '../operation.js';
import { filledText, text, wholeNumber } from '../text.js';
import { uploadForm, type UploadForm, uploadLink } from './links.js';

const hex = (length: number, name: string) => text(length).regex(new RegExp(`^[0-9a-f]{${length}}$`, 'i'), `must be a ${name} in hex`);
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

/** A batch as it was registered, with what its agent is to send the files with. */
export interface RegisteredBatch {
  batchId: string;
  /** In the order they were given. */
  artifacts: ArtifactRow[];
  form: UploadForm;
  /** The PUT address of each artifact, for agents that can use one. */
  puts: ReadonlyMap<string, string> | null;
}

/**
 * POST artifacts (agent-protocol 7.4): registers up to 30 files, in state `new`. The batch's id is its idempotency
 * key: sent again, it gets the same artifacts.
 */
export const registerArtifacts = defineOperation({
  name: 'artifact.register',
  summary: 'Registers artifacts of a job, to be uploaded.',
  kind: 'command',
  scope: null,
  access: 'internal',
  audited: false,
  input: z.object({
    job: z.string().max(300),
    batchId: z.string().refine(isId, 'must be a UUID'),
    uploadDestination: text(limits.artifactUrlLength).nullish(),
    takesPut: z.boolean().nullish(),
    artifacts: z.array(artifact).min(1, 'is empty').max(limits.artifactsPerRequest, `has more than ${limits.artifactsPerRequest} artifacts`),
  }),
  subject: (context, { job }) => lockHeldJob(context, job),
  run: async (context, asked, { job }): Promise<RegisteredBatch> => {
    requireLiveToken(context, job);
    if (job.startedAt === null) throw wrongState('The job has not started');
    const batchId = asked.batchId.toLowerCase();
    const known = await batchOf(context, job, batchId);
    const artifacts = known.length > 0 ? known : await insertBatch(context, job, { ...asked, batchId });
    if (artifacts.length !== asked.artifacts.length || artifacts.some(({ path }, index) => path !== asked.artifacts[index]?.path)) {
      throw wrongState('A batch of this id holds other artifacts');
    }
    const puts = asked.takesPut ? new Map(artifacts.map(({ id }) => [id, uploadLink(context, id)])) : null;
    return { batchId: asked.batchId, artifacts, form: uploadForm(context, job.id, batchId), puts };
  },
});

const batchOf = (context: Context, job: JobRow, batchId: string): Promise<ArtifactRow[]> =>
  context.db.selectFrom('artifacts').selectAll().where('jobId', '=', job.id).where('batchId', '=', batchId).orderBy('position').execute();

interface Asked {
  batchId: string;
  uploadDestination?: string | null | undefined;
  artifacts: z.output<typeof artifact>[];
}

/** The build's lock is held: nobody adds to the job between the count and the insertion. */
async function insertBatch(context: Context, job: JobRow, { batchId, uploadDestination, artifacts }: Asked): Promise<ArtifactRow[]> {
  const total = artifacts.reduce((sum, { fileSize }) => sum + fileSize, 0);
  if (total > limits.artifactUploadBytes) throw invalidField('artifacts', `hold more than ${limits.artifactUploadBytes} bytes`);
  const { count } = await context.db.selectFrom('artifacts').select((eb) => eb.fn.countAll<number>().as('count')).where('jobId', '=', job.id).executeTakeFirstOrThrow();
  if (Number(count) + artifacts.length > limits.artifactsPerJob) throw wrongState(`A job may have at most ${limits.artifactsPerJob} artifacts`);
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

/** Where an agent stored a file itself: people are redirected to it, so only an address of the web counts. */
function webAddress(url: string | null | undefined): string | null {
  return url && /^https?:\/\//i.test(url) && URL.canParse(url) ? url : null;
}
