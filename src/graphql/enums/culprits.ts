import type { CulpritVerdict } from '../../domain/builds/culprit/bisection.js';
import type { CulpritCommitSource, CulpritSearchState } from '../../domain/builds/culprit/search-state.js';
import { declare } from './declare.js';

export const CulpritSearchStates = declare('CulpritSearchStates', 'State of a search for a culprit.', {
  preparing: 'The commits are being listed.',
  running: 'Commits are being tested.',
  finished: 'The search has its answer: a culprit, or suspects.',
  failed: 'The search could not go on.',
  canceled: 'The search was canceled.',
} satisfies Record<CulpritSearchState, string>);

export const CulpritCommitSources = declare('CulpritCommitSources', 'Source of the commits of a search.', {
  caller: 'The caller named them.',
  provider: 'The source provider listed them.',
  builds: 'The builds of the branch have them.',
} satisfies Record<CulpritCommitSource, string>);

export const CulpritVerdicts = declare('CulpritVerdicts', 'Verdict of a search on a commit.', {
  good: 'The steps passed.',
  bad: 'A step failed.',
  skipped: 'The commit could not be judged.',
  needless: 'Other commits told enough before the build had ended.',
} satisfies Record<CulpritVerdict, string>);
