import type { CommandStep, JsonObject, PipelineDefinition, Step, TriggerStep } from './step.js';

/**
 * Returns the `steps` of a pipeline response, in the same form for YAML and visual pipelines: types script, waiter,
 * manual and trigger with exactly the documented keys. A group is replaced by its members; block and input are both
 * manual.
 */
export function presentSteps(definition: PipelineDefinition): JsonObject[] {
  return definition.steps.flatMap(presentStep);
}

function presentStep(step: Step): JsonObject[] {
  switch (step.type) {
    case 'command':
      return [presentScript(step)];
    case 'wait':
      return [{ type: 'waiter' }];
    case 'block':
    case 'input':
      return [{ type: 'manual', label: step.label }];
    case 'trigger':
      return [presentTrigger(step)];
    case 'group':
      return step.steps.flatMap(presentStep);
  }
}

function presentScript(step: CommandStep): JsonObject {
  return {
    type: 'script',
    name: step.label,
    command: step.command,
    artifact_paths: step.artifactPaths,
    branch_configuration: step.branches,
    env: step.env,
    timeout_in_minutes: step.timeoutInMinutes,
    agent_query_rules: step.agents,
    concurrency: step.concurrency,
    parallelism: step.parallelism,
  };
}

function presentTrigger(step: TriggerStep): JsonObject {
  const { message, branch, commit, env } = step.build;
  return {
    type: 'trigger',
    label: step.label,
    pipeline: step.trigger,
    build: { message, branch, commit, env: Object.keys(env).length === 0 ? null : env },
    async: step.async,
    branch_configuration: step.branches,
    concurrency: null,
    parallelism: step.parallelism,
  };
}
