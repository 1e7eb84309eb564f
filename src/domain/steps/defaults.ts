import { isObject } from './attributes.js';
import { mergeSecrets } from './secrets.js';
import type { CommandStep, JsonObject, PipelineDefinition, Step } from './step.js';

/**
 * Applies what the top of a definition sets for all of its command steps: `agents`, `priority` and `image` where
 * the step has none, `checkout` entry by entry, `secrets` beside the step's own. Top-level `env` is not among them:
 * it belongs to the build.
 */
export function applyDefaults(definition: PipelineDefinition): PipelineDefinition {
  const apply = <T extends Step>(step: T): T => {
    if (step.type === 'group') return { ...step, steps: step.steps.map(apply) };
    return step.type === 'command' ? { ...step, ...defaultsFor(step, definition) } : step;
  };
  return { ...definition, steps: definition.steps.map(apply) };
}

function defaultsFor(step: CommandStep, definition: PipelineDefinition): Partial<CommandStep> {
  const hasPriority = Object.hasOwn(step.source, 'priority') && step.source['priority'] !== null;
  return {
    agents: step.agents.length > 0 ? step.agents : definition.agents,
    priority: hasPriority ? step.priority : definition.priority,
    image: step.image ?? definition.image,
    checkout: mergeMaps(definition.checkout, step.checkout),
    secrets: mergeSecrets(definition.secrets, step.secrets),
  };
}

function mergeMaps(outer: JsonObject | null, inner: JsonObject | null): JsonObject | null {
  if (outer === null || inner === null) return inner ?? outer;
  const merged: JsonObject = { ...outer };
  for (const [name, value] of Object.entries(inner)) {
    const beside = outer[name];
    merged[name] = isObject(value) && isObject(beside) ? mergeMaps(beside, value) : value;
  }
  return merged;
}
