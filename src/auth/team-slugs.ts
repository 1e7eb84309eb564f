import { type RawBuilder, sql } from 'kysely';

const slugs = (from: RawBuilder<unknown>) =>
  sql<string[] | null>`(select json_agg(t.slug order by t.slug) from ${from})`;

/** Slugs of the visible teams with access to a pipeline, in alphabetical order; null without one. For a select. */
export const teamSlugsOfPipeline = (pipelineId: RawBuilder<unknown>) =>
  slugs(
    sql`team_pipelines a join teams t on t.id = a.team_id
      where a.pipeline_id = ${pipelineId} and t.privacy = 'visible'`,
  );

/** Slugs of a user's teams in an organization, in alphabetical order; null without one. For a select. */
export const teamSlugsOfUser = (organizationId: RawBuilder<unknown>, userId: RawBuilder<unknown>) =>
  slugs(
    sql`team_members m join teams t on t.id = m.team_id
      where m.organization_id = ${organizationId} and m.user_id = ${userId}`,
  );
