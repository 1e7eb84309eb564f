import type { Context } from '../../context.js';
import { encodeNodeId } from '../../domain/node-id.js';
import type { JsonObject } from '../../domain/steps/step.js';
import { formatTime } from '../../domain/time.js';
import type { Row, TeamRow } from '../../entities/database.js';
import { Urls } from './urls.js';
import { presentUserById } from './user.js';
import { existing } from './values.js';

/** A team (rest-facts 3.5), with what its members may do beside the documented keys. */
export async function presentTeam(context: Context, team: TeamRow): Promise<JsonObject> {
  return {
    id: team.id,
    graphql_id: encodeNodeId('Team', team.id),
    name: team.name,
    slug: team.slug,
    description: team.description,
    privacy: team.privacy,
    default: team.isDefault,
    default_member_role: team.defaultMemberRole,
    members_can_create_pipelines: team.membersCanCreatePipelines,
    members_can_create_suites: team.membersCanCreateSuites,
    members_can_create_registries: team.membersCanCreateRegistries,
    members_can_destroy_registries: team.membersCanDestroyRegistries,
    members_can_destroy_packages: team.membersCanDestroyPackages,
    created_at: formatTime(team.createdAt),
    created_by: await presentUserById(context, team.createdById),
  };
}

/** The membership of a person in a team (api-v2.md, Team member). */
export async function presentTeamMember(context: Context, member: Row<'team_members'>): Promise<JsonObject> {
  const user = existing(await context.load.user.load(member.userId), 'a user');
  return { user_id: user.id, user_name: user.name, created_at: formatTime(member.createdAt), role: member.role };
}

/** The access of a team to a pipeline (rest-facts 3.5). */
export async function presentTeamPipeline(context: Context, access: Row<'team_pipelines'>): Promise<JsonObject> {
  const [organization, pipeline] = await Promise.all([context.load.organization.load(access.organizationId), context.load.pipeline.load(access.pipelineId)]);
  const { api } = Urls.of(context).pipeline(existing(organization, 'an organization'), existing(pipeline, 'a pipeline'));
  return { access_level: access.accessLevel, created_at: formatTime(access.createdAt), pipeline_id: access.pipelineId, pipeline_url: api };
}

/** The same from the side of the pipeline: which team it is. */
export async function presentPipelineTeam(context: Context, access: Row<'team_pipelines'>): Promise<JsonObject> {
  const [organizationRow, teamRow] = await Promise.all([context.load.organization.load(access.organizationId), context.load.team.load(access.teamId)]);
  const team = existing(teamRow, 'a team');
  const { api } = Urls.of(context).organization(existing(organizationRow, 'an organization'));
  return { access_level: access.accessLevel, created_at: formatTime(access.createdAt), team_id: team.id, team_name: team.name, team_slug: team.slug, team_url: `${api}/teams/${team.id}` };
}

/** The access of a team to a test suite (api-v2.md, Team suite). */
export async function presentTeamSuite(context: Context, access: Row<'team_suites'>): Promise<JsonObject> {
  const [organization, suite] = await Promise.all([context.load.organization.load(access.organizationId), context.load.suite.load(access.suiteId)]);
  const { api } = Urls.of(context).suite(existing(organization, 'an organization'), existing(suite, 'a suite'));
  return { suite_id: access.suiteId, suite_url: api, created_at: formatTime(access.createdAt), access_level: access.accessLevel };
}
