/** Limits on connections to source providers and what goes over them; part of `limits`. */
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
  /** Pipelines that one delivery for a whole connection is stored for: choice. */
  pipelinesPerDelivery: 500,
  /** Bytes of a delivery for a whole connection, stored once for each pipeline: choice. */
  connectionDeliveryBytes: 256 * 1024 * 1024,
  /** Repository tokens that one job may request in a minute; git asks for one with every clone and fetch: choice. */
  repositoryTokensPerMinute: 60,
} as const;
