import type { AuditEventType, AuditSubjectType } from './wire-words.js';

/** Facts of an audit row: an operation, or one change of a provisioning file. */
export interface AuditFact {
  operation: string;
  /** Noun of the operation, or kind of resource in a provisioning file. */
  subject: string | null;
  /** Of a provisioning file: `created` or `updated`. */
  action: string | null;
}

/** GraphQL subject type by our noun; nouns without a type are absent. */
const subjectTypes: Readonly<Record<string, AuditSubjectType>> = {
  token: 'api_access_token',
  'agent-token': 'cluster_token',
  cluster: 'cluster',
  'cluster-maintainer': 'cluster_permission',
  job: 'job',
  'notification-service': 'notification_service',
  organization: 'organization',
  'organization-banner': 'organization_banner',
  'organization-invitation': 'organization_invitation',
  'organization-member': 'organization_member',
  pipeline: 'pipeline',
  'pipeline-schedule': 'pipeline_schedule',
  'pipeline-template': 'pipeline_template',
  'pipeline-trigger': 'pipeline_trigger',
  'provider-connection': 'scm_service',
  queue: 'cluster_queue',
  rule: 'rule',
  secret: 'secret',
  suite: 'suite',
  team: 'team',
  'team-member': 'team_member',
  'team-pipeline': 'team_pipeline',
  'team-suite': 'team_suite',
  user: 'user',
};

/** Noun by kind of resource in a provisioning file, where the two differ. */
const provisionedNouns: Readonly<Record<string, string>> = {
  'agent token': 'agent-token',
  'API token': 'token',
  member: 'organization-member',
  'team member': 'team-member',
  'team pipeline': 'team-pipeline',
};

/** GraphQL type by operation. The compatible audit log has no types for builds, jobs, annotations and agents. */
const operationTypes: Readonly<Record<string, AuditEventType>> = {
  'access-token.create-own': 'api_access_token_created',
  'access-token.revoke': 'api_access_token_deleted',
  'access-token.revoke-access': 'api_access_token_organization_access_revoked',
  'access-token.revoke-own': 'api_access_token_deleted',
  'agent-token.create': 'cluster_token_created',
  'agent-token.revoke': 'cluster_token_deleted',
  'agent-token.update': 'cluster_token_updated',
  'cluster-maintainer.create': 'cluster_permission_created',
  'cluster-maintainer.delete': 'cluster_permission_deleted',
  'cluster.create': 'cluster_created',
  'cluster.delete': 'cluster_deleted',
  'cluster.update': 'cluster_updated',
  'notification-service.break': 'notification_service_broken',
  'notification-service.create': 'notification_service_created',
  'notification-service.delete': 'notification_service_deleted',
  'notification-service.disable': 'notification_service_disabled',
  'notification-service.enable': 'notification_service_enabled',
  'notification-service.update': 'notification_service_updated',
  'organization-member.delete': 'organization_member_deleted',
  'organization-member.update': 'organization_member_updated',
  'organization-invitation.accept': 'organization_invitation_accepted',
  'organization-invitation.create': 'organization_invitation_created',
  'organization-invitation.resend': 'organization_invitation_resent',
  'organization-invitation.revoke': 'organization_invitation_revoked',
  'organization-banner.delete': 'organization_banner_deleted',
  'organization-banner.upsert': 'organization_banner_updated',
  'organization.delete-build-export': 'organization_updated',
  'organization.set-build-export': 'organization_updated',
  'organization.set-public-pipelines': 'organization_updated',
  'organization.set-two-factor': 'organization_updated',
  'organization.update-api-settings': 'organization_updated',
  'organization.update-pipeline-settings': 'organization_updated',
  'pipeline-schedule.create': 'pipeline_schedule_created',
  'pipeline-schedule.delete': 'pipeline_schedule_deleted',
  'pipeline-schedule.update': 'pipeline_schedule_updated',
  'pipeline-template.create': 'pipeline_template_created',
  'pipeline-template.delete': 'pipeline_template_deleted',
  'pipeline-template.update': 'pipeline_template_updated',
  'pipeline-trigger.create': 'pipeline_trigger_created',
  'pipeline-trigger.delete': 'pipeline_trigger_deleted',
  'pipeline-trigger.update': 'pipeline_trigger_updated',
  'pipeline.archive': 'pipeline_updated',
  'pipeline.create': 'pipeline_created',
  'pipeline.create-webhook': 'pipeline_updated',
  'pipeline.delete': 'pipeline_deleted',
  'pipeline.delete-webhook': 'pipeline_updated',
  'pipeline.rotate-webhook-url': 'pipeline_webhook_url_rotated',
  'pipeline.set-webhook-secret': 'pipeline_updated',
  'pipeline.unarchive': 'pipeline_updated',
  'pipeline.update': 'pipeline_updated',
  'provider-connection.create': 'scm_service_created',
  'provider-connection.update': 'scm_service_updated',
  'provider-connection.delete': 'scm_service_deleted',
  'queue.create': 'cluster_queue_created',
  'queue.delete': 'cluster_queue_deleted',
  'queue.pause-dispatch': 'cluster_queue_updated',
  'queue.resume-dispatch': 'cluster_queue_updated',
  'queue.update': 'cluster_queue_updated',
  'rule.create': 'rule_created',
  'rule.delete': 'rule_deleted',
  'rule.update': 'rule_updated',
  'secret.create': 'secret_created',
  'secret.delete': 'secret_deleted',
  'secret.update': 'secret_updated',
  'secret.update-value': 'secret_value_updated',
  'suite.create': 'suite_created',
  'suite.delete': 'suite_deleted',
  'suite.update': 'suite_updated',
  'team-member.create': 'team_member_created',
  'team-member.delete': 'team_member_deleted',
  'team-member.update': 'team_member_updated',
  'team-pipeline.create': 'team_pipeline_created',
  'team-pipeline.delete': 'team_pipeline_deleted',
  'team-pipeline.update': 'team_pipeline_updated',
  'team-suite.create': 'team_suite_created',
  'team-suite.delete': 'team_suite_deleted',
  'team-suite.update': 'team_suite_updated',
  'team.create': 'team_created',
  'team.delete': 'team_deleted',
  'team.enable': 'organization_teams_enabled',
  'team.update': 'team_updated',
};

