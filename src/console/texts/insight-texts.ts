/** Words of the pages that look at many builds. */
export const insightTexts = {
  insights: {
    title: 'Insights',
    by: 'By',
    groups: { PIPELINE: 'Pipeline', STEP: 'Step', QUEUE: 'Queue', BRANCH: 'Branch' },
    time: 'Time',
    days: (days: number) => (days === 1 ? 'The last day' : `The last ${days} days`),
    none: 'No build has ended in this time',
    builds: 'Builds',
    failed: 'Failed',
    duration: 'Duration, median / 95 %',
    wait: 'Wait for an agent, median / 95 %',
    retried: 'Jobs run again',
    agentTime: 'Agent time',
    hint:
      'Builds that were created in this time and have ended. ' +
      'Of a step or queue, durations and failures are those of its jobs.',
  },
  logSearch: {
    title: 'Search in logs',
    text: 'Text in the logs of all jobs',
    search: 'Search',
    form: 'Form',
    plain: 'Plain text',
    regexp: 'Regular expression',
    jobs: 'Jobs',
    allJobs: 'All jobs',
    failedJobs: 'Failed jobs',
    passedJobs: 'Passed jobs',
    hint: 'Finds lines in the logs of all jobs, of the newest first.',
    place: (pipeline: string, build: number, line: number) => `${pipeline} #${build}, line ${line}`,
    searching: (lines: number, size: string) => `Searching: ${lines} lines in ${size} so far…`,
    stopped: (lines: number, size: string) => `${lines} lines in ${size}; there may be more.`,
    complete: (lines: number, size: string) => `${lines === 0 ? 'No line' : `${lines} lines`} in ${size}: that is all.`,
    failed: 'The server refused the search: check the expression, or try again shortly.',
    goOn: 'Search on',
  },
};
