import { z } from 'zod';
import { defineOperation } from '../operation.js';
import { findRun, runAddress, type RunSubject } from './find-run.js';

/** One run of a test suite (api-v2.md, Test runs). */
export const getRun = defineOperation({
  name: 'run.get',
  summary: 'Returns one run of a test suite.',
  kind: 'query',
  scope: 'read_suites',
  access: 'member',
  refusal: 'sentence',
  input: z.object({ run: runAddress }),
  subject: (context, { run }) => findRun(context, run),
  run: async (_context, _input, subject: RunSubject) => subject,
});
