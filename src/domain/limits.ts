const KiB = 1024;
const MiB = 1024 * KiB;
const GiB = 1024 * MiB;

/**
 * Every limit on what arrives, in one place. Strings count UTF-16 units unless the name says bytes. "choice" marks
 * what no source fixes: large enough for any honest use, small enough to be refused early and cheaply.
 */
export const limits = Object.freeze({
  // Lists
  /** rest-facts 1.3 */
  perPageDefault: 30,
  /** rest-facts 1.3; larger values are clamped */
  perPageMax: 100,
  /** Rows before a page; beyond it listing builds answers 400 (rest-facts 1.3 names no depth: choice). */
  listDepth: 100_000,
  /** graphql-facts 1.3 */
  connectionMax: 500,
  /** graphql-facts 1.3: `Build.metaData` alone */
  metaDataConnectionMax: 10_000,
  /** Values of one array parameter: choice. */
  filterValues: 100,
  /** One value of a filter or a search: choice. */
  filterLength: 255,

  // Requests
  /** Body of a JSON request: the largest configuration, escaped, with room: choice. */
  jsonBodyBytes: 8 * MiB,
  /** A GraphQL document: choice. */
  graphqlDocumentBytes: 256 * KiB,
  /** Nesting of a GraphQL document: choice. */
  graphqlDepth: 30,
  /** graphql-facts 1.11 */
  graphqlQueryPoints: 50_000,
  /** Per organization and five minutes: a hundred times what graphql-facts 1.11 names for a shared service: choice. */
  graphqlOrganizationPoints: 2_000_000,
  /** Per user and five minutes: a hundred times what graphql-facts 1.11 names for a shared service: choice. */
  graphqlUserPoints: 500_000,
  /** Nesting of JSON and YAML values: choice. */
  jsonDepth: 50,
  /** promises "One rule each" */
  idempotencyKeyLength: 255,
  /** promises "One rule each" */
  idempotencyKeyHours: 24,
  /** rulings 12, a minute */
  rateLimitOrganization: 6_000,
  /** rulings 12, a minute */
  rateLimitUser: 3_000,
  /** Subscriptions at a time on one connection: choice. */
  subscriptionsPerConnection: 100,
  /** Subscriptions at a time of one user in one process: choice. */
  subscriptionsPerUser: 500,
  /** Events kept for a subscriber that reads slowly; with more it is ended, and resumes after its last cursor: choice. */
  subscriptionBuffer: 1_000,
  /** Bytes of one message of a followed log: choice. */
  logRunBytes: 64 * KiB,
  /** Days events are kept, and so how old the cursor of a stream may be: choice. */
  eventRetentionDays: 90,
  /** Body of a provider's delivery: the largest one provider sends: choice. */
  webhookBodyBytes: 25 * MiB,
  /** Name and id of a provider's event: choice. */
  webhookEventLength: 255,
  /** Branches and tags moved by one delivery that are looked at: choice. */
  webhookEventsPerDelivery: 100,
  /** A delivery's payload beyond the time it is processed: choice. */
  webhookPayloadKeptBytes: MiB,
  /** rest-facts 6.3: about seven */
  webhookDeliveryDays: 7,
  /** What is known of a closed pull request, since it was last spoken of: choice. */
  closedPullRequestDays: 90,
  /** Secrets and tokens given for webhooks and connections: choice. */
  providerSecretLength: 1_000,
  /** rest-facts 6.4: 5 MB */
  triggerBodyBytes: 5 * MiB,
  /** rest-facts 6.4 */
  triggersPerPipeline: 10,
  /** Uses of an organization's triggers in an hour (rest-facts 6.4). */
  triggersPerHour: 300,
  /** Connections of an organization: choice. */
  providerConnections: 50,

  // Notifications
  /** rest-facts 3.7 */
  webhookServices: 15,
  /** choice */
  notificationUrlLength: 2 * KiB,
  /** choice */
  notificationTokenLength: 255,
  /** Pipelines, teams or clusters a service is confined to: choice. */
  notificationScopeIds: 500,
  /** Days a delivery that ended can be read and sent again: choice. */
  deliveriesKeptDays: 7,

  // Pipelines
  /** api-v2 "Limits" */
  slugLength: 100,
  /** choice */
  pipelineNameLength: 255,
  /** choice */
  descriptionLength: 4 * KiB,
  /** choice */
  repositoryUrlLength: 2 * KiB,
  /** rest-facts 2.1.1 */
  tagsPerPipeline: 10,
  /** rest-facts 2.1.1 */
  tagLength: 128,
  /** YAML of a pipeline or a template: choice. */
  configurationBytes: MiB,
  /** choice */
  branchPatternLength: 4 * KiB,
  /** Teams named at the creation of a pipeline: choice. */
  teamsPerRequest: 100,
  /** Minutes a step's timeout may say, thirty days: choice. */
  timeoutMinutes: 43_200,

  // Conditions
  /** choice */
  conditionLength: 8 * KiB,
  /** Parentheses, negations and expansions inside each other: choice. */
  conditionDepth: 200,
  /** One regular expression: choice. */
  regexpLength: 1_000,
  /** One regular expression with its repetitions written out: choice; takes the place of the 1 s of rest-facts 4.10. */
  regexpExpandedLength: 200_000,

  // Builds
  /** choice: the longest ref git takes on common file systems */
  branchLength: 255,
  /** choice: a ref, a SHA or a tag */
  commitLength: 255,
  /** choice */
  messageBytes: 64 * KiB,
  /** choice */
  envEntries: 1_000,
  /** choice */
  envNameLength: 255,
  /** Names and values together: choice. */
  envBytes: 256 * KiB,
  /** Entries given at the creation of a build: choice. */
  metaDataEntries: 1_000,
  /** choice */
  metaDataKeyLength: 255,
  /** rest-facts 4.6: 100 KB */
  metaDataValueBytes: 100 * KiB,
  /** Labels of a pull request: choice. */
  pullRequestLabels: 100,
  /** choice */
  labelLength: 255,
  /** Names and e-mail addresses of authors: choice. */
  personLength: 255,
  /** rest-facts 4.5: a chain of triggers */
  triggerDepth: 10,

  // Schedules
  /** choice */
  schedulesPerPipeline: 100,
  /** choice */
  cronlineLength: 255,

  // Jobs and steps
  /** One pipeline upload of a job, generated ones are large (agent-protocol T22): choice. */
  uploadBytes: 8 * MiB,
  /** rest-facts 4.6, retries included */
  jobsPerBuild: 4_000,
  /** rest-facts 4.6 */
  jobsPerUpload: 500,
  /** rest-facts 4.6 */
  uploadsPerBuild: 500,
  /** Text of a step's command: choice. */
  commandBytes: 256 * KiB,
  /** choice */
  stepKeyLength: 255,
  /** choice */
  agentQueryRules: 50,
  /** choice */
  agentQueryRuleLength: 255,
  /** rest-facts 4.6 */
  concurrencyGroupLength: 200,
  /** rest-facts 4.6 */
  automaticRetries: 10,
  /** rest-facts 4.6 */
  matrixDimensions: 6,
  /** rest-facts 4.6 */
  matrixElements: 25,
  /** rest-facts 4.6, a key or a value */
  matrixValueBytes: 128,
  /** rest-facts 4.6 */
  matrixAdjustments: 12,
  /** rest-facts 4.6 */
  matrixJobs: 50,
  /** rest-facts 1.7: `allowed_teams` of a block step */
  allowedTeams: 100,
  /** Minutes an agent may add to a running job's timeout (rest-facts 4.6). */
  timeoutExtensionMinutes: 60,
  /** Values given when a block step is unblocked: choice. */
  unblockFields: 100,
  /** choice */
  unblockFieldBytes: 64 * KiB,

  // Agents
  /** choice */
  agentNameLength: 255,
  /** Tags of an agent: choice. */
  agentTags: 100,
  /** choice */
  agentTagLength: 255,

  // Logs, artifacts, annotations
  /** rest-facts 8.3 */
  logBytes: GiB,
  /** Largest uncompressed chunk that is taken: choice, ten times what agents are told to send. */
  logChunkBytes: MiB,
  /** What agents are told to send at most (agent-protocol 5). */
  logChunkAdvertisedBytes: 100 * KiB,
  /** rest-facts 4.6 */
  artifactsPerJob: 5_000,
  /** agent-protocol 7 */
  artifactsPerRequest: 30,
  /** rest-facts 4.6 */
  artifactBytes: 10 * GiB,
  /** rest-facts 4.6 */
  artifactUploadBytes: 50 * GiB,
  /** choice */
  artifactPathLength: 4 * KiB,
  /** Where an agent says that it stores an artifact itself, or has stored it: choice. */
  artifactUrlLength: 2 * KiB,
  /** One search of an agent: choice. */
  artifactSearchResults: 10_000,
  /** How long an artifact may be on its way before it counts as failed: choice. */
  artifactUploadHours: 24,
  /** How long a link that /v2 redirects to can be opened (rest-facts 3.2). */
  artifactRedirectSeconds: 60,
  /** The same of `downloadURL` (graphql-facts 4.5). */
  artifactLinkSeconds: 600,
  /** The same of what an agent finds, which it fetches one after another: choice. */
  artifactAgentLinkSeconds: 3_600,
  /** rest-facts 8.5 */
  annotationBodyBytes: MiB,
  /** What a body may become when it is rendered: choice. */
  annotationHtmlBytes: 4 * MiB,
  /** Bodies in one reply: choice. */
  annotationReplyBytes: 64 * MiB,
  /** Of a build and its jobs together: choice. */
  annotationsPerBuild: 10_000,
  /** rest-facts 8.5 */
  annotationContextLength: 100,
  /** api-v2 "Limits" */
  annotationPriorityMin: 1,
  /** api-v2 "Limits" */
  annotationPriorityMax: 10,
  /** api-v2 "Limits" */
  annotationPriorityDefault: 3,
  /** rest-facts 8.5 */
  annotationTerminalBlocks: 10,
  /** rest-facts 8.5 */
  annotationArtifactLinks: 10,

  // Test results
  /** rest-facts 7.1: results of one upload */
  testResultsPerUpload: 5_000,
  /** Body of one upload, also once it is unpacked: choice. */
  testUploadBytes: 32 * MiB,
  /** Uploads that one run takes: choice. */
  testUploadsPerRun: 10_000,
  /** Executions kept of one run; later ones still decide its result and are counted: choice. */
  testExecutionsPerRun: 100_000,
  /** Nesting of XML elements and of suites within suites: choice. */
  testReportDepth: 50,
  /** Refusals of single results told in the answer to an upload: choice. */
  testErrorsPerUpload: 100,
  /** Key that joins uploads to a run: choice. */
  testRunKeyLength: 255,
  /** Scope, name, location and file of a test; longer ones are cut: choice. */
  testNameLength: 1_000,
  /** What is kept of a reason and of each line about a failure: choice. */
  testFailureLength: 16 * KiB,
  /** Lines kept of one piece about a failure: choice. */
  testFailureLines: 200,
  /** Pieces kept about a failure: choice. */
  testFailureDetails: 20,
  /** rest-facts 7.1, of an upload and of an execution */
  testTags: 10,
  /** rest-facts 7.1: shorter than this */
  testTagKeyBytes: 64,
  /** choice */
  testTagValueLength: 255,
  /** Labels of a test: choice. */
  testLabels: 50,

  // Clusters
  /** rest-facts 3.6 */
  queuesPerCluster: 50,
  /** choice: what one page of a list holds */
  maintainersPerCluster: 100,
  /** rest-facts 3.6: ranges of addresses an agent token is good for */
  allowedIpAddresses: 24,
  /** choice */
  secretsPerCluster: 1_000,
  /** Policy of a secret: choice. */
  secretPolicyBytes: 16 * KiB,
  /** rest-facts 3.6 */
  secretKeyLength: 255,
  /** rest-facts 3.6: less than 8 KB */
  secretValueBytes: 8 * KiB - 1,
  /** Names of organizations, clusters, queues, teams, tokens, templates: choice. */
  nameLength: 255,

  // Teams
  /** rest-facts 3.5 */
  teamsPerOrganization: 250,
});

/** The length of a text in bytes of UTF-8, as limits ending in `Bytes` count it. */
export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
