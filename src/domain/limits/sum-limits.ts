const KiB = 1024;
const MiB = 1024 * KiB;

/**
 * Limits on the total size of the stored parts of one step, build, upload or suite run; part of `limits`. They suit a
 * heap of 512 MiB: several callers can read a build that is at every limit at the same time.
 */
export const sumLimits = {
  /** YAML of a pipeline or template: choice. */
  configurationBytes: MiB,
  /** A definition once its aliases are expanded and its variables replaced: choice. */
  definitionBytes: 2 * MiB,
  /** Size of one pipeline upload; generated uploads are large: choice. */
  uploadBytes: 4 * MiB,
  /** One step as stored: what the build needs of it, and the step as it was written (choice). */
  stepBytes: MiB,
  /** Characters of the label of a step: choice. */
  stepLabelLength: 1_000,
  /** Size of a step's command: choice. */
  commandBytes: 256 * KiB,
  /** Plugins of a step with their settings: choice. */
  pluginsBytes: 128 * KiB,
  /** Artifact paths of a step: choice. */
  artifactPathsBytes: 64 * KiB,
  /** One entry of `notify`: choice. */
  notifyEntryBytes: 16 * KiB,
  /** Entries of `notify` of a build, or of a step, together: choice. */
  notifyBytes: 256 * KiB,
  /**
   * Texts of all jobs of a build, retries included: label, command, environment, plugins, agent rules, artifact paths
   * (choice).
   */
  jobTextBytes: 16 * MiB,
  /** All steps of a build as stored: choice. */
  buildStepBytes: 32 * MiB,
  /** Keys and values of the meta-data of a build: choice. */
  metaDataBytes: 16 * MiB,
  /** Bodies of the annotations of a build and its jobs: choice. */
  annotationsBytes: 16 * MiB,
  /** Payload of a notification; a larger one is sent without its largest members (choice). */
  notificationBytes: 8 * MiB,
  /** Sections of one failure; what is beyond is cut: choice. */
  testFailureBytes: 64 * KiB,
  /** Sections of all failures of one upload of test results: choice. */
  testUploadFailureBytes: 16 * MiB,
  /** Sections of all failures of a suite run; later failures are stored without theirs: choice. */
  testRunFailureBytes: 128 * MiB,
  /** A test plan as stored: choice. */
  testPlanBytes: 4 * MiB,
  /** Test plans of an organization; the oldest go first: choice. */
  testPlansKeptBytes: 64 * MiB,
} as const;
