import { registerEnumType } from 'type-graphql';
import { annotationScopes, annotationStyles } from '../domain/annotations/annotation.js';
import { runResults, runStates } from '../domain/run-state.js';
import { executionResults } from '../domain/test-results/result.js';
import { testStates } from '../domain/test-results/test-state.js';
import { auditActorTypes, auditEventTypes, auditSubjectTypes } from '../domain/audit/wire-words.js';
import { artifactStates } from '../domain/artifact-state.js';
import { blockedStates, buildStates } from '../domain/build-state.js';
import { jobStates } from '../domain/job-state.js';
import { ruleActions } from '../domain/rules.js';
import { scopes } from '../domain/scopes.js';
import { failureKinds } from '../domain/retry-failed.js';

/** The members of an enum: upper case on the wire, the product's own word inside. */
function members<const Words extends readonly string[]>(words: Words): { [Word in Words[number] as Uppercase<Word>]: Word } {
  return Object.fromEntries(words.map((word) => [word.toUpperCase(), word])) as never;
}

function declare<Members extends object>(name: string, description: string, values: Members): Members {
  registerEnumType(values, { name, description });
  return values;
}

const order = ['name', 'recently_created', 'relevance'] as const;

export const BuildStates = declare('BuildStates', 'What became of a build so far.', members(buildStates));
export const BuildBlockedStates = declare('BuildBlockedStates', 'What a build was before it was blocked.', members(blockedStates));
/** States a stack could put a job in are part of the contract, though no job here ever has them. */
export const JobStates = declare('JobStates', 'What became of a job so far.', members([...jobStates, 'platform_limiting', 'platform_limited']));
export const AnnotationStyle = declare('AnnotationStyle', 'What an annotation looks like.', members([...annotationStyles, 'default']));
export const AnnotationScope = declare('AnnotationScope', 'What an annotation is about.', members(annotationScopes));
export const AnnotationOrder = declare('AnnotationOrder', 'How annotations are ordered.', members(['priority_recently_created', 'recently_created']));
export const JobTypes = declare('JobTypes', 'What kind of step made a job.', members(['block', 'command', 'trigger', 'wait']));
export const JobOrder = declare('JobOrder', 'How jobs are ordered.', members(['recently_assigned', 'recently_created']));
export const JobRetryTypes = declare('JobRetryTypes', 'Who retried a job: a rule, or a person.', members(['automatic', 'manual']));
export const JobEventType = declare('JobEventType', 'What happened to a job.', members([
  'accepted', 'accepted_expired', 'agent_disconnected', 'agent_lost', 'agent_stopped', 'assigned', 'assigned_expired',
  'build_step_upload_created', 'cancelation', 'canceled', 'changed', 'expired', 'finished', 'limited', 'log_size_limit_exceeded',
  'notification', 'platform_limited', 'promised_exit_status', 'reprioritized', 'reserved', 'reserved_expired', 'retried', 'retry_failed',
  'scheduled', 'stack_errored', 'stack_finished', 'stack_notification', 'started', 'timed_out', 'unblocked',
]));
export const JobEventActorType = declare('JobEventActorType', 'What kind of actor made something happen.', members(['agent', 'dispatch', 'stack', 'system', 'user']));
export const JobEventSignalReason = declare('JobEventSignalReason', 'Why the process of a job was stopped by a signal.', members([
  'agent_incompatible', 'agent_refused', 'agent_stop', 'cancel', 'process_run_error', 'signature_rejected', 'stack_error',
]));
export const ArtifactStates = declare('ArtifactStates', 'What became of an artifact so far.', members(artifactStates));
export const BuildRetryFailedJobsStates = declare('BuildRetryFailedJobsStates', 'The ways a job can have failed.', members(failureKinds));
export const PipelineVisibility = declare('PipelineVisibility', 'Who may see a pipeline.', members(['private', 'public']));
export const PipelineAccessLevels = declare('PipelineAccessLevels', 'What the members of a team may do with a pipeline.', members(['build_and_read', 'manage_build_and_read', 'read_only']));
export const PipelineOrders = declare('PipelineOrders', 'How pipelines are ordered.', members([...order, 'name_with_favorites_first']));
export const CommandWordMatchMode = declare('CommandWordMatchMode', 'How a comment is compared with a command word.', members(['contains', 'exact']));
export const PipelineTemplateOrder = declare('PipelineTemplateOrder', 'How pipeline templates are ordered.', members(['name', 'recently_created']));
export const SuiteAccessLevels = declare('SuiteAccessLevels', 'What the members of a team may do with a test suite.', members(['manage_and_read', 'read_only']));
export const TeamPrivacy = declare('TeamPrivacy', 'Who may see a team.', members(['secret', 'visible']));
export const TeamMemberRole = declare('TeamMemberRole', 'What a person may do in a team.', members(['maintainer', 'member']));
export const TeamOrder = declare('TeamOrder', 'How teams are ordered.', members(order));
export const TeamMemberOrder = declare('TeamMemberOrder', 'How members of a team are ordered.', members(order));
export const TeamPipelineOrder = declare('TeamPipelineOrder', 'How pipelines of a team are ordered.', members(order));
export const TeamSuiteOrder = declare('TeamSuiteOrder', 'How test suites of a team are ordered.', members(order));
export const OrganizationMemberRole = declare('OrganizationMemberRole', 'What a person may do in an organization.', members(['admin', 'member']));
export const OrganizationMemberSSOModeEnum = declare('OrganizationMemberSSOModeEnum', 'How a member has to sign in.', members(['optional', 'required']));
export const OrganizationMemberOrder = declare('OrganizationMemberOrder', 'How members of an organization are ordered.', members(order));
export const ClusterOrder = declare('ClusterOrder', 'How clusters are ordered.', members(['name', 'recently_created']));
export const ClusterQueueOrder = declare('ClusterQueueOrder', 'How queues of a cluster are ordered.', members(['key', 'recently_created']));
export const SuiteOrders = declare('SuiteOrders', 'How test suites are ordered.', members(order));
export const SuiteRunStates = declare('SuiteRunStates', 'Whether more is expected of a run of a test suite.', members(runStates));
export const SuiteRunResults = declare('SuiteRunResults', 'What a run of a test suite came to so far.', members(runResults));
export const SuiteExecutionResults = declare('SuiteExecutionResults', 'What became of one execution of a test.', members(executionResults));
export const SuiteTestStates = declare('SuiteTestStates', 'How runners are to treat a test.', members(testStates));
export const SuiteTestLabelOperator = declare('SuiteTestLabelOperator', 'Whether labels are added or removed.', members(['add', 'remove']));
export const AuditEventType = declare('AuditEventType', 'What kind of privileged change was made.', members(auditEventTypes));
export const AuditActorType = declare('AuditActorType', 'What kind of actor made a privileged change.', members(auditActorTypes));
export const AuditSubjectType = declare('AuditSubjectType', 'What kind of thing a privileged change was made to.', members(auditSubjectTypes));
export const OrganizationAuditEventOrders = declare('OrganizationAuditEventOrders', 'How audit events are ordered.', members(['recently_occurred']));
/** Scopes of services that are not this one are part of the contract, though no token here has them. */
export const APIAccessTokenScopes = declare('APIAccessTokenScopes', 'What an API token may be used for.', members([
  ...scopes, 'delete_packages', 'delete_registries', 'read_deployables', 'read_events', 'read_packages', 'read_portals', 'read_registries', 'read_test_pool',
  'write_deployables', 'write_packages', 'write_portals', 'write_registries',
]));
export const RuleAction = declare('RuleAction', 'What a rule allows.', members(ruleActions));
export const RuleEffect = declare('RuleEffect', 'What a rule does.', members(['allow']));
export const RuleOrder = declare('RuleOrder', 'How rules are ordered.', members(['recently_created']));
export const RuleSourceType = declare('RuleSourceType', 'What a rule allows something.', members(['pipeline']));
export const RuleTargetType = declare('RuleTargetType', 'What a rule allows it with.', members(['pipeline']));
