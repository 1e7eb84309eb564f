import type { Context } from '../../../request/context.js';
import { encodeNodeId } from '../../../domain/node-id.js';
import type { JsonObject } from '../../../domain/pipelines/steps/step.js';
import { formatTime } from '../../../domain/time.js';
import type { Row, TeamRow, UserRow } from '../../../entities/database.js';
import { arrayOf, boolean, enumOf, nullable, reference, text, time, url, uuid } from '../../openapi/schema.js';
import { field, type Fields, resource } from '../fields.js';
import { Urls } from '../urls.js';
import { existing } from '../values.js';
import { presentUserById } from './user.js';

const memberRole = enumOf('member', 'maintainer');
const pipelineAccessLevel = enumOf('read_only', 'build_and_read', 'manage_build_and_read');

export const teamResource = resource<{ context: Context; team: TeamRow }>({
  id: field(uuid, 'ID of the team.', ({ team }) => team.id),
  graphql_id: field(text, 'ID of the team in the GraphQL API.', ({ team }) => encodeNodeId('Team', team.id)),
  name: field(text, 'Name of the team.', ({ team }) => team.name),
  slug: field(text, 'Slug of the team; it stays when the name changes.', ({ team }) => team.slug),
  description: field(nullable(text), 'Description of the team.', ({ team }) => team.description),
  privacy: field(
    enumOf('visible', 'secret'),
    'Whether all members of the organization see the team, or only its own.',
    ({ team }) => team.privacy,
  ),
  default: field(boolean, 'Whether new members of the organization join the team.', ({ team }) => team.isDefault),
  default_member_role: field(memberRole, 'Role of members who join without one.', ({ team }) => team.defaultMemberRole),
  members_can_create_pipelines: field(
    boolean,
    'Whether members may create pipelines.',
    ({ team }) => team.membersCanCreatePipelines,
  ),
  members_can_create_suites: field(
    boolean,
    'Whether members may create test suites.',
    ({ team }) => team.membersCanCreateSuites,
  ),
  members_can_create_registries: field(
    boolean,
    'Whether members may create package registries; stored only.',
    ({ team }) => team.membersCanCreateRegistries,
  ),
  members_can_destroy_registries: field(
    boolean,
    'Whether members may delete package registries; stored only.',
    ({ team }) => team.membersCanDestroyRegistries,
  ),
  members_can_destroy_packages: field(
    boolean,
    'Whether members may delete packages; stored only.',
    ({ team }) => team.membersCanDestroyPackages,
  ),
  created_at: field(time, 'Time the team was created.', ({ team }) => formatTime(team.createdAt)),
  created_by: field(nullable(reference('User')), 'User who created the team.', ({ context, team }) =>
    presentUserById(context, team.createdById),
  ),
});

export function presentTeam(context: Context, team: TeamRow): Promise<JsonObject> {
  return teamResource.present({ context, team });
}

/** The membership of a user in a team. */
export const teamMemberResource = resource<{ member: Row<'team_members'>; user: UserRow }>({
  user_id: field(uuid, 'ID of the user.', ({ user }) => user.id),
  user_name: field(text, 'Full name of the user.', ({ user }) => user.name),
  created_at: field(time, 'Time the user joined the team.', ({ member }) => formatTime(member.createdAt)),
  role: field(memberRole, 'Role of the user in the team.', ({ member }) => member.role),
});

export async function presentTeamMember(context: Context, member: Row<'team_members'>): Promise<JsonObject> {
  const user = existing(await context.load.user.load(member.userId), 'a user');
  return teamMemberResource.present({ member, user });
}

const accessFields: Fields<{ access: Row<'team_pipelines'> }> = {
  access_level: field(pipelineAccessLevel, 'Access of the team to the pipeline.', ({ access }) => access.accessLevel),
  created_at: field(time, 'Time the team got access.', ({ access }) => formatTime(access.createdAt)),
};

/** The access of a team to a pipeline, as the team lists it. */
export const teamPipelineResource = resource<{ access: Row<'team_pipelines'>; pipelineUrl: string }>({
  ...accessFields,
  pipeline_id: field(uuid, 'ID of the pipeline.', ({ access }) => access.pipelineId),
  pipeline_url: field(url, 'API URL of the pipeline.', ({ pipelineUrl }) => pipelineUrl),
});

export async function presentTeamPipeline(context: Context, access: Row<'team_pipelines'>): Promise<JsonObject> {
  const [organization, pipeline] = await Promise.all([
    context.load.organization.load(access.organizationId),
    context.references.pipeline.load(access.pipelineId),
  ]);
  const { api } = Urls.of(context).pipeline(
    existing(organization, 'an organization'),
    existing(pipeline, 'a pipeline'),
  );
  return teamPipelineResource.present({ access, pipelineUrl: api });
}

/** The access of a team to a pipeline, as the pipeline lists it. */
export const pipelineTeamResource = resource<{ access: Row<'team_pipelines'>; team: TeamRow; teamUrl: string }>({
  ...accessFields,
  team_id: field(uuid, 'ID of the team.', ({ team }) => team.id),
  team_name: field(text, 'Name of the team.', ({ team }) => team.name),
  team_slug: field(text, 'Slug of the team.', ({ team }) => team.slug),
  team_url: field(url, 'API URL of the team.', ({ teamUrl }) => teamUrl),
});

export async function presentPipelineTeam(context: Context, access: Row<'team_pipelines'>): Promise<JsonObject> {
  const [organization, teamRow] = await Promise.all([
    context.load.organization.load(access.organizationId),
    context.load.team.load(access.teamId),
  ]);
  const team = existing(teamRow, 'a team');
  const { api } = Urls.of(context).organization(existing(organization, 'an organization'));
  return pipelineTeamResource.present({ access, team, teamUrl: `${api}/teams/${team.id}` });
}

/** The access of a team to a test suite. */
export const teamSuiteResource = resource<{ access: Row<'team_suites'>; suiteUrl: string }>({
  suite_id: field(uuid, 'ID of the suite.', ({ access }) => access.suiteId),
  suite_url: field(url, 'API URL of the suite.', ({ suiteUrl }) => suiteUrl),
  created_at: field(time, 'Time the team got access.', ({ access }) => formatTime(access.createdAt)),
  access_level: field(
    arrayOf(enumOf('read', 'edit')),
    'Access of the team to the suite.',
    ({ access }) => access.accessLevel,
  ),
});

export async function presentTeamSuite(context: Context, access: Row<'team_suites'>): Promise<JsonObject> {
  const [organization, suite] = await Promise.all([
    context.load.organization.load(access.organizationId),
    context.load.suite.load(access.suiteId),
  ]);
  const { api } = Urls.of(context).suite(existing(organization, 'an organization'), existing(suite, 'a suite'));
  return teamSuiteResource.present({ access, suiteUrl: api });
}
