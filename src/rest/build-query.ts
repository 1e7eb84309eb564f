import { jobStates, jobTypes, restJobState } from '../domain/job-state.js';
import { Problem } from '../domain/problem.js';
import type { BuildView } from './present/build.js';
import type { RestRequest } from './request.js';
import type { QueryParameter } from './route.js';

/** Filters of the three build lists (api-v2.md, Builds). */
export const buildFilters: readonly QueryParameter[] = [
  { name: 'branch', type: 'list', about: 'Branches; `*` stands for any text.' },
  { name: 'commit', type: 'list', about: 'Full commit SHAs.' },
  { name: 'created_from', type: 'time', about: 'Created at or after this time.' },
  { name: 'created_to', type: 'time', about: 'Created before this time.' },
  { name: 'creator', type: 'string', about: 'Id of the user who created the build.' },
  { name: 'finished_from', type: 'time', about: 'Finished at or after this time.' },
  { name: 'meta_data', type: 'map', about: 'Meta-data that the build has: `meta_data[key]=value`.' },
  { name: 'state', type: 'list', about: 'States; `finished` stands for passed, failed, blocked and canceled.' },
];

/** What of a build is shown (rest-facts 2.2.2). */
export const buildParameters: readonly QueryParameter[] = [
  { name: 'include_retried_jobs', type: 'boolean', about: 'Show every attempt of a job, not only the latest.' },
  { name: 'exclude_jobs', type: 'boolean', about: 'Leave out `jobs`.' },
  { name: 'exclude_pipeline', type: 'boolean', about: 'Leave out `pipeline`.' },
  { name: 'include_test_engine', type: 'boolean', about: 'Also give the test runs of the build.' },
];

export const singleBuildParameters: readonly QueryParameter[] = [{ name: 'job_states', type: 'list', about: 'Show only jobs in these states.' }];

/** The filters of a request, in the names of `build.list`. */
export function readBuildFilters(request: RestRequest) {
  return {
    branch: request.list('branch'),
    commit: request.list('commit'),
    createdFrom: request.time('created_from'),
    createdTo: request.time('created_to'),
    creator: request.text('creator'),
    finishedFrom: request.time('finished_from'),
    metaData: request.map('meta_data'),
    state: request.list('state'),
  };
}

export function buildView(request: RestRequest): BuildView {
  return {
    includeRetriedJobs: request.flag('include_retried_jobs'),
    excludeJobs: request.flag('exclude_jobs'),
    excludePipeline: request.flag('exclude_pipeline'),
    includeTestEngine: request.flag('include_test_engine'),
  };
}

export function singleBuildView(request: RestRequest): BuildView {
  return { ...buildView(request), jobStates: jobStatesOf(request.list('job_states')), counted: true };
}

/** Every state word that a job can show. */
const shownStates = new Set(
  jobTypes.flatMap((type) => jobStates.flatMap((state) => [true, false].map((passed) => restJobState({ type, state, passed })))),
);

function jobStatesOf(words: string[] | undefined): ReadonlySet<string> | undefined {
  const unknown = words?.find((word) => !shownStates.has(word));
  if (unknown !== undefined) throw new Problem('malformed', `Unknown job state: ${unknown}. Valid states are ${[...shownStates].join(', ')}.`);
  return words && new Set(words);
}
