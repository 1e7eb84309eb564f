import { DefinitionOrder, type PlacedStep, placeSteps } from '../../domain/builds/definition-order.js';
import { readDocument } from '../../domain/pipelines/steps/document.js';
import { unnest } from '../../domain/pipelines/steps/kinds/step-type.js';
import type { Json, JsonObject, PipelineDefinition } from '../../domain/pipelines/steps/step.js';
import { WrongUsage } from '../wrong-usage.js';

/** Which steps of a pipeline file run here. */
export interface Selection {
  /** Key of a step or group; undefined for every step. */
  step: string | undefined;
  /** Whether that step runs without those it waits for. */
  alone: boolean;
}

const noTrigger = 'slipway run starts no builds of other pipelines';

/**
 * Returns the definition that is built on this machine, as JSON: the selected steps, trigger steps skipped, and without
 * `notify`, because nobody wants to hear of a build that only its author sees. With `queue` every step is for that
 * queue instead of its own.
 * @throws WrongUsage where no step has the selected key
 */
export function localDefinition(
  text: string,
  definition: PipelineDefinition,
  selection: Selection,
  queue: string | null = null,
): string {
  const placed = placeSteps(definition);
  const selected = selectSteps(placed, selection);
  const left = new Set(placed.flatMap(({ step }, at) => (step.key === null || selected.has(at) ? [] : [step.key])));
  const document = readDocument(text);
  if (!document.ok) throw new Error('a definition that was parsed can be read');
  const top = Array.isArray(document.document) ? { steps: document.document } : (document.document as JsonObject);
  const { notify: _notify, ...rest } = top;
  let index = 0;
  const localSteps = (items: Json | undefined): Json[] =>
    (Array.isArray(items) ? items : []).flatMap((item) => {
      const at = index;
      index += 1;
      const group = placed[at]?.step.type === 'group';
      const local = localStep(item, placed[at] as PlacedStep, { left, queue });
      const children = group ? localSteps((local as JsonObject)['steps']) : [];
      if (!selected.has(at)) return [];
      return [group ? { ...(local as JsonObject), steps: children } : local];
    });
  const agents = queue === null ? {} : { agents: [...withoutQueue(top['agents']), `queue=${queue}`] };
  return JSON.stringify({ ...rest, ...agents, steps: localSteps(top['steps']) });
}

/** Returns a step without its notifications and without dependencies on steps that are left out. */
function localStep(
  item: Json,
  { step }: PlacedStep,
  { left, queue }: { left: ReadonlySet<string>; queue: string | null },
): Json {
  if (item === null || typeof item !== 'object' || Array.isArray(item)) return item;
  const { notify: _notify, ...attributes } = unnest(item);
  if (step.type === 'trigger') attributes['skip'] = noTrigger;
  if (queue !== null && attributes['agents'] !== undefined)
    attributes['agents'] = [...withoutQueue(attributes['agents']), `queue=${queue}`];
  if (step.dependsOn?.some(({ step: key }) => left.has(key)))
    attributes['depends_on'] = step.dependsOn
      .filter(({ step: key }) => !left.has(key))
      .map(({ step: key, allowFailure }) => ({ step: key, allow_failure: allowFailure }));
  return attributes;
}

/** The rules of `agents` as `key=value`, but for the queue. */
function withoutQueue(agents: Json | undefined): string[] {
  const rules = Array.isArray(agents)
    ? agents.map(String)
    : Object.entries(typeof agents === 'object' && agents !== null ? agents : {}).map(
        ([key, value]) => `${key}=${String(value)}`,
      );
  return rules.filter((rule) => !/^queue\s*=/.test(rule));
}

/** Indices of the steps to run, with the groups around them. */
function selectSteps(placed: readonly PlacedStep[], { step: key, alone }: Selection): Set<number> {
  if (key === undefined) return new Set(placed.keys());
  const target = placed.findIndex(({ step }) => step.key === key);
  if (target < 0) {
    const keys = placed.flatMap(({ step }) => (step.key === null ? [] : [step.key]));
    const known = keys.length > 0 ? `the keys are: ${keys.join(', ')}` : 'no step has a key';
    throw new WrongUsage(`--step: no step has the key "${key}"; ${known}`);
  }
  const order = new DefinitionOrder(placed);
  const indexes = [target, ...placed.keys()].filter((index) => index === target || placed[index]?.group === target);
  const selected = new Set([...indexes, ...(alone ? [] : indexes.flatMap((index) => order.allBefore(index)))]);
  for (const index of [...selected]) {
    const group = placed[index]?.group ?? null;
    if (group !== null) selected.add(group);
  }
  return selected;
}
