const KiB = 1024;
const MiB = 1024 * KiB;

/** Limits on notification services and on what they send. */
export const notificationLimits = {
  /** Outgoing webhooks of an organization: compatible. */
  webhookServices: 15,
  /** Services of an organization that post to an incoming webhook of Slack: compatible. */
  slackServices: 50,
  /** Workspaces of Slack of an organization: choice. */
  slackWorkspaceServices: 15,
  /** Event buses of Amazon EventBridge of an organization: compatible. */
  eventBridgeServices: 1,
  /** Services of Datadog of an organization: compatible. */
  datadogServices: 5,
  /** Collectors of OpenTelemetry of an organization: compatible. */
  openTelemetryServices: 5,
  /** Event logs of an organization: compatible. */
  eventLogServices: 15,
  /** Characters of a receiver's URL: choice. */
  notificationUrlLength: 2 * KiB,
  /** Characters of a receiver's token: choice. */
  notificationTokenLength: 255,
  /** Pipelines, teams or clusters in a service's scope: choice. */
  notificationScopeIds: 500,
  /** Days for which an ended notification delivery can be read and sent again: choice. */
  deliveriesKeptDays: 7,
  /** Bytes of the payloads that one process sends at a time; a larger one is sent alone: choice. */
  notificationBytesInFlight: 16 * MiB,
  /** Characters of the tags that a service of Datadog gives its builds, a line each: choice. */
  datadogTagsLength: 4 * KiB,
  /** Rows that say what came of the entries of `notify` of a build, each a notification at most: choice. */
  notifyOutcomes: 1000,
};
