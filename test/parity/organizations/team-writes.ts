import type { BothSurfaces, GraphqlCall, RestCall } from '../../support/both-surfaces.js';
import type { Person } from '../../support/world.js';

export const teams = '/organizations/acme/teams';
export const templates = '/organizations/acme/pipeline-templates';
export const members = '/organizations/acme/members';
const yaml = 'steps: [{ command: make }]';

/** Ids of the latest row of each kind, looked up in one world. */
export interface Things {
  acme: string;
  member: Person;
  membership: string;
  team: string;
  pipeline: string;
  suite: string;
  teamMember: string;
  teamPipeline: string;
  teamSuite: string;
  template: string;
}

/** The latest of each kind. */
export async function things({ world }: BothSurfaces): Promise<Things> {
  const latest = async (
    table: 'teams' | 'team_members' | 'team_pipelines' | 'team_suites' | 'suites' | 'pipelines' | 'pipeline_templates',
  ) =>
    (
      await world.services.db
        .selectFrom(table as 'teams')
        .select('id')
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst()
    )?.id ?? '';
  const membership = await world.services.db
    .selectFrom('organization_members')
    .select('id')
    .where('userId', '=', world.member.id)
    .executeTakeFirst();
  return {
    acme: world.organization.id,
    member: world.member,
    membership: membership?.id ?? '',
    team: await latest('teams'),
    pipeline: await latest('pipelines'),
    suite: await latest('suites'),
    teamMember: await latest('team_members'),
    teamPipeline: await latest('team_pipelines'),
    teamSuite: await latest('team_suites'),
    template: await latest('pipeline_templates'),
  };
}

const call = (field: string, payload: string, input: object): GraphqlCall => {
  const type = `${field[0]?.toUpperCase()}${field.slice(1)}Input`;
  return [`mutation ($input: ${type}!) { ${field}(input: $input) { ${payload} } }`, { input }];
};

/** One write operation, as a REST and a GraphQL request. */
export interface Step {
  operation: string;
  rest: (at: Things) => RestCall;
  graphql: (at: Things) => GraphqlCall;
}

