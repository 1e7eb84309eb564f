/** States of a search for a culprit; `preparing` while its commits are listed. */
export const culpritSearchStates = ['preparing', 'running', 'finished', 'failed', 'canceled'] as const;
export type CulpritSearchState = (typeof culpritSearchStates)[number];

/** States of searches that go on. */
export const unfinishedCulpritStates: readonly CulpritSearchState[] = ['preparing', 'running'];

/** Where the commits of a search come from: its caller, the source provider, or the builds of the branch. */
export const culpritCommitSources = ['caller', 'provider', 'builds'] as const;
export type CulpritCommitSource = (typeof culpritCommitSources)[number];
