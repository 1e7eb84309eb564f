import { artifactLimits } from './artifact-limits.js';
import { culpritLimits } from './culprit-limits.js';
import { databaseLimits } from './database-limits.js';
import { graphqlLimits } from './graphql-limits.js';
import { storedBytesLimits } from './stored-bytes-limits.js';
import { providerLimits } from './provider-limits.js';
import { insightLimits } from './insight-limits.js';
import { oauthLimits } from './oauth-limits.js';
import { signInLimits } from './sign-in-limits.js';
import { retentionLimits } from './retention-limits.js';
import { notificationLimits } from './notification-limits.js';
import { stackLimits } from './stack-limits.js';
import { sumLimits } from './sum-limits.js';
import { testOwnerLimits } from './test-owner-limits.js';
import { testPlanLimits } from './test-plan-limits.js';
import { testWorkflowLimits } from './test-workflow-limits.js';

const KiB = 1024;
const MiB = 1024 * KiB;
const GiB = 1024 * MiB;

/**
 * Every limit on input. Strings are counted in UTF-16 code units, or in bytes if the name says so. "compatible" marks
 * limits that agents, clients and pipelines of the compatible service rely on. "choice" marks limits that nobody relies
 * on: large enough for honest use, small enough to refuse excess early and cheaply.
 */
