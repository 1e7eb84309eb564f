const KiB = 1024;
const MiB = 1024 * KiB;
const GiB = 1024 * MiB;

/** Limits on artifacts; see `limits`. */
export const artifactLimits = {
  /** Artifacts of a job: compatible. */
  artifactsPerJob: 5_000,
  /** Artifacts that one request registers: compatible. */
  artifactsPerRequest: 30,
  /** Size of one artifact: compatible. */
  artifactBytes: 10 * GiB,
  /** Size of all artifacts that one request registers: compatible. */
  artifactUploadBytes: 50 * GiB,
  /** Characters of an artifact's path: choice. */
  artifactPathLength: 4 * KiB,
  /** Characters of the URL or destination of an artifact in the agent's own storage: choice. */
  artifactUrlLength: 2 * KiB,
  /** Results of an agent's artifact search: choice. */
  artifactSearchResults: 10_000,
  /** Hours after which an incomplete upload fails: choice. */
  artifactUploadHours: 24,
  /** Lifetime of the URL that /v2 redirects to: compatible. */
  artifactRedirectSeconds: 60,
  /** Lifetime of `downloadURL`: compatible. */
  artifactLinkSeconds: 600,
  /** Lifetime of URLs in an agent's search results, which agents download one after another: choice. */
  artifactAgentLinkSeconds: 3_600,
  /** Lifetime of the address of a report, and of the files beside it: choice. */
  artifactReportSeconds: 3_600,
  /** Files of one archive of artifacts: choice. */
  artifactArchiveFiles: 10_000,
  /** Size of all files of one archive, two of the largest: choice. */
  artifactArchiveBytes: 20 * GiB,
  /** Paths of all files of one archive, which are in memory until it ends: choice. */
  artifactArchivePathBytes: 4 * MiB,
  /** Archives that one process sends at a time; others wait: choice. */
  artifactArchivesAtOnce: 6,
  /** Archives of one organization that one process sends at a time: choice. */
  artifactArchivesOfOrganization: 2,
  /** Artifacts that an archive names because it lacks them: choice. */
  artifactArchiveGaps: 200,
} as const;
