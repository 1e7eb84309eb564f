/** The limits of retention policies; part of `limits.ts`. */
export const retentionLimits = {
  /** Longest age of a retention policy, in days: choice. */
  retentionDays: 3_650,
  /** Largest number of newest builds that a retention policy keeps: choice. */
  retentionBuilds: 100_000,
  /** Groups of branches with rules of their own in the retention policy of a pipeline: choice. */
  retentionOverrides: 20,
  /** Characters of the branch patterns of one of them: choice. */
  retentionPatternLength: 255,
  /** Days for which a message that was set aside is kept for an operator: choice. */
  failedMessageDays: 90,
  /** Characters of the name of a bucket or folder that builds are exported to: that of S3 is at most 63. */
  exportLocationLength: 255,
  /** Attempts to export a build before retention deletes it, over some six days: choice. */
  exportAttempts: 10,
  /** Minutes that the export of one build may take: choice. */
  exportMinutes: 10,
} as const;