export const limits = Object.freeze({
  // Lists
  /** Default page size (`per_page`): compatible. */
  perPageDefault: 30,
  /** Largest `per_page`; larger values are reduced to it: compatible. */
  perPageMax: 100,
  /** Rows that a numbered page may skip; deeper pages of builds are answered 400: choice. */
  listDepth: 100_000,
  /** Largest `first` or `last` of a connection: compatible. */
  connectionMax: 500,
  /** Largest `first` or `last` of `Build.metaData`: compatible. */
  metaDataConnectionMax: 10_000,
  /** Values of one array parameter: choice. */
  filterValues: 100,
  /** Characters of a filter or search value: choice. */
  filterLength: 255,
  /** Jobs that the explanation of a job names: choice. */
  explainedJobs: 20,
  /** Agents of a queue that the explanation of a waiting job looks at: choice. */
  explainedAgents: 1_000,
  /** Jobs of a concurrency group that the explanation of a waiting job looks at: choice. */
  explainedGroupMembers: 200,
  /** Older builds of its branch in which the step of a failed job is looked for: choice. */
  failureHistoryBuilds: 100,
  /** Failed tests that the failure of a job names: choice. */
  failedTestsOfJob: 20,
  ...insightLimits,
  /** Jobs of a queue, newest first, from which the number of agents is estimated: choice. */
  agentsNeededJobs: 10_000,
  /** Executions of a suite that one list of its tests measures: choice. */
  measuredExecutions: 200_000,
  /** Builds of an organization, newest first, among which one is found by its message: choice. */
  searchedBuilds: 1_000,
  /** Logs that one request of a search reads: choice. */
  searchedLogs: 500,
  /** Logs that one request of a search looks at, of which filters leave most unread: choice. */
  filteredLogs: 20_000,
  /** Logs whose filters one statement looks at: choice. */
  filteredLogsTogether: 400,
  /** Logs that a search opens with one statement: choice. */
  searchedLogsTogether: 100,
  /** Bytes of logs that one request of a search reads: choice. */
  searchedBytes: 64 * 1024 * 1024,
  /** Extracts of failed jobs that one request of a search looks at: choice. */
  searchedExtracts: 20_000,
  /** Extracts that one statement looks at: choice. */
  searchedExtractsTogether: 1_000,
  /** Other jobs that failed as one did, of which so many are counted: choice. */
  sameFailures: 100,
  /** Lines of a passed job's log that differ; one with more is compared with none: choice. */
  passedLogLines: 50_000,
  /** Passed jobs of a step whose lines failed ones are compared with, on the default branch and on others: choice. */
  passedLogsOfStep: 3,
  /** Passed jobs of a pipeline whose lines failed ones are compared with: choice. */
  passedLogsOfPipeline: 300,

  // Requests
  /** Requests of one connection that wait for replies; a connection that sends more is closed: choice. */
  pipelinedRequests: 16,
  /** Body of a JSON request; leaves room for the largest configuration, escaped: choice. */
  jsonBodyBytes: 8 * MiB,
  ...graphqlLimits,
  /** Seconds until a reply on /v2 or /graphql begins, then 503 or `TIMEOUT`; streams are exempt: choice. */
  requestSeconds: 30,
  /** Database reads of one request: choice. */
  requestStatements: 2_000,
  /** Concurrent database reads of one request: choice. */
  requestStatementsAtOnce: 4,
  /** Nesting of JSON and YAML values: choice. */
  jsonDepth: 50,
  /** Objects, arrays and members in one JSON text together: choice. */
  jsonValues: 250_000,
  /** Members of one object of a JSON text: choice. */
  jsonMembers: 10_000,
  /** Characters of an `Idempotency-Key`: choice. */
  idempotencyKeyLength: 255,
  /** Reply that is stored whole under an `Idempotency-Key`; for a larger one a repeat gets the object's URL: choice. */
  idempotencyReplyBytes: 256 * KiB,
  /** Hours for which an `Idempotency-Key` returns the first reply: choice. */
  idempotencyKeyHours: 24,
  /** REST requests of an organization per minute; clients slow down by the headers: choice. */
  rateLimitOrganization: 6_000,
  /** REST requests of a user per minute: choice. */
  rateLimitUser: 3_000,
  /** Concurrent subscriptions of one connection: choice. */
  subscriptionsPerConnection: 100,
  /** Concurrent subscriptions of one user in one process: choice. */
  subscriptionsPerUser: 500,
  /** Events buffered for a slow subscriber; then the subscription ends, to be resumed from its last cursor: choice. */
  subscriptionBuffer: 1_000,
  /** Log bytes in one message of a log subscription: choice. */
  logRunBytes: 64 * KiB,
  /** Days until stored bytes without a row are moved aside: longer than a backup, which may lack newer rows: choice. */
  orphanDays: 7,
  /** Days for which bytes that were moved aside can come back, before they are deleted: choice. */
  quarantineDays: 7,
  /** Days for which events are stored, and so the age of the oldest valid cursor: choice. */
  eventRetentionDays: 90,
  /** Body of an inbound webhook delivery; the largest that a provider sends: choice. */
  webhookBodyBytes: 25 * MiB,
  /** Size of a provisioning file: choice. */
  provisioningFileBytes: 8 * MiB,
  /** Body of a compressed webhook delivery once it is decompressed; providers do not compress deliveries: choice. */
  webhookUnpackedBytes: 2 * MiB,
  /** Characters of an event's name and of its id: choice. */
  webhookEventLength: 255,
  /** Branches and tags of one delivery that are processed: choice. */
  webhookEventsPerDelivery: 100,
  /** Payload of a delivery that is stored after it is processed: choice. */
  webhookPayloadKeptBytes: MiB,
  /** Days for which a webhook delivery can be read: compatible. */
  webhookDeliveryDays: 7,
  /** Days for which a closed pull request is remembered after its last event: choice. */
  closedPullRequestDays: 90,
  /** Body posted to a pipeline trigger: compatible. */
  triggerBodyBytes: 5 * MiB,
  /** Triggers of a pipeline: compatible. */
  triggersPerPipeline: 10,
  /** Uses of an organization's triggers per hour: compatible. */
  triggersPerHour: 300,

  ...providerLimits,
  ...signInLimits,
  ...oauthLimits,
  ...sumLimits,
  ...storedBytesLimits,
  ...notificationLimits,

  // Pipelines
  /** Characters of a slug: compatible. */
  slugLength: 100,
  /** Characters of a pipeline name: choice. */
  pipelineNameLength: 255,
  /** Characters of a description, a reason or a note: choice. */
  descriptionLength: 4 * KiB,
  /** Days until an invitation expires, most pending invitations of an organization, characters of its banner. */
  invitationDays: 7,
  pendingInvitations: 20,
  bannerLength: 2_000,
  /** Characters of a repository URL: choice. */
  repositoryUrlLength: 2 * KiB,
  /** Tags of a pipeline: compatible. */
  tagsPerPipeline: 10,
  /** Characters of a pipeline tag: compatible. */
  tagLength: 128,
  /** Characters of a branch filter: choice. */
  branchPatternLength: 4 * KiB,
  /** Teams named on creation of a pipeline: choice. */
  teamsPerRequest: 100,
  /** Minutes of a step's timeout: thirty days (choice). */
  timeoutMinutes: 43_200,

  // Conditions
  /** Characters of a condition: choice. */
  conditionLength: 8 * KiB,
  /** Conditions of one rule: choice. */
  ruleConditions: 20,
  /** Nesting of parentheses, negations and expansions: choice. */
  conditionDepth: 200,
  /** Characters of one regular expression: choice. */
  regexpLength: 1_000,
  /** Parts of one regular expression, with repetitions written out: choice. */
  regexpExpandedLength: 20_000,
  /** Instructions of all regular expressions in one condition: choice. */
  conditionProgramSize: 20_000,
  /** Instructions times characters of one search; a count, unlike a time, is the same on every machine: choice. */
  regexpSteps: 400_000,
  /** Instructions times characters of all searches for one build: choice. */
  regexpStepsPerBuild: 1_500_000,

  // Builds
  /** Characters of a branch: the longest ref that git supports on common file systems (choice). */
  branchLength: 255,
  /** Characters of a commit: a ref, SHA or tag (choice). */
  commitLength: 255,
  /** Size of a build message: choice. */
  messageBytes: 64 * KiB,
  /** Environment variables of a new build or a pipeline: choice. */
  envEntries: 1_000,
  /** Characters of an environment variable's name: choice. */
  envNameLength: 255,
  /** Names and values of environment variables together: choice. */
  envBytes: 256 * KiB,
  /** Meta-data entries of a new build: choice. */
  metaDataEntries: 1_000,
  /** Characters of a meta-data key: choice. */
  metaDataKeyLength: 255,
  /** Size of a meta-data value: compatible. */
  metaDataValueBytes: 100 * KiB,
  /** Labels of a pull request: choice. */
  pullRequestLabels: 100,
  /** Characters of a pull request label: choice. */
  labelLength: 255,
  /** Characters of the name or e-mail address of a person: choice. */
  personLength: 255,
  /** Builds in a chain of triggers, which ends a cycle: compatible. */
  triggerDepth: 10,

  // Schedules
  /** Schedules of a pipeline: choice. */
  schedulesPerPipeline: 100,
  /** Characters of a cron line: choice. */
  cronlineLength: 255,

  // Jobs and steps
  /** Text of a pipeline upload that is kept for the record; of a longer one only its size is: choice. */
  uploadKeptBytes: 256 * KiB,
  /** Days for which the text of a pipeline upload is kept: choice. */
  uploadKeptDays: 30,
  /** Rejected pipeline uploads of a build that are kept for the record: choice. */
  rejectedUploadsKept: 500,
  /** Entries of `notify` that a build has from its pipeline and its uploads: choice. */
  notifyEntries: 200,
  /** Jobs of a build, including retries: compatible. */
  jobsPerBuild: 4_000,
  /** Jobs of one pipeline upload: compatible. */
  jobsPerUpload: 500,
  /** Pipeline uploads of a build: compatible. */
  uploadsPerBuild: 500,
  /** Characters of a step key: choice. */
  stepKeyLength: 255,
  /** Agent rules of a step: choice. */
  agentQueryRules: 50,
  /** Characters of an agent rule: choice. */
  agentQueryRuleLength: 255,
  /** Characters of a concurrency group: compatible. */
  concurrencyGroupLength: 200,
  /** Automatic retries of a job: compatible. */
  automaticRetries: 10,
  /** Dimensions of a matrix: compatible. */
  matrixDimensions: 6,
  /** Values of one dimension: compatible. */
  matrixElements: 25,
  /** Size of a matrix key or value: compatible. */
  matrixValueBytes: 128,
  /** Adjustments of a matrix: compatible. */
  matrixAdjustments: 12,
  /** Jobs created by one matrix: compatible. */
  matrixJobs: 50,
  /** `allowed_teams` of a block step: compatible. */
  allowedTeams: 100,
  /** Minutes that an agent may add to a running job's timeout: compatible. */
  timeoutExtensionMinutes: 60,
  /** Fields of one unblock request: choice. */
  unblockFields: 100,
  /** Size of one unblock field: choice. */
  unblockFieldBytes: 64 * KiB,

  // Agents
  /** Characters of an agent name: choice. */
  agentNameLength: 255,
  /** Tags of an agent: choice. */
  agentTags: 100,
  /** Characters of an agent tag: choice. */
  agentTagLength: 255,
  /** Streams of pings that are open in one process; more are answered 429, and their agents ping: choice. */
  agentStreams: 10_000,
  /** Body of the request for a stream of pings: choice. */
  streamRequestBytes: 4 * KiB,
  /** Lifetime of an identity token that asks for none, in seconds: compatible. */
  oidcTokenDefaultSeconds: 300,
  /** Longest lifetime of an identity token, in seconds: choice. */
  oidcTokenSeconds: 7_200,
  /** Optional claims, and session tags, of an identity token: choice. */
  oidcClaims: 50,

  ...retentionLimits,
  ...databaseLimits,
  ...stackLimits,

  // Logs, artifacts, annotations
  /** Size of a job's log; later output is discarded: compatible. */
  logBytes: GiB,
  /** Decompressed body of a log chunk request; chunks above `logChunkAdvertisedBytes` are refused: choice. */
  logChunkBytes: MiB,
  /** Log bytes of one chunk, as the reply to a registration states them: compatible. */
  logChunkAdvertisedBytes: 100 * KiB,
  ...artifactLimits,
  /** Body of an annotation: compatible. */
  annotationBodyBytes: MiB,
  /** Rendered HTML of an annotation: choice. */
  annotationHtmlBytes: 4 * MiB,
  /** Annotation bodies in one reply together: choice. */
  annotationReplyBytes: 64 * MiB,
  /** Annotations of a build and its jobs together: choice. */
  annotationsPerBuild: 10_000,
  /** Characters of an annotation context: compatible. */
  annotationContextLength: 100,
  /** Lowest priority of an annotation: compatible. */
  annotationPriorityMin: 1,
  /** Highest priority of an annotation: compatible. */
  annotationPriorityMax: 10,
  /** Default priority of an annotation: compatible. */
  annotationPriorityDefault: 3,
  /** Terminal blocks of an annotation: compatible. */
  annotationTerminalBlocks: 10,
  /** Artifact links of an annotation: compatible. */
  annotationArtifactLinks: 10,

  // Test results
  /** Results of one upload: compatible. */
  testResultsPerUpload: 5_000,
  /** Body of one upload, also once it is decompressed: choice. */
  testUploadBytes: 32 * MiB,
  /** Objects, arrays and members of one JSON upload: 200 for each result (choice). */
  testUploadValues: 1_000_000,
  /** Uploads of one suite run: choice. */
  testUploadsPerRun: 10_000,
  /** Executions stored for one suite run; later ones are counted and still affect its result: choice. */
  testExecutionsPerRun: 100_000,
  /** Nesting of XML elements and of test suites in a report: choice. */
  testReportDepth: 50,
  /** Refused results that the reply to an upload lists: choice. */
  testErrorsPerUpload: 100,
  /** Characters of the key that joins uploads to a suite run: choice. */
  testRunKeyLength: 255,
  /** Characters of a test's scope, name, location and file; longer ones are cut: choice. */
  testNameLength: 1_000,
  /** Characters of the reason for a promised failure: choice. */
  promiseReasonLength: 1000,
  /** Characters of a failure's reason and of each of its lines: choice. */
  testFailureLength: 16 * KiB,
  /** Lines in one section of a failure: choice. */
  testFailureLines: 200,
  /** Sections of a failure: choice. */
  testFailureDetails: 20,
  /** Tags of an upload, and of an execution: compatible. */
  testTags: 10,
  /** Bytes of a tag key; keys must be shorter: compatible. */
  testTagKeyBytes: 64,
  /** Characters of a tag value: choice. */
  testTagValueLength: 255,
  /** Mutable tags of an execution: compatible. */
  testMutableTags: 10,
  /** Executions that one request tags: compatible. */
  taggedExecutions: 100_000,
  /** Labels of a test: choice. */
  testLabels: 50,
  ...testOwnerLimits,
  ...testPlanLimits,
  ...testWorkflowLimits,
  ...culpritLimits,

  // Clusters
  /** Queues of a cluster: compatible. */
  queuesPerCluster: 50,
  /** Maintainers of a cluster: one page of a list (choice). */
  maintainersPerCluster: 100,
  /** Address ranges of an agent token: compatible. */
  allowedIpAddresses: 24,
  /** Secrets of a cluster: choice. */
  secretsPerCluster: 1_000,
  /** Policy of a secret: choice. */
  secretPolicyBytes: 16 * KiB,
  /** Characters of a secret's key: compatible. */
  secretKeyLength: 255,
  /** Value of a secret: less than 8 KB (compatible). */
  secretValueBytes: 8 * KiB - 1,
  /** Characters of the name of an organization, cluster, queue, team, token or template: choice. */
  nameLength: 255,

  // Teams
  /** Teams of an organization: compatible. */
  teamsPerOrganization: 250,
});

/** The length of a text in bytes of UTF-8, as limits ending in `Bytes` count it. */
export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
