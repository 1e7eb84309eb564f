import { isObject } from './attributes/attributes.js';
import { parsePipeline, type ParseOptions } from './parse.js';
import type { DefinitionProblem, Json, JsonObject, ParseResult } from './step.js';

/** Attributes by visual step type: the visual name, and the name it has in a definition. */
const attributeNames: Record<string, readonly (readonly [visual: string, definition: string])[]> = {
  script: [
    ['name', 'label'],
    ['command', 'command'],
    ['artifact_paths', 'artifact_paths'],
    ['branch_configuration', 'branches'],
    ['env', 'env'],
    ['timeout_in_minutes', 'timeout_in_minutes'],
    ['agent_query_rules', 'agents'],
    ['concurrency', 'concurrency'],
    ['concurrency_group', 'concurrency_group'],
    ['parallelism', 'parallelism'],
  ],
  waiter: [],
  manual: [['label', 'label']],
  trigger: [
    ['label', 'label'],
    ['trigger_project_slug', 'trigger'],
    ['pipeline', 'trigger'],
    ['async', 'async'],
    ['trigger_async', 'async'],
    ['branch_configuration', 'branches'],
    ['parallelism', 'parallelism'],
    ['build', 'build'],
  ],
};

const requiredAttributes: Record<string, readonly string[]> = {
  script: ['command'],
  trigger: ['trigger_project_slug'],
};

/**
 * Reads visual steps of a pipeline (types script, waiter, manual, trigger) into the definition that YAML gives too.
 * Accepts a trigger in the form of requests and in the form of replies. Ignores unknown keys; problems have the visual
 * names.
 */
export function visualSteps(steps: Json, options: Pick<ParseOptions, 'checkCondition'> = {}): ParseResult {
  if (!Array.isArray(steps))
    return { ok: false, problems: [{ path: 'steps', message: '"steps" must be a list of steps.' }] };
  const problems = steps.flatMap((step, index) => visualProblems(step, `steps[${index}]`));
  if (problems.length > 0) return { ok: false, problems };
  const visual = steps as VisualStep[];
  const result = parsePipeline(visual.map(definitionStep), options);
  return result.ok ? result : { ok: false, problems: result.problems.map((problem) => renamed(problem, visual)) };
}

type VisualStep = JsonObject & { type: string };

function visualProblems(step: Json, path: string): DefinitionProblem[] {
  if (!isObject(step)) return [{ path, message: 'A step must be an object.' }];
  const { type } = step;
  if (typeof type !== 'string' || !Object.hasOwn(attributeNames, type)) {
    return [
      { path: `${path}.type`, message: `The type of a step must be one of ${Object.keys(attributeNames).join(', ')}.` },
    ];
  }
  const presentNames = new Set(
    attributeNames[type]?.flatMap(([visual, name]) => (present(step[visual]) ? [name] : [])),
  );
  return (requiredAttributes[type] ?? [])
    .filter((required) => !presentNames.has(definitionName(type, required)))
    .map((required) => ({ path: `${path}.${required}`, message: `A ${type} step needs "${required}".` }));
}

function present(value: Json | undefined): boolean {
  return value !== undefined && value !== null && value !== '';
}

function definitionName(type: string, visual: string): string {
  return attributeNames[type]?.find(([name]) => name === visual)?.[1] ?? visual;
}

function definitionStep(step: VisualStep): JsonObject {
  const result: JsonObject = { type: step.type };
  for (const [visual, name] of attributeNames[step.type] ?? []) {
    const value = step[visual];
    if (value !== undefined && value !== null) result[name] = value;
  }
  if (step.type !== 'trigger') return result;
  const build = isObject(step['build']) ? step['build'] : {};
  const branch = step['trigger_branch'] ?? build['branch'] ?? null;
  const commit = step['trigger_commit'] ?? build['commit'] ?? null;
  return { ...result, build: { ...build, branch, commit } };
}

/** A problem of the definition under the name its author used. */
function renamed({ path, message }: DefinitionProblem, steps: VisualStep[]): DefinitionProblem {
  const [, index, name, rest] = /^steps\[(\d+)\]\.(\w+)(.*)$/.exec(path) ?? [];
  const step = index === undefined ? undefined : steps[Number(index)];
  const visual =
    step &&
    attributeNames[step.type]?.find(([written, definition]) => definition === name && present(step[written]))?.[0];
  if (visual === undefined || name === undefined) return { path, message };
  return { path: `steps[${index}].${visual}${rest}`, message: message.replaceAll(`"${name}"`, `"${visual}"`) };
}
