/** Limits on connections to source providers, what goes over them, and triggers; part of `limits`. */
export const providerLimits = {
  /** Characters of secrets and tokens of webhooks and connections: choice. */
  providerSecretLength: 1_000,
  /** Characters of the private key of an App in PEM form: choice. */
  privateKeyLength: 16_384,
  /** Provider connections of an organization: choice. */
  providerConnections: 50,
  /** Characters of what is looked for among the repositories of a connection: choice. */
  repositorySearchLength: 255,
  /** Commit statuses of a build that a reply shows: choice. */
  commitStatusesShown: 1_000,
  /** Triggers of a pipeline: compatible. */
  triggersPerPipeline: 10,
  /** Uses of an organization's triggers per hour: compatible. */
  triggersPerHour: 300,
} as const;
