import { isObject } from './attributes/attributes.js';
import { mergeSecrets } from './attributes/secrets.js';
import type { CommandStep, JsonObject, PipelineDefinition, Step } from './step.js';

/**
 * Applies the top-level defaults of a definition to its command steps: `agents`, `priority`, `image` and `cache` if the
 * step has none, `checkout` entry by entry, and `secrets` in addition to the step's own. Top-level `env` belongs to the
 * build and is not applied.
 */
export function applyDefaults(definition: PipelineDefinition): PipelineDefinition {
  if (!hasDefaults(definition)) return definition;
  const apply = <T extends Step>(step: T): T => {
    if (step.type === 'group') return { ...step, steps: step.steps.map(apply) };
    return step.type === 'command' ? { ...step, ...defaultsFor(step, definition) } : step;
  };
  return { ...definition, steps: definition.steps.map(apply) };
}

/** False for most definitions, whose steps then stay as they are. */
function hasDefaults({ agents, priority, image, checkout, cache, secrets }: PipelineDefinition): boolean {
  return (
    agents.length > 0 || priority !== 0 || image !== null || checkout !== null || cache !== null || secrets !== null
  );
}

function defaultsFor(step: CommandStep, definition: PipelineDefinition): Partial<CommandStep> {
  const hasPriority = Object.hasOwn(step.source, 'priority') && step.source['priority'] !== null;
  return {
    agents: step.agents.length > 0 ? step.agents : definition.agents,
    priority: hasPriority ? step.priority : definition.priority,
    image: step.image ?? definition.image,
    checkout: mergeMaps(definition.checkout, step.checkout),
    cache: step.cache ?? definition.cache,
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
