import { z } from 'zod';
import type { Context } from '../../../request/context.js';
import { idFromEither, type NodeKind } from '../../../domain/node-id.js';
import type { Row } from '../../../entities/database.js';
import { isStorable } from '../../../domain/input-text.js';
import { findTeam, type TeamSubject } from '../../../core/find-team.js';

const word = z.string().max(300).refine(isStorable);

/**
 * A link of a team with something else: by the link's own uuid or node id, or by the team and the other side (`to`).
 */
export const linkAddress = z.union([z.object({ organization: word, team: word, to: word }), z.object({ id: word })]);
export type LinkAddress = z.output<typeof linkAddress>;

/** The tables of links, with the column of the other side and the kinds of node id that name link and other side. */
const links = {
  team_members: { column: 'userId', kind: 'TeamMember', to: 'User' },
  team_pipelines: { column: 'pipelineId', kind: 'TeamPipeline', to: 'Pipeline' },
  team_suites: { column: 'suiteId', kind: 'TeamSuite', to: 'Suite' },
} as const satisfies Record<string, { column: string; kind: NodeKind; to: NodeKind }>;
type LinkTable = keyof typeof links;

/** Finds a link whose team the caller may see; `lock` locks the team's row and reads the link under it. */
export async function findLink<T extends LinkTable>(
  context: Context,
  table: T,
  address: LinkAddress,
  finding: { lock?: boolean } = {},
): Promise<(TeamSubject & { link: Row<T> }) | null> {
  const { column, kind, to } = links[table];
  // The three tables differ only in the name of one column.
  const rows = context.db.selectFrom(table as 'team_members').selectAll();
  if ('id' in address) {
    const id = idFromEither(address.id, [kind]);
    const known = id === null ? undefined : await rows.where('id', '=', id).executeTakeFirst();
    const parent = known && (await findTeam(context, { id: known.teamId }, finding));
    const link = parent && (finding.lock ? await rows.where('id', '=', known.id).executeTakeFirst() : known);
    return parent && link ? { ...parent, link: link as unknown as Row<T> } : null;
  }
  const parent = await findTeam(context, { organization: address.organization, id: address.team }, finding);
  const other = idFromEither(address.to, [to]);
  const link =
    parent && other !== null
      ? await rows
          .where('teamId', '=', parent.team.id)
          .where(column as 'userId', '=', other)
          .executeTakeFirst()
      : undefined;
  return parent && link ? { ...parent, link: link as unknown as Row<T> } : null;
}
