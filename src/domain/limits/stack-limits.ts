/** Limits on the input of stacks, the programs that start agents for jobs; part of `limits`. */
export const stackLimits = {
  /** Stacks of an organization that are connected: choice. */
  stacksPerOrganization: 250,
  /** Stacks of an organization that signed off or fell silent and are remembered: choice. */
  stacksRemembered: 250,
  /** Characters of a stack's key: compatible. */
  stackKeyLength: 80,
  /** Entries of a stack's metadata: compatible. */
  stackMetadataEntries: 100,
  /** Characters of the name of a metadata entry: compatible. */
  stackMetadataKeyLength: 64,
  /** Characters of the value of a metadata entry: compatible. */
  stackMetadataValueLength: 256,
  /** Jobs that one request of a stack lists, reserves or asks the states of: compatible. */
  stackJobsPerRequest: 1_000,
  /** Scheduled jobs that a stack is sent that names no number: choice. */
  stackJobsDefault: 100,
  /** Longest reservation, in seconds: compatible. */
  stackReservationSeconds: 3_600,
  /** Words of a stack that ends a job: compatible. */
  stackDetailBytes: 4_096,
  /** Notifications of one request of a stack: compatible. */
  stackNotificationsPerRequest: 1_000,
  /** Notifications that stacks may attach to one job: compatible. */
  stackNotificationsPerJob: 100,
  /** Characters of a notification: compatible. */
  stackNotificationLength: 256,
} as const;
