import { builds, suiteWrites } from './builds.js';
import { clusters } from './clusters.js';
import { organizations, teams } from './organizations.js';
import { integrations, pipelines } from './pipelines.js';
import { pipeline, suite, type WriteOnBoth } from './write.js';

/** Every write of both surfaces. A route or mutation that is missing here, and not listed below, fails the test. */
export const everyWrite: readonly WriteOnBoth[] = [
  ...organizations,
  ...teams,
  ...clusters,
  ...pipelines,
  ...integrations,
  ...builds,
  ...suiteWrites,
];

/** Routes that no mutation has, and why. */
export const routesOnly: Readonly<Record<string, string>> = {
  'delete /access-token': 'about the token of the request itself, which the schema does not show',
  [`post ${suite}/tests/find`]: 'it reads: the field `test` of a suite',
  [`post ${suite}/test_plan/filter_tests`]: 'it reads: the field `testFilesToSplit` of a suite',
  [`post ${suite}/test_files`]: 'it reads: the field `testFileDurations` of a suite',
  [`post ${pipeline}/deliveries/preview`]: 'it reads: the field `webhookPreview` of a pipeline',
};

const console = 'for people who are signed in to the console, which speaks GraphQL';
/** Mutations that no route has, and why. */
export const mutationsOnly: Readonly<Record<string, string>> = {
  apiAccessTokenCreate: console,
  apiAccessTokenRevoke: console,
  organizationEnforceTwoFactorAuthenticationForMembersUpdate:
    'for clients that send it with other settings; it changes nothing, and /v2 has no such setting',
  sessionRevoke: console,
  sessionRevokeAll: console,
  userBuildMailUpdate: console,
  userPasswordChange: console,
};
