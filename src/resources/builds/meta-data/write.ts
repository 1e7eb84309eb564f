import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../../request/context.js';
import { isFullSha, readCommitText } from '../../../domain/builds/git-commit-text.js';
import { byteLength, limits } from '../../../domain/limits/limits.js';
import { wrongState } from '../../../domain/problem.js';
import { limitOf } from '../../../domain/limits/raised-limits.js';
import { insertBatches } from '../../../database/insert-batches.js';
import type { JobRow } from '../../../entities/database.js';
import { lockJob } from '../../../engine/builds/lock-job.js';
import { type BuildColumns, changeBuild } from '../../../engine/state/builds.js';
import { metaDataKey, requireValue } from './build-of-caller.js';

/** One value to set. */
export const metaDataEntry = z.object({ key: metaDataKey, value: z.string().max(limits.jsonBodyBytes) });

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
  await writeMetaData(context, job, values);
}

/**
 * Writes values of different keys to the meta-data of a job's build; throws 422 where the build would have too many
 * keys or bytes.
 */
export async function writeMetaData(
  context: Context,
  { buildId, organizationId }: Pick<JobRow, 'buildId' | 'organizationId'>,
  values: readonly (readonly [key: string, value: string])[],
): Promise<void> {
  if (values.length === 0) return;
  await refuseTooMuch(context, buildId, values);
  const rows = values.map(([key, value]) => ({ buildId, organizationId, key, value }));
  for (const [batch] of insertBatches<'build_meta_data'>([{ table: 'build_meta_data', rows }]))
    await context.db
      .insertInto('build_meta_data')
      .values(batch?.rows ?? [])
      .onConflict((conflict) =>
        conflict.columns(['buildId', 'key']).doUpdateSet((eb) => ({ value: eb.ref('excluded.value') })),
      )
      .execute();
}

/** Above this, and above half of a limit, a write is counted under the build's lock. */
const largeWrite = 64 * 1024;

/**
 * Counts what a build would have after a write. Writers of small values far below the limits do not wait for each
 * other; beyond that they count one after another, so that many at once cannot pass a limit together.
 */
async function refuseTooMuch(
  context: Context,
  buildId: string,
  values: readonly (readonly [key: string, value: string])[],
): Promise<void> {
  const written = values.reduce((sum, [key, value]) => sum + byteLength(key) + byteLength(value), 0);
  const keys = values.map(([key]) => key);
  const most = limitOf('metaDataBytes');
  let after = await sumsAfter(context, buildId, keys, written);
  if (written > largeWrite || after.bytes > most / 2 || after.keys > limits.metaDataConnectionMax / 2) {
    await context.db.selectFrom('builds').select('id').where('id', '=', buildId).forUpdate().execute();
    after = await sumsAfter(context, buildId, keys, written);
  }
  if (after.keys > limits.metaDataConnectionMax && after.added)
    throw wrongState(`A build can have at most ${limits.metaDataConnectionMax} meta-data keys`);
  if (after.bytes > most && after.grows)
    throw wrongState(
      `The meta-data of a build can have at most ${most} bytes; with ${nameOf(keys)} it would have ${after.bytes}`,
    );
}

const nameOf = (keys: readonly string[]): string =>
  keys.length === 1 ? JSON.stringify(keys[0]) : `these ${keys.length} keys`;

interface SumsAfter {
  keys: number;
  bytes: number;
  /**
   * Whether the write adds keys; `grows`: adds bytes. A build that exceeds a newer limit may be changed but not
   * enlarged.
   */
  added: boolean;
  grows: boolean;
}

async function sumsAfter(
  context: Context,
  buildId: string,
  keys: readonly string[],
  written: number,
): Promise<SumsAfter> {
  // Joined: a list of keys would be searched from its begin for every row.
  const { rows } = await sql<{ count: number; bytes: number; replaced: number; replacedBytes: number }>`select
    count(*)::int as count, coalesce(sum(bytes), 0)::float8 as bytes,
    count(written.key)::int as replaced, coalesce(sum(bytes) filter (where written.key is not null), 0)::float8 as
      replaced_bytes
    from (select key, octet_length(key) + octet_length(value) as bytes from build_meta_data where build_id =
      ${buildId}) stored
    left join unnest(${[...keys]}::text[]) as written(key) on written.key = stored.key`.execute(context.db);
  const { count = 0, bytes = 0, replaced = 0, replacedBytes = 0 } = rows[0] ?? {};
  return {
    keys: count - replaced + keys.length,
    bytes: bytes - replacedBytes + written,
    added: keys.length > replaced,
    grows: written > replacedBytes,
  };
}

/** Replaces a ref such as HEAD by the commit found in the checkout, and fills in a missing message and author. */
async function resolveCommit(context: Context, job: JobRow, text: string): Promise<void> {
  const facts = readCommitText(text);
  const build = facts && (await lockJob(context, job))?.build;
  if (!facts || !build) return;
  const patch: BuildColumns = { commitResolved: true };
  if (!isFullSha(build.commit)) patch.commit = facts.commit;
  // The checkout is of another commit, whose details do not describe this build.
  else if (build.commit.toLowerCase() !== facts.commit) return;
  if (!build.message?.trim() && facts.message) patch.message = facts.message.slice(0, limits.messageBytes);
  if (build.author === null && facts.author) patch.author = facts.author;
  await changeBuild(context, build, patch);
}