/** The changes a provisioning file can make, with the wire's word for each. */
const provisionedTypes: readonly (Required<Pick<AuditFact, 'subject' | 'action'>> & { type: AuditEventType })[] = [
  { subject: 'organization', action: 'created', type: 'organization_created' },
  { subject: 'organization', action: 'updated', type: 'organization_updated' },
  { subject: 'member', action: 'created', type: 'organization_member_created' },
  { subject: 'member', action: 'updated', type: 'organization_member_updated' },
  { subject: 'cluster', action: 'created', type: 'cluster_created' },
  { subject: 'cluster', action: 'updated', type: 'cluster_updated' },
  { subject: 'queue', action: 'created', type: 'cluster_queue_created' },
  { subject: 'queue', action: 'updated', type: 'cluster_queue_updated' },
  { subject: 'agent token', action: 'created', type: 'cluster_token_created' },
  { subject: 'agent token', action: 'updated', type: 'cluster_token_updated' },
  { subject: 'team', action: 'created', type: 'team_created' },
  { subject: 'team', action: 'updated', type: 'team_updated' },
  { subject: 'team member', action: 'created', type: 'team_member_created' },
  { subject: 'team member', action: 'updated', type: 'team_member_updated' },
  { subject: 'team pipeline', action: 'created', type: 'team_pipeline_created' },
  { subject: 'team pipeline', action: 'updated', type: 'team_pipeline_updated' },
  { subject: 'suite', action: 'created', type: 'suite_created' },
  { subject: 'suite', action: 'updated', type: 'suite_updated' },
];

export const provisioning = 'provisioning.apply';

/** Returns the GraphQL type of an event; null if there is none. */
export function auditEventType({ operation, subject, action }: AuditFact): AuditEventType | null {
  if (operation !== provisioning) return operationTypes[operation] ?? null;
  return provisionedTypes.find((each) => each.subject === subject && each.action === action)?.type ?? null;
}

/** Returns the noun of the subject, also for provisioned subjects. */
export function auditNoun({ subject }: Pick<AuditFact, 'subject'>): string | null {
  return subject === null ? null : (provisionedNouns[subject] ?? subject);
}

/** Returns the GraphQL type of the subject; null if there is none. */
export function auditSubjectType(fact: Pick<AuditFact, 'subject'>): AuditSubjectType | null {
  return subjectTypes[auditNoun(fact) ?? ''] ?? null;
}

/** Returns the operations and provisioning changes of a GraphQL type, to filter a list by it. */
export function madeBy(types: readonly AuditEventType[]): {
  operations: string[];
  provisioned: { subject: string | null; action: string | null }[];
} {
  const typeSet: ReadonlySet<string> = new Set(types);
  return {
    operations: Object.entries(operationTypes).flatMap(([operation, type]) => (typeSet.has(type) ? [operation] : [])),
    provisioned: provisionedTypes
      .filter(({ type }) => typeSet.has(type))
      .map(({ subject, action }) => ({ subject, action })),
  };
}

/**
 * Returns our nouns for a GraphQL subject type, including the nouns of provisioning files, to filter a list by the
 * type.
 */
export function nounsOf(types: readonly AuditSubjectType[]): string[] {
  const typeSet: ReadonlySet<string> = new Set(types);
  const nouns = Object.entries(subjectTypes).flatMap(([noun, type]) => (typeSet.has(type) ? [noun] : []));
  return [
    ...nouns,
    ...Object.entries(provisionedNouns).flatMap(([kind, noun]) => (nouns.includes(noun) ? [kind] : [])),
  ];
}

const initialisms: ReadonlySet<string> = new Set(['api', 'scm', 'sso', 'totp']);

/**
 * A word in the form of a class, as /v2 spells it: `pipeline_schedule` is `PipelineSchedule`, `api_access_token` is
 * `APIAccessToken`.
 */
export function classForm(word: string): string {
  return word
    .split(/[^a-z0-9]+/)
    .map((part) => (initialisms.has(part) ? part.toUpperCase() : part.charAt(0).toUpperCase() + part.slice(1)))
    .join('');
}
