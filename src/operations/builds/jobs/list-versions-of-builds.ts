import { sql } from 'kysely';
import { z } from 'zod';
import { buildsAmong } from '../../../core/find.js';
import { defineOperation } from '../../../core/operation.js';
import type { EverywhereSubject } from '../../../core/subject.js';
import { versionExpression } from '../../../database/row-version.js';

/**
 * Reads the versions of the jobs of several builds: a text for each build that is another one as soon as any of its
 * jobs was written, added or removed. Builds the caller may not see have no entry.
 */
export const listJobVersionsOfBuilds = defineOperation({
  name: 'job.versions-of-builds',
  summary: 'Reads the versions of the jobs of several builds at once.',
  kind: 'query',
  batchOf: 'job.list',
  scope: 'read_builds',
  access: 'visible',
  input: z.object({ buildIds: z.array(z.uuid()).max(10_000) }),
  subject: async (): Promise<EverywhereSubject> => ({ everywhere: true }),
  run: async (context, { buildIds }): Promise<Map<string, string>> => {
    // Hashed, because a build may have many thousand jobs, and the text is kept.
    const versions = sql`string_agg(${versionExpression('j')}, ' ' order by j.id)`;
    const { rows } = await sql<{ id: string; version: string }>`
      select b.id, (select encode(sha256(convert_to(coalesce(${versions}, ''), 'UTF8')), 'base64') from jobs as j
        where j.build_id = b.id) as version
      from (${buildsAmong(context, buildIds)}) as b`.execute(context.db);
    return new Map(rows.map(({ id, version }) => [id, version]));
  },
});
