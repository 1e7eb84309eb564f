import fc from 'fast-check';
import {
  auditEventType,
  auditNoun,
  auditSubjectType,
  classForm,
  madeBy,
  nounsOf,
  provisioning,
} from '../../../../src/domain/organizations/audit/audit-type.js';
import { auditEventTypes, auditSubjectTypes } from '../../../../src/domain/organizations/audit/wire-words.js';
import { operations } from '../../../support/operations.js';

/** Operations without an audit event type: changes of builds, jobs, agents and tests are in their own histories. */
const withoutWord = new Set([
  'provider-connection.check',
  'agent.pause',
  'agent.resume',
  'agent.stop',
  'annotation.create',
  'annotation.delete',
  'artifact.delete',
  'build.cancel',
  'build.create',
  'build.pin',
  'build.rebuild',
  'build.retry-failed-jobs',
  'build.unpin',
  'execution.update-tags',
  'job.cancel',
  'job.log.delete',
  'job.reprioritize',
  'job.retry',
  'job.unblock',
  'notification-delivery.redeliver',
  'notification-service.ping',
  // The compatible audit log is that of organizations, to which neither sessions nor passwords belong.
  'session.revoke',
  'session.revoke-all',
  'user.change-build-mail',
  'user.change-password',
  // Nor do people who let programs in.
  'oauth-device.approve',
  'oauth-device.deny',
  'oauth-grant.approve',
  'suite-test.label',
  'suite-test.set-state',
  // Searches for culprits are ours: the compatible audit log does not know them.
  'culprit-search.cancel',
  'culprit-search.create',
  // And workflows of suites.
  'test-workflow.create',
  'test-workflow.delete',
  'test-workflow.update',
  'test-workflow-delivery.redeliver',
]);

describe('audit event types', () => {
  const audited = operations
    .filter(({ kind, audited, access }) => kind === 'command' && audited && access !== 'internal')
    .map(({ name }) => name);

  test.each(audited)('the operation %s has an audit event type, or a reason for having none', (operation) => {
    const type = auditEventType({ operation, subject: null, action: null });
    expect([operation, type === null]).toEqual([operation, withoutWord.has(operation)]);
  });

  test.each([
    ['pipeline.archive', 'pipeline', null, 'pipeline_updated', 'pipeline'],
    ['queue.create', 'queue', null, 'cluster_queue_created', 'cluster_queue'],
    ['agent-token.revoke', 'agent-token', null, 'cluster_token_deleted', 'cluster_token'],
    ['team.enable', 'organization', null, 'organization_teams_enabled', 'organization'],
    [provisioning, 'agent token', 'created', 'cluster_token_created', 'cluster_token'],
    [provisioning, 'member', 'updated', 'organization_member_updated', 'organization_member'],
    [provisioning, 'API token', 'created', null, 'api_access_token'],
    ['build.create', 'build', null, null, null],
  ])(
    'the operation %s on a subject %s (action %s) has the audit event type %s and the subject type %s',
    (operation, subject, action, type, kind) => {
      expect([auditEventType({ operation, subject, action }), auditSubjectType({ subject })]).toEqual([type, kind]);
    },
  );

  test('filtering by an audit type finds exactly the events shown with it', () => {
    fc.assert(
      fc.property(fc.subarray([...auditEventTypes]), fc.constantFrom(...audited), (types, operation) => {
        const type = auditEventType({ operation, subject: null, action: null });
        expect(madeBy(types).operations.includes(operation)).toBe(type !== null && types.includes(type));
      }),
    );
    for (const type of auditEventTypes) {
      for (const { subject, action } of madeBy([type]).provisioned)
        expect(auditEventType({ operation: provisioning, subject, action })).toBe(type);
    }
    for (const kind of auditSubjectTypes)
      for (const noun of nounsOf([kind])) expect(auditSubjectType({ subject: noun })).toBe(kind);
  });

  test.each([
    ['pipeline_schedule_created', 'PipelineScheduleCreated'],
    ['api_access_token', 'APIAccessToken'],
    ['build.retry-failed-jobs', 'BuildRetryFailedJobs'],
    ['user', 'User'],
  ])('the class name of %s is %s', (word, expected) => {
    expect(classForm(word)).toBe(expected);
  });

  test('subjects of provisioning have the same audit nouns as subjects of operations', () => {
    expect(['agent token', 'API token', 'member', 'team', null].map((subject) => auditNoun({ subject }))).toEqual([
      'agent-token',
      'token',
      'organization-member',
      'team',
      null,
    ]);
  });
});
