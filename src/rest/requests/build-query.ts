import { metaDataFilterKeys } from '../../operations/builds/list.js';
import { buildStates } from '../../domain/builds/build-state.js';
import { jobStates, jobTypes, restJobState } from '../../domain/builds/job-state.js';
import { Problem } from '../../domain/problem.js';
import type { BuildView } from '../present/builds/build.js';
import type { RestRequest } from './request.js';
import type { QueryParameter } from '../route.js';

/** Filters of the three build lists. */
export const buildFilters: readonly QueryParameter[] = [
  { name: 'branch', type: 'list', description: 'Only builds of these branches; `*` matches any text.' },
  { name: 'commit', type: 'list', description: 'Only builds of these commits, given as full SHAs.' },
  { name: 'created_from', type: 'time', description: 'Only builds created at or after this time.' },
  { name: 'created_to', type: 'time', description: 'Only builds created before this time.' },
  { name: 'creator', type: 'id', description: 'ID of the user who created the build.' },
  { name: 'finished_from', type: 'time', description: 'Only builds finished at or after this time.' },
  {
    name: 'meta_data',
    type: 'map',
    mostKeys: metaDataFilterKeys,
    description: 'Only builds with this meta-data: `meta_data[key]=value`.',
    // Forms that are filled with the example send no filter; without one they make up a key, and find no build.
    example: {},
  },
  {
    name: 'state',
    type: 'list',
    values: [...buildStates, 'finished'],
    description: 'Only builds in these states; `finished` means passed, failed, blocked or canceled.',
  },
];

/** Parameters that choose the parts of a build in the reply. */
export const buildParameters: readonly QueryParameter[] = [
  { name: 'include_retried_jobs', type: 'boolean', description: 'Shows every attempt of a job, not only the latest.' },
  { name: 'exclude_jobs', type: 'boolean', description: 'Leaves out `jobs`.' },
  { name: 'exclude_pipeline', type: 'boolean', description: 'Leaves out `pipeline`.' },
  {
    name: 'include_test_engine',
    type: 'boolean',
    description: 'Shows `test_engine`: the test suite runs of the build.',
  },
];

/**
 * Reads the build filters of a request into the input of `build.list`; throws `malformed` for a value of the wrong
 * form.
 */
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

/** Every job state that REST replies can contain. */
const shownStates = new Set(
  jobTypes.flatMap((type) =>
    jobStates.flatMap((state) => [true, false].map((passed) => restJobState({ type, state, passed }))),
  ),
);

export const singleBuildParameters: readonly QueryParameter[] = [
  { name: 'job_states', type: 'list', values: [...shownStates], description: 'Shows only jobs in these states.' },
];

function jobStatesOf(words: string[] | undefined): ReadonlySet<string> | undefined {
  const unknown = words?.find((word) => !shownStates.has(word));
  if (unknown !== undefined)
    throw new Problem('malformed', `Unknown job state: ${unknown}. Valid states are ${[...shownStates].join(', ')}.`);
  return words && new Set(words);
}