/** The writes in the order in which the test carries them out on both surfaces. */
export const writesInOrder: Step[] = [
  {
    operation: 'team.enable',
    rest: () => ['post', `${teams}/enable`],
    graphql: ({ acme }) => call('organizationTeamsEnable', 'organization { isTeamsEnabled }', { organizationId: acme }),
  },
  {
    operation: 'team.create',
    rest: () => [
      'post',
      teams,
      {
        name: 'The Core',
        description: 'about',
        privacy: 'visible',
        is_default_team: true,
        default_member_role: 'maintainer',
        members_can_create_pipelines: false,
        members_can_destroy_packages: true,
      },
    ],
    graphql: ({ acme }) =>
      call('teamCreate', 'teamEdge { node { id } } organization { id }', {
        organizationID: acme,
        name: 'The Core',
        description: 'about',
        privacy: 'VISIBLE',
        isDefaultTeam: true,
        defaultMemberRole: 'MAINTAINER',
        membersCanCreatePipelines: false,
        membersCanDestroyPackages: true,
        membersCanDeletePipelines: true,
      }),
  },
  {
    operation: 'team.update',
    rest: ({ team }) => [
      'patch',
      `${teams}/${team}`,
      { name: 'Renamed', is_default_team: false, default_member_role: 'member', members_can_create_suites: false },
    ],
    graphql: ({ team }) =>
      call('teamUpdate', 'team { id }', {
        id: team,
        name: 'Renamed',
        isDefaultTeam: false,
        defaultMemberRole: 'MEMBER',
        membersCanCreateSuites: false,
      }),
  },
  {
    operation: 'team-member.create',
    rest: ({ team, member }) => ['post', `${teams}/${team}/members`, { user_id: member.id, role: 'member' }],
    graphql: ({ team, member }) =>
      call('teamMemberCreate', 'team { id } teamMemberEdge { node { id } }', { teamID: team, userID: member.id }),
  },
  {
    operation: 'team-member.update',
    rest: ({ team, member }) => ['patch', `${teams}/${team}/members/${member.id}`, { role: 'maintainer' }],
    graphql: ({ teamMember }) => call('teamMemberUpdate', 'teamMember { id }', { id: teamMember, role: 'MAINTAINER' }),
  },
  {
    operation: 'team-pipeline.create',
    rest: ({ team, pipeline }) => ['post', `${teams}/${team}/pipelines`, { pipeline_id: pipeline }],
    graphql: ({ team, pipeline }) =>
      call('teamPipelineCreate', 'team { id } pipeline { id } teamPipeline { id } teamPipelineEdge { node { id } }', {
        teamID: team,
        pipelineID: pipeline,
      }),
  },
  {
    operation: 'team-pipeline.update',
    rest: ({ team, pipeline }) => [
      'patch',
      `${teams}/${team}/pipelines/${pipeline}`,
      { access_level: 'build_and_read' },
    ],
    graphql: ({ teamPipeline }) =>
      call('teamPipelineUpdate', 'teamPipeline { id }', { id: teamPipeline, accessLevel: 'BUILD_AND_READ' }),
  },
  {
    operation: 'team-suite.create',
    rest: ({ team, suite }) => ['post', `${teams}/${team}/suite`, { suite_id: suite, access_level: ['read'] }],
    graphql: ({ team, suite }) =>
      call('teamSuiteCreate', 'team { id } suite { id } teamSuite { id } teamSuiteEdge { node { id } }', {
        teamID: team,
        suiteID: suite,
      }),
  },
  {
    operation: 'team-suite.update',
    rest: ({ team, suite }) => ['patch', `${teams}/${team}/suites/${suite}`, { access_level: ['edit', 'read'] }],
    graphql: ({ teamSuite }) =>
      call('teamSuiteUpdate', 'teamSuite { id }', { id: teamSuite, accessLevel: 'MANAGE_AND_READ' }),
  },
  {
    operation: 'pipeline-template.create',
    rest: () => ['post', templates, { name: 'Go', configuration: yaml, description: 'for Go', available: true }],
    graphql: ({ acme }) =>
      call('pipelineTemplateCreate', 'pipelineTemplate { id }', {
        organizationId: acme,
        name: 'Go',
        configuration: yaml,
        description: 'for Go',
        available: true,
      }),
  },
  {
    operation: 'pipeline-template.update',
    rest: ({ template }) => ['patch', `${templates}/${template}`, { name: 'Rust', description: null }],
    graphql: ({ acme, template }) =>
      call('pipelineTemplateUpdate', 'pipelineTemplate { id }', {
        organizationId: acme,
        id: template,
        name: 'Rust',
        description: null,
      }),
  },
  {
    operation: 'organization-member.update',
    rest: ({ member }) => ['patch', `${members}/${member.id}`, { role: 'admin', sso_mode: 'required' }],
    graphql: ({ membership }) =>
      call('organizationMemberUpdate', 'organizationMember { id }', {
        id: membership,
        role: 'ADMIN',
        sso: { mode: 'REQUIRED' },
      }),
  },
];

/** The writes that delete the same resources, carried out after the reads. */
export const ending: Step[] = [
  {
    operation: 'pipeline-template.delete',
    rest: ({ template }) => ['delete', `${templates}/${template}`],
    graphql: ({ acme, template }) =>
      call('pipelineTemplateDelete', 'deletedPipelineTemplateId', { organizationId: acme, id: template }),
  },
  {
    operation: 'team-suite.delete',
    rest: ({ team, suite }) => ['delete', `${teams}/${team}/suites/${suite}`],
    graphql: ({ teamSuite }) =>
      call('teamSuiteDelete', 'deletedTeamSuiteID team { id }', { id: teamSuite, force: true }),
  },
  {
    operation: 'team-pipeline.delete',
    rest: ({ team, pipeline }) => ['delete', `${teams}/${team}/pipelines/${pipeline}`],
    graphql: ({ teamPipeline }) =>
      call('teamPipelineDelete', 'deletedTeamPipelineID team { id }', { id: teamPipeline, force: true }),
  },
  {
    operation: 'team-member.delete',
    rest: ({ team, member }) => ['delete', `${teams}/${team}/members/${member.id}`],
    graphql: ({ teamMember }) => call('teamMemberDelete', 'deletedTeamMemberID team { id }', { id: teamMember }),
  },
  {
    operation: 'organization-member.delete',
    rest: ({ member }) => ['delete', `${members}/${member.id}`],
    graphql: ({ membership }) =>
      call('organizationMemberDelete', 'deletedOrganizationMemberID organization { id } user { id }', {
        id: membership,
      }),
  },
  {
    operation: 'team.delete',
    rest: ({ team }) => ['delete', `${teams}/${team}`],
    graphql: ({ team }) => call('teamDelete', 'deletedTeamID organization { id }', { id: team }),
  },
];
