import { auditActorTypes, auditEventTypes, auditSubjectTypes } from '../../domain/organizations/audit/wire-words.js';
import { type Scope, scopes } from '../../domain/organizations/scopes.js';
import type { BuildMail } from '../../domain/integrations/build-mail.js';
import type { RoomState } from '../../storage/disk-room.js';
import type { SizeKind } from '../../domain/retention/sizes.js';
import type { InsightGroup } from '../../domain/builds/insights/insight.js';
import { declare, listOrders } from './declare.js';

export const TeamPrivacy = declare('TeamPrivacy', 'Visibility of a team.', {
  secret: 'Only members of the team and administrators of the organization can see the team.',
  visible: 'Every member of the organization can see the team.',
});

export const TeamMemberRole = declare('TeamMemberRole', 'Role of a user in a team.', {
  maintainer: 'The user may edit the team, its members and its access.',
  member: 'The user has the access of the team.',
});

export const TeamOrder = declare('TeamOrder', 'Order of teams.', listOrders);
export const TeamMemberOrder = declare('TeamMemberOrder', 'Order of the members of a team.', listOrders);
export const TeamPipelineOrder = declare('TeamPipelineOrder', 'Order of the pipelines of a team.', listOrders);
export const TeamSuiteOrder = declare('TeamSuiteOrder', 'Order of the test suites of a team.', listOrders);

export const BuildMailChoices = declare('BuildMail', 'Choice of the builds whose end is mailed to their creator.', {
  never: 'Only what pipelines mail by themselves.',
  failed: 'Builds that failed, and the first that passed afterwards on the branch.',
  always: 'Builds that passed, failed or were canceled.',
} satisfies Record<BuildMail, string>);

export const StorageKinds = declare('StorageKinds', 'Kind of rows and bytes that are counted.', {
  builds: 'Builds with their jobs, steps, events and annotations.',
  logs: 'Logs.',
  artifacts: 'Artifacts.',
  runs: 'Runs of test suites.',
  audit: 'Audit events.',
} satisfies Record<SizeKind, string>);

export const StorageDiskStates = declare('StorageDiskStates', 'State of the disk of logs and artifacts.', {
  ample: 'There is room.',
  filling: 'Less than twice the reserve is free.',
  short: 'Less than the reserve is free: new logs and artifacts are refused.',
} satisfies Record<RoomState, string>);

export const OrganizationMemberRole = declare('OrganizationMemberRole', 'Role of a user in an organization.', {
  admin: 'The user may change everything in the organization.',
  member: 'The user has the access that the organization and their teams give.',
});

export const OrganizationInvitationStates = declare('OrganizationInvitationStates', 'State of an invitation.', {
  accepted: 'The invited joined the organization.',
  expired: 'Nobody accepted the invitation in time; it can be sent again.',
  pending: 'The invitation can be accepted.',
  revoked: 'The invitation was revoked, and cannot be accepted.',
});

export const OrganizationInvitationOrders = declare('OrganizationInvitationOrders', 'Order of invitations.', {
  email: 'By email address.',
  recently_created: 'Newest first.',
});

export const RevokeInactiveTokenPeriod = declare(
  'RevokeInactiveTokenPeriod',
  'Time without a use after which API tokens lose their access to an organization.',
  {
    days_180: '180 days.',
    days_30: '30 days.',
    days_365: '365 days.',
    days_60: '60 days.',
    days_90: '90 days.',
    never: 'No time: API tokens keep their access.',
  },
);

export const OrganizationMemberSSOModeEnum = declare(
  'OrganizationMemberSSOModeEnum',
  'Requirement of single sign-on for a member.',
  {
    optional: 'Every session of the member reaches the organization.',
    required: 'Only sessions that began with single sign-on reach the organization.',
  },
);

export const OrganizationMemberOrder = declare(
  'OrganizationMemberOrder',
  'Order of the members of an organization.',
  listOrders,
);

export const SessionSignInMethod = declare('SessionSignInMethod', 'Way in which a person signed in to the console.', {
  password: 'With their email address and password.',
  single_sign_on: 'Through the single sign-on provider.',
  one_time_address: 'With the address that the program printed at its start.',
});

const acronyms: Readonly<Record<string, string>> = {
  api: 'API',
  oauth: 'OAuth',
  scm: 'SCM',
  sso: 'SSO',
  totp: 'TOTP',
  url: 'URL',
};

/** The words of an identifier as a sentence: `pipeline_webhook_url_rotated` becomes "Pipeline webhook URL rotated." */
function sentence(identifier: string): string {
  const text = identifier
    .split('_')
    .map((word) => acronyms[word] ?? word)
    .join(' ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** Identifiers that describe themselves, with their words as descriptions. */
function described<const Words extends readonly string[]>(words: Words): { readonly [Word in Words[number]]: string } {
  // Object.fromEntries widens its keys to string.
  return Object.fromEntries(words.map((word) => [word, sentence(word)])) as never;
}

export const AuditEventType = declare('AuditEventType', 'Type of an audit event.', described(auditEventTypes));
export const AuditActorType = declare(
  'AuditActorType',
  'Type of the actor of an audit event.',
  described(auditActorTypes),
);
export const AuditSubjectType = declare(
  'AuditSubjectType',
  'Type of the object that an audit event is about.',
  described(auditSubjectTypes),
);
export const OrganizationAuditEventOrders = declare('OrganizationAuditEventOrders', 'Order of audit events.', {
  recently_occurred: 'Most recent first.',
});

/** Scopes of other services are part of the contract; no token of Slipway has them. */
const foreignScopes = [
  'delete_packages',
  'delete_registries',
  'read_deployables',
  'read_events',
  'read_packages',
  'read_portals',
  'read_registries',
  'read_test_pool',
  'write_deployables',
  'write_packages',
  'write_portals',
  'write_registries',
] as const;

const scopeDescriptions = {
  ...described(scopes),
  ...(Object.fromEntries(
    foreignScopes.map((scope) => [scope, `${sentence(scope)} No token of this service has this scope.`]),
  ) as { readonly [Word in (typeof foreignScopes)[number]]: string }),
  graphql: 'Use the whole GraphQL API.',
  read_job_env: 'Read the environment of jobs.',
  read_user: 'Read the user of the token.',
  read_secrets_details: 'Read the details of secrets, without their values.',
} satisfies Record<Scope, string>;

export const APIAccessTokenScopes = declare('APIAccessTokenScopes', 'Scope of an API access token.', scopeDescriptions);

export const InsightGroups = declare('InsightGroups', 'Grouping of figures of builds and jobs.', {
  pipeline: 'By pipeline.',
  queue: 'By queue, of its jobs.',
  step: 'By step, of its jobs.',
  branch: 'By branch, of all pipelines.',
  day: 'By day, in UTC, of their creation.',
  hour: 'By hour of their creation.',
} satisfies Record<InsightGroup, string>);
