import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { Database, Db, OrganizationRow } from '../entities/database.js';
import type { PipelineAccessLevel } from '../entities/organizations/team-pipeline.js';
import type { Actor, OrganizationRole } from './actor.js';

/** Access that an operation requires of its caller, besides the scope. */
export type Access =
  | 'anyone' // no credential: it says nothing that is anybody's
  | 'authenticated' // any valid credential; the subject is the caller's own
  | 'visible' // the caller sees the subject, so it may read it
  | 'build' // create builds, retry, unblock, cancel
  | 'manage' // edit, archive, delete the pipeline
  | 'member' // any member of the organization
  | 'maintain' // administrators, and the cluster's maintainers
  | 'admin'
  | 'internal'; // agents, webhooks and background work: checked by what they present

/**
 * Returns the caller's role in an organization: `visitor` if the caller may see only its public resources, null if it
 * is hidden.
 */
export function standing(actor: Actor, organizationId: string): OrganizationRole | 'visitor' | 'system' | null {
  switch (actor.kind) {
    case 'user': {
      if (actor.organizations !== 'all' && !actor.organizations.has(organizationId)) return null;
      return actor.roles.get(organizationId) ?? (actor.organizations === 'all' ? 'visitor' : null);
    }
    case 'system':
      return 'system';
    case 'agent':
      return actor.agent.organizationId === organizationId ? 'system' : null;
    case 'registration':
      return actor.organizationId === organizationId ? 'system' : null;
    // A suite's token permits uploads only, and identifies its suite.
    case 'suite':
    case 'anonymous':
      return null;
  }
}

/** Levels by strength; each includes the ones before. */
const levels: Record<PipelineAccessLevel, number> = { read_only: 1, build_and_read: 2, manage_build_and_read: 3 };
const needed: Partial<Record<Access, number>> = { visible: 1, build: 2, manage: 3 };

/** Whether a level of pipeline access suffices for an operation's access. */
export function levelAllows(level: PipelineAccessLevel, access: Access): boolean {
  return levels[level] >= (needed[access] ?? 0);
}

/** Facts about a pipeline that decide access to it. */
export interface GuardedPipeline {
  id: string;
  visibility: 'private' | 'public';
  organization: Pick<OrganizationRow, 'id' | 'teamsEnabled'>;
}

/**
 * The caller's access to each of these pipelines, null for one that must look as if it did not exist. Teams off:
 * every member has full access. Teams on: the strongest level of the caller's teams. One statement
 * at most, however many pipelines.
 */
export async function pipelineAccessOf(
  db: Db,
  actor: Actor,
  pipelines: readonly GuardedPipeline[],
): Promise<Map<string, PipelineAccessLevel | null>> {
  const byTeams: GuardedPipeline[] = [];
  const access = new Map<string, PipelineAccessLevel | null>();
  for (const pipeline of pipelines) {
    const { organization, visibility } = pipeline;
    const role = standing(actor, organization.id);
    const full = role === 'admin' || role === 'system' || (role === 'member' && !organization.teamsEnabled);
    const readable = role !== null && visibility === 'public';
    const partial = readable ? 'read_only' : null;
    access.set(pipeline.id, full ? 'manage_build_and_read' : partial);
    if (role === 'member' && !full) byTeams.push(pipeline);
  }
  if (byTeams.length === 0 || actor.kind !== 'user') return access;
  const rows = await db
    .selectFrom('team_pipelines as tp')
    .innerJoin('team_members as tm', 'tm.teamId', 'tp.teamId')
    .select(['tp.pipelineId', 'tp.accessLevel'])
    .where(
      'tp.pipelineId',
      'in',
      byTeams.map((pipeline) => pipeline.id),
    )
    .where('tm.userId', '=', actor.userId)
    .execute();
  for (const { pipelineId, accessLevel } of rows) {
    const known = access.get(pipelineId) ?? null;
    if (known === null || levels[accessLevel] > levels[known]) access.set(pipelineId, accessLevel);
  }
  return access;
}

/** The caller's access to one pipeline; see {@link pipelineAccessOf}. */
export async function pipelineAccess(
  db: Db,
  actor: Actor,
  organization: GuardedPipeline['organization'],
  pipeline: Pick<GuardedPipeline, 'id' | 'visibility'>,
): Promise<PipelineAccessLevel | null> {
  return (await pipelineAccessOf(db, actor, [{ ...pipeline, organization }])).get(pipeline.id) ?? null;
}

/**
 * The same rule as a condition on a query over `pipelines as p` joined with `organizations as o`: only rows that the
 * caller may see. Lists use it, so that a list and a single read can never disagree.
 */
export function pipelineIsVisible(actor: Actor) {
  return (
    eb: ExpressionBuilder<Database & { p: Database['pipelines']; o: Database['organizations'] }, 'p' | 'o'>,
  ): Expression<SqlBool> => {
    if (actor.kind === 'system')
      return actor.audience
        ? eb.or([
            eb('p.id', '=', actor.audience.pipelineId),
            eb('o.teamsEnabled', '=', false),
            eb('p.visibility', '=', 'public'),
          ])
        : eb.lit(true);
    if (actor.kind !== 'user') return eb.lit(false);
    const within =
      actor.organizations === 'all' ? eb.lit(true) : eb('p.organizationId', 'in', nonEmpty([...actor.organizations]));
    const roleIn = (role: OrganizationRole) =>
      nonEmpty([...actor.roles].filter(([, own]) => own === role).map(([id]) => id));
    const throughTeam = eb.exists(
      eb
        .selectFrom('team_pipelines as tp')
        .innerJoin('team_members as tm', 'tm.teamId', 'tp.teamId')
        .select('tp.id')
        .whereRef('tp.pipelineId', '=', 'p.id')
        .where('tm.userId', '=', actor.userId),
    );
    return eb.and([
      within,
      eb.or([
        eb('p.organizationId', 'in', roleIn('admin')),
        eb.and([
          eb('p.organizationId', 'in', roleIn('member')),
          eb.or([eb('o.teamsEnabled', '=', false), throughTeam]),
        ]),
        eb('p.visibility', '=', 'public'),
      ]),
    ]);
  };
}

/** Whether the caller may see every pipeline of an organization, so that a list of its rows need not ask of each. */
export function seesEveryPipeline(actor: Actor, organizationId: string): boolean {
  if (actor.kind === 'system') return actor.audience === undefined;
  return (
    actor.kind === 'user' &&
    (actor.organizations === 'all' || actor.organizations.has(organizationId)) &&
    actor.roles.get(organizationId) === 'admin'
  );
}

const nobody = '00000000-0000-0000-0000-000000000000';
const nonEmpty = (ids: string[]) => (ids.length > 0 ? ids : [nobody]);
