import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../../context.js';
import { isFullSha, readCommitText } from '../../../domain/builds/git-commit-text.js';
import { limits } from '../../../domain/limits.js';
import { wrongState } from '../../../domain/problem.js';
import type { JobRow, Patch } from '../../../entities/database.js';
import { lockJob } from '../../../engine/builds/lock-job.js';
import { metaDataKey, requireValue } from './build-of-caller.js';

/** One value to set. */
export const metaDataEntry = z.object({ key: metaDataKey, value: z.string() });

/** Written by the first job that checks out, when the build's commit is not known to be resolved. */
const commitKey = 'buildkite:git:commit';

/** Sets values of the meta-data of the job's build, all or none; the last of several values of one key counts. */
export async function setMetaData(
  context: Context,
  job: JobRow,
  items: readonly z.output<typeof metaDataEntry>[],
): Promise<void> {
  // Sorted, so that two writers lock rows in one order.
  const values = [...new Map(items.map(({ key, value }) => [key, value]))].sort(([a], [b]) => (a < b ? -1 : 1));
  if (values.length === 0) return;
  for (const [key, value] of values) requireValue(key, value);
  const commit = values.find(([key]) => key === commitKey);
  if (commit) await resolveCommit(context, job, commit[1]);
  await context.db
    .insertInto('build_meta_data')
    .values(values.map(([key, value]) => ({ buildId: job.buildId, organizationId: job.organizationId, key, value })))
    .onConflict((conflict) =>
      conflict.columns(['buildId', 'key']).doUpdateSet((eb) => ({ value: eb.ref('excluded.value') })),
    )
    .execute();
  await refuseTooMany(context, job.buildId);
}

async function refuseTooMany(context: Context, buildId: string): Promise<void> {
  const { rows } = await sql<{
    count: number;
  }>`select count(*)::int as count from build_meta_data where build_id = ${buildId}`.execute(context.db);
  if ((rows[0]?.count ?? 0) > limits.metaDataConnectionMax)
    throw wrongState(`A build can have at most ${limits.metaDataConnectionMax} meta-data keys`);
}

/** Replaces a ref such as HEAD by the commit found in the checkout, and fills in a missing message and author. */
async function resolveCommit(context: Context, job: JobRow, text: string): Promise<void> {
  const facts = readCommitText(text);
  const build = facts && (await lockJob(context, job))?.build;
  if (!facts || !build) return;
  const patch: Patch<'builds'> = { commitResolved: true };
  if (!isFullSha(build.commit)) patch.commit = facts.commit;
  // The checkout is of another commit, whose details do not describe this build.
  else if (build.commit.toLowerCase() !== facts.commit) return;
  if (!build.message?.trim() && facts.message) patch.message = facts.message.slice(0, limits.messageBytes);
  if (build.author === null && facts.author) patch.author = facts.author;
  await context.db.updateTable('builds').set(patch).where('id', '=', build.id).execute();
}
