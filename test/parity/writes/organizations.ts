import { both, byId, inAcme, org, team, type WriteOnBoth } from './write.js';

export const organizations: readonly WriteOnBoth[] = [
  both(`patch ${org}/members/{user}`, 'organizationMemberUpdate', (at) => ({ id: at['membership'], role: 'MEMBER' }), {
    role: 'member',
  }),
  both(`delete ${org}/members/{user}`, 'organizationMemberDelete', byId('membership')),
  both(`patch ${org}/api-settings`, 'organizationApiSettingsUpdate', inAcme({ revokeInactiveTokensAfterDays: 30 }), {
    revoke_inactive_tokens_after_days: 30,
  }),
  both(
    `patch ${org}/api-settings`,
    'organizationApiIpAllowlistUpdate',
    (at) => ({ organizationID: at['acme'], ipAddresses: '127.0.0.0/8 ::1 ::ffff:127.0.0.1' }),
    { allowed_ip_addresses: '127.0.0.0/8 ::1 ::ffff:127.0.0.1' },
  ),
  both(
    `patch ${org}/api-settings`,
    'organizationRevokeInactiveTokensAfterUpdate',
    inAcme({ revokeInactiveTokensAfter: 'DAYS_30' }),
    { revoke_inactive_tokens_after_days: 30 },
  ),
  both(`put ${org}/banner`, 'organizationBannerUpsert', inAcme({ message: 'New' }), { message: 'New' }),
  both(`delete ${org}/banner`, 'organizationBannerDelete', inAcme()),
  both(`patch ${org}/pipeline-settings`, 'organizationPipelineSettingsUpdate', inAcme({ defaultBranch: 'trunk' }), {
    default_branch: 'trunk',
  }),
  both(
    `put ${org}/pipeline-settings/build-export`,
    'organizationBuildExportUpdate',
    inAcme({ location: 'exports', strategyId: 'file' }),
    { location: 'exports', strategy_id: 'file' },
  ),
  both(`delete ${org}/pipeline-settings/build-export`, 'organizationBuildExportDelete', inAcme()),
  both(`put ${org}/pipeline-settings/public-pipelines`, 'organizationPublicPipelinesUpdate', inAcme({ enabled: true })),
  both(
    `delete ${org}/pipeline-settings/public-pipelines`,
    'organizationPublicPipelinesUpdate',
    inAcme({ enabled: false }),
  ),
  both(
    `post ${org}/invitations`,
    'organizationInvitationCreate',
    (at) => ({ organizationID: at['acme'], emails: ['new@example.com'] }),
    { emails: ['new@example.com'] },
  ),
  both(`put ${org}/invitations/{invitation}/resend`, 'organizationInvitationResend', byId('invitation')),
  both(`delete ${org}/invitations/{invitation}`, 'organizationInvitationRevoke', byId('invitation')),
  both(
    `delete ${org}/api-access-tokens/{api_token}`,
    'organizationApiAccessTokenRevoke',
    inAcme((at) => ({ apiAccessTokenId: at['api_token'] })),
  ),
];

export const teams: readonly WriteOnBoth[] = [
  both(`post ${org}/teams/enable`, 'organizationTeamsEnable', inAcme()),
  both(
    `post ${org}/teams`,
    'teamCreate',
    (at) => ({
      organizationID: at['acme'],
      name: 'New',
      privacy: 'VISIBLE',
      isDefaultTeam: false,
      defaultMemberRole: 'MEMBER',
    }),
    { name: 'New', privacy: 'visible', is_default_team: false, default_member_role: 'member' },
  ),
  both(
    `patch ${team}`,
    'teamUpdate',
    (at) => ({
      id: at['team'],
      name: 'Renamed',
      privacy: 'VISIBLE',
      isDefaultTeam: false,
      defaultMemberRole: 'MEMBER',
    }),
    { name: 'Renamed', privacy: 'visible', is_default_team: false, default_member_role: 'member' },
  ),
  both(`delete ${team}`, 'teamDelete', byId('team')),
  both(
    `post ${team}/members`,
    'teamMemberCreate',
    (at) => ({ teamID: at['team'], userID: at['colleague'], role: 'MEMBER' }),
    (at) => ({ user_id: at['colleague'], role: 'member' }),
  ),
  both(`patch ${team}/members/{user}`, 'teamMemberUpdate', (at) => ({ id: at['teamMember'], role: 'MEMBER' }), {
    role: 'member',
  }),
  both(`delete ${team}/members/{user}`, 'teamMemberDelete', byId('teamMember')),
  both(
    `post ${team}/pipelines`,
    'teamPipelineCreate',
    (at) => ({ teamID: at['team'], pipelineID: at['otherPipeline'], accessLevel: 'READ_ONLY' }),
    (at) => ({ pipeline_id: at['otherPipeline'], access_level: 'read_only' }),
  ),
  both(
    `patch ${team}/pipelines/{pipeline}`,
    'teamPipelineUpdate',
    (at) => ({ id: at['teamPipeline'], accessLevel: 'READ_ONLY' }),
    { access_level: 'read_only' },
  ),
  both(`delete ${team}/pipelines/{pipeline}`, 'teamPipelineDelete', (at) => ({ id: at['teamPipeline'], force: true })),
  ...['suite', 'suites'].flatMap((word) => [
    both(
      `post ${team}/${word}`,
      'teamSuiteCreate',
      (at) => ({ teamID: at['team'], suiteID: at['otherSuite'], accessLevel: 'READ_ONLY' }),
      (at) => ({ suite_id: at['otherSuite'], access_level: ['read'] }),
    ),
    both(
      `patch ${team}/${word}/{suite}`,
      'teamSuiteUpdate',
      (at) => ({ id: at['teamSuite'], accessLevel: 'READ_ONLY' }),
      { access_level: ['read'] },
    ),
    both(`delete ${team}/${word}/{suite}`, 'teamSuiteDelete', (at) => ({ id: at['teamSuite'], force: true })),
  ]),
];
