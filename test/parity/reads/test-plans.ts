import type { TestPlan } from '../../../src/domain/suites/test-plans/test-plan.js';

const timed = { estimate: 500, samples: 2 };
const named = { scope: 'a', name: 'b' };
const timings = { median: 500, default: 1000 };

const plan: TestPlan = {
  nodes: [
    [{ format: 'example', path: 'a[1]', identifier: 'a[1]', ...named, ...timed }],
    [
      { format: 'file', path: 'b', ...timed },
      { format: 'selector', path: 'c', ...timed },
    ],
  ],
  muted: [named],
  skipped: [named],
  timings: { example: timings, file: timings, selector: timings },
  known: 1,
};

/** A plan of tests that has a value in every field. */
export const planOfEverything = { identifier: 'build/step', branch: 'main', plan };
