/** The limits of searches for the commit that turned a branch red; part of `limits`. */
export const culpritLimits = {
  /** Commits between the last passed and the first failed build: choice. */
  culpritCommits: 1_000,
  /** Builds of one search: choice. */
  culpritBuilds: 60,
  /** Unfinished builds of one search: choice. */
  culpritBuildsAtOnce: 8,
  /** Steps that one search names as failed: choice. */
  culpritSteps: 50,
  /** Dependencies between the steps that one search runs: choice. */
  culpritDependencies: 5_000,
  /** Suspects that a reply names: choice. */
  culpritSuspectsShown: 50,
  /** Searches that are made of one failed build, one after another: choice. */
  culpritSearchesOfBuild: 20,
  /** Unfinished searches of a pipeline: choice. */
  culpritSearchesOfPipeline: 5,
  /** Unfinished searches of an organization: choice. */
  culpritSearchesOfOrganization: 20,
  /** Hours until a search ends with what it knows: choice. */
  culpritSearchHours: 24,
} as const;
