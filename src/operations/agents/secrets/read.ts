import { sql } from 'kysely';
import { z } from 'zod';
import { unsealOwn } from '../../../auth/sealed.js';
import type { Context } from '../../../request/context.js';
import { limits } from '../../../domain/limits/limits.js';
import { agentAcceptedStates } from '../../../domain/builds/job-state.js';
import { forbidden, notFound } from '../../../domain/problem.js';
import { policyAllows, type SecretFacts } from '../../../domain/agents/secret-policy.js';
import type { ClusterSecretRow, JobRow } from '../../../entities/database.js';
import { loadOrNull } from '../../../loaders/batch-loader.js';
import { findHeldJob, type HeldJob } from '../../../resources/builds/jobs/held-job.js';
import { defineOperation } from '../../../core/operation.js';
import { teamSlugsOf } from '../../../engine/new-builds/team-slugs-of-user.js';
import { secretPurpose } from '../../../resources/agents/secrets/secret.js';

export interface ReadSecret {
  id: string;
  key: string;
  value: string;
}

/** `lastReadAt` is updated at most once a minute: many jobs read the same secret at once. */
const lastReadWithinMs = 60_000;

/** GET secrets: returns a secret of the job's cluster to the running job, where the secret's policy allows it. */
export const readSecret = defineOperation({
  name: 'secret.read',
  summary: 'Returns a secret of its cluster to a running job.',
  kind: 'command',
  scope: null,
  access: 'internal',
  audited: false,
  input: z.object({ job: z.string().max(300), key: z.string().max(limits.filterLength) }),
  subject: (context, { job }) => findHeldJob(context, job),
  run: async (context, { key }, { job }: HeldJob): Promise<ReadSecret> => {
    if (!agentAcceptedStates.includes(job.state)) throw forbidden('Only a running job may read secrets');
    const secret = await findByKey(context, job, key);
    if (!secret) throw notFound(`Secret ${key} not found`);
    if (!policyAllows(secret.policy, await factsOf(context, job)))
      throw forbidden(`The policy of secret ${secret.key} does not let this job read it`);
    await noteRead(context, secret, job);
    return {
      id: secret.id,
      key: secret.key,
      value: unsealOwn(context.services.secretKey, secretPurpose, secret.encryptedValue, secret.id),
    };
  },
});

/** Finds a secret by its key, case-insensitive; null if there is none. */
async function findByKey(context: Context, { clusterId }: JobRow, key: string): Promise<ClusterSecretRow | null> {
  if (clusterId === null) return null;
  const row = await context.db
    .selectFrom('cluster_secrets')
    .selectAll()
    .where('clusterId', '=', clusterId)
    .where(sql<boolean>`lower(key) = ${key.toLowerCase()}`)
    .executeTakeFirst();
  return row ?? null;
}

async function factsOf(context: Context, job: JobRow): Promise<SecretFacts> {
  const [pipeline, build, queue] = await Promise.all([
    context.uncheckedRows.pipeline.load(job.pipelineId),
    context.uncheckedRows.build.load(job.buildId),
    loadOrNull(context.load.clusterQueue, job.clusterQueueId),
  ]);
  if (!pipeline || !build) throw notFound('Secret not found');
  const creator = await loadOrNull(context.load.user, build.creatorId);
  return {
    pipeline_slug: [pipeline.slug],
    build_branch: [build.branch],
    build_source: [build.source],
    build_creator: creator ? [creator.id, creator.email] : [],
    build_creator_team: creator ? await teamSlugsOf(context, job.organizationId, creator.id) : [],
    cluster_queue_key: queue ? [queue.key] : [],
  };
}

async function noteRead(context: Context, secret: ClusterSecretRow, job: JobRow): Promise<void> {
  context.record({
    organizationId: secret.organizationId,
    subject: 'cluster',
    subjectId: secret.clusterId,
    type: 'secret.read',
    data: { secret: secret.id, job: job.id },
  });
  if (secret.lastReadAt !== null && context.now.getTime() - secret.lastReadAt.getTime() < lastReadWithinMs) return;
  await context.db
    .updateTable('cluster_secrets')
    .set({ lastReadAt: context.now })
    .where('id', '=', secret.id)
    .execute();
}
