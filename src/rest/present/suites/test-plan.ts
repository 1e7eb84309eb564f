import type { JsonObject } from '../../../domain/pipelines/steps/step.js';
import { targetFormats, type NamedTest, type PlannedTest } from '../../../domain/suites/test-plans/test-plan.js';
import type { TestPlanRow } from '../../../entities/database.js';
import {
  arrayOf,
  described,
  enumOf,
  integer,
  mapOf,
  nullable,
  number,
  object,
  partialObject,
  text,
} from '../../openapi/schema.js';
import { field, optionalField, resource } from '../fields.js';

const namedTestSchema = object({
  scope: described(text, 'Scope of the test.'),
  name: described(text, 'Name of the test.'),
});

const plannedTestSchema = object(
  {
    path: described(text, 'File, or what the test runner takes for the example or selector.'),
    format: described(enumOf(...targetFormats), 'What the path names.'),
    estimated_duration: described(integer, 'Milliseconds that the test is expected to take.'),
    timing_sample_size: described(integer, 'Runs or executions that the estimate is of; 0 without any.'),
  },
  {
    value: described(text, 'Selector; present in selectors.'),
    identifier: described(text, 'What the test runner retries the example by.'),
    name: described(text, 'Name of the example.'),
    scope: described(text, 'Scope of the example.'),
  },
);

const taskSchema = object({
  node_number: described(integer, 'Number of the parallel job, from 0.'),
  tests: described(arrayOf(plannedTestSchema), 'What the job runs.'),
});

const timingsSchema = object({
  median_duration: described(nullable(number), 'Median of the known durations in milliseconds; null without any.'),
  default_duration: described(integer, 'Milliseconds that are expected where nothing is known.'),
});

/** A plan in the words of the public client. */
export const testPlanResource = resource<TestPlanRow>({
  identifier: field(text, 'What the jobs of the step ask with.', ({ identifier }) => identifier),
  parallelism: field(integer, 'Number of parallel jobs.', ({ plan }) => plan.nodes.length),
  experiment: field(text, 'Always empty: there is one way of splitting.', () => ''),
  tasks: field(mapOf(taskSchema), 'What each job runs, by its number.', ({ plan }) =>
    Object.fromEntries(
      plan.nodes.map((tests, node) => [String(node), { node_number: node, tests: tests.map(presentTest) }]),
    ),
  ),
  muted_tests: field(arrayOf(namedTestSchema), 'Tests whose failures do not count.', ({ plan }) =>
    plan.muted.map(presentName),
  ),
  skipped_tests: field(arrayOf(namedTestSchema), 'Tests that are left out.', ({ plan }) =>
    plan.skipped.map(presentName),
  ),
  timing_metadata: field(
    partialObject(
      Object.fromEntries(
        targetFormats.map((format) => [format, described(timingsSchema, `Durations of the format ${format}.`)]),
      ),
    ),
    'Durations that the plan was made from, by format.',
    ({ plan }) =>
      Object.fromEntries(
        Object.entries(plan.timings).map(([format, { median, default: usual }]) => [
          format,
          { median_duration: median, default_duration: usual },
        ]),
      ),
  ),
  known_timings_ratio: optionalField(
    number,
    'Share of what is planned whose duration is known, from 0 to 1; absent where nothing is planned.',
    ({ plan }) => plan.known ?? undefined,
  ),
});

const presentName = ({ scope, name }: NamedTest): JsonObject => ({ scope, name });

function presentTest({ format, path, identifier, name, scope, estimate, samples }: PlannedTest): JsonObject {
  const more = { value: format === 'selector' ? path : undefined, identifier, name, scope };
  return {
    path,
    format,
    ...Object.fromEntries(Object.entries(more).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]]))),
    estimated_duration: estimate,
    timing_sample_size: samples,
  };
}

/** Files that should be split into examples. */
export const filesToSplitResource = resource<{ paths: readonly string[] }>({
  tests: field(
    arrayOf(object({ path: described(text, 'Path of the file.') })),
    'Files to list example by example, in the order they were named.',
    ({ paths }) => paths.map((path) => ({ path })),
  ),
});

/** Milliseconds by the path of a file. */
export const fileTimesSchema = mapOf(described(integer, 'Median of the runs of the file in milliseconds.'));
