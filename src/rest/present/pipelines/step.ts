import {
  arrayOf,
  boolean,
  described,
  discriminated,
  enumOf,
  integer,
  mapOf,
  nullable,
  object,
  text,
} from '../../openapi/schema.js';

const branchConfiguration = described(nullable(text), 'Branches that the step runs for, as patterns.');
const concurrency = described(nullable(integer), 'Number of jobs of the concurrency group that run at once.');
const parallelism = described(nullable(integer), 'Number of parallel jobs of the step.');

export const scriptStepSchema = object({
  type: described(enumOf('script'), 'Type of the step: a command step.'),
  name: described(nullable(text), 'Label of the step.'),
  command: described(nullable(text), 'Commands, separated by newlines.'),
  artifact_paths: described(nullable(text), 'Patterns of the files to upload, separated by semicolons.'),
  branch_configuration: branchConfiguration,
  env: described(mapOf(text), 'Environment variables of the step.'),
  timeout_in_minutes: described(nullable(integer), 'Minutes after which a job of the step is canceled.'),
  agent_query_rules: described(arrayOf(text), 'Rules as `key=value` that an agent must match.'),
  concurrency,
  parallelism,
});

export const triggerStepSchema = object({
  type: described(enumOf('trigger'), 'Type of the step: a trigger step.'),
  label: described(nullable(text), 'Label of the step.'),
  pipeline: described(text, 'Slug of the pipeline to build.'),
  build: described(
    object({
      message: described(nullable(text), 'Message of the new build.'),
      branch: described(nullable(text), 'Branch of the new build.'),
      commit: described(nullable(text), 'Commit of the new build.'),
      env: described(nullable(mapOf(text)), 'Environment variables of the new build.'),
    }),
    'Attributes of the build that the step creates.',
  ),
  async: described(boolean, 'Whether the build continues without waiting for the triggered build.'),
  branch_configuration: branchConfiguration,
  concurrency,
  parallelism,
});

export const waiterStepSchema = object({ type: described(enumOf('waiter'), 'Type of the step: a wait step.') });

export const manualStepSchema = object({
  type: described(enumOf('manual'), 'Type of the step: a block or input step.'),
  label: described(nullable(text), 'Label of the step.'),
});

/** A step as `domain/pipelines/steps/present-steps.ts` shows it. */
export const stepSchema = discriminated('type', {
  script: 'ScriptStep',
  waiter: 'WaiterStep',
  manual: 'ManualStep',
  trigger: 'TriggerStep',
});
