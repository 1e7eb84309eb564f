import type { Json, JsonObject, PipelineDefinition, Step } from '../../../../src/domain/pipelines/steps/step.js';

/** A pipeline in the normal form that an agent uploads, which differs from ours. */
export interface UploadDocument extends JsonObject {
  steps: Json[];
}

type Essential = JsonObject;

/** The fields that both forms have: kind, key, label, command, plugins, env and group members of each step. */
export function essentials(definition: PipelineDefinition): Essential[] {
  return definition.steps.map(essential);
}

function essential(step: Step): Essential {
  const base = { type: step.type === 'input' ? 'block' : step.type, key: step.key, label: step.label };
  if (step.type === 'group') return { ...base, steps: step.steps.map(essential) };
  if (step.type === 'trigger') return { ...base, trigger: step.trigger };
  if (step.type !== 'command') return base;
  return { ...base, command: step.command, plugins: step.plugins ?? [], env: step.env, matrix: step.matrix };
}

/** The same fields read from the agent's form, without using our parser. */
export function essentialsOfUpload(document: UploadDocument): Essential[] {
  return document.steps.map(uploadEssential);
}

function uploadEssential(step: Json): Essential {
  if (typeof step === 'string') return { type: step.startsWith('wait') ? 'wait' : 'block', key: null, label: null };
  const map = step as JsonObject;
  const type = uploadType(map);
  const title = map[type] ?? map['block'] ?? map['input'] ?? map['manual'] ?? map['waiter'] ?? null;
  const label =
    (typeof title === 'string' && title !== '' && !['command', 'trigger'].includes(type) ? title : null) ??
    map['label'] ??
    map['name'] ??
    null;
  const base = { type, key: text(map['key'] ?? map['id'] ?? map['identifier']), label: text(label) };
  if (type === 'group') return { ...base, steps: (map['steps'] as Json[]).map(uploadEssential) };
  if (type === 'trigger') return { ...base, trigger: map['trigger'] ?? null };
  if (type !== 'command') return base;
  return {
    ...base,
    command: map['command'] === '' ? null : (map['command'] ?? null),
    plugins: map['plugins'] ?? [],
    env: map['env'] ?? {},
    matrix: map['matrix'] ?? null,
  };
}

function text(value: Json | undefined): Json {
  return value === undefined || value === null || value === '' ? null : String(value);
}

function uploadType(map: JsonObject): string {
  const names: Record<string, string> = {
    script: 'command',
    commands: 'command',
    waiter: 'wait',
    input: 'block',
    manual: 'block',
  };
  const found =
    typeof map['type'] === 'string'
      ? map['type']
      : ['command', 'plugins', 'wait', 'waiter', 'block', 'input', 'manual', 'trigger', 'group'].find(
          (key) => key in map,
        );
  const kind = found ?? 'unknown';
  return kind === 'plugins' ? 'command' : (names[kind] ?? kind);
}

/** Counts step types as the index of the vectors does: group members beside groups, and input apart from block. */
export function countUploadTypes(definition: PipelineDefinition): Record<string, number> {
  const counts: Record<string, number> = {};
  const count = (step: Step): void => {
    counts[step.type] = (counts[step.type] ?? 0) + 1;
    if (step.type === 'group') step.steps.forEach(count);
  };
  definition.steps.forEach(count);
  return counts;
}
