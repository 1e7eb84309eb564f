import { readAgents } from './agents.js';
import { Attributes, isObject, report, type Reading } from './attributes.js';
import { readBlockStep } from './block-step.js';
import { readCommandStep } from './command-step.js';
import { applyDefaults } from './defaults.js';
import { nestsTooDeep, readDocument, tooDeep } from './document.js';
import { readGroupStep } from './group-step.js';
import { matrixJobs, parseMatrix } from './matrix.js';
import { readSecrets } from './secrets.js';
import { stepLimits } from './step-limits.js';
import { inferType, unnest, wordStep } from './step-type.js';
import type { GroupStep, Json, ParseResult, PipelineDefinition, Step, StepType } from './step.js';
import { readTriggerStep } from './trigger-step.js';
import { readWaitStep } from './wait-step.js';

type PlainStep = GroupStep['steps'][number];

export interface ParseOptions {
  /** Judges one `if`: null where it is fine, else a sentence saying what is wrong with it. */
  checkCondition?: (expression: string) => string | null;
  /**
   * The definition is not interpolated yet, so `$VARIABLE` may stand where a number or flag will: it is then left out
   * rather than refused. By default true for text (stored steps) and false for a document (uploads, interpolated steps).
   */
  pendingVariables?: boolean;
}

/**
 * Reads a pipeline definition, YAML or JSON text or an already parsed document, into the normalised step graph.
 * A bare list is its `steps`. Never throws: whatever is wrong comes back as problems, each with a path such as
 * `steps[2].matrix`. Unknown keys are tolerated, and `if_changed`, which agents resolve before they upload; unknown kinds
 * of steps are not (rest-facts 5.1, 5.2).
 */
export function parsePipeline(input: Json, options: ParseOptions = {}): ParseResult {
  let document = input;
  if (typeof input === 'string') {
    const result = readDocument(input);
    if (!result.ok) return result;
    document = result.document;
  } else if (nestsTooDeep(input)) {
    return { ok: false, problems: [{ path: '', message: tooDeep }] };
  }
  const top = Array.isArray(document) ? { steps: document } : document;
  if (!isObject(top)) {
    return { ok: false, problems: [{ path: '', message: 'The definition must be a map with "steps", or a list of steps.' }] };
  }
  const reading: Reading = {
    problems: [],
    pendingVariables: options.pendingVariables ?? typeof input === 'string',
    checkCondition: options.checkCondition,
    keys: new Set(),
  };
  const definition = readDefinition(new Attributes(top, '', reading));
  if (reading.problems.length === 0 && !(jobCount(definition.steps) <= stepLimits.jobs)) {
    report(reading, 'steps', `The definition makes more than ${stepLimits.jobs} jobs.`);
  }
  return reading.problems.length > 0 ? { ok: false, problems: reading.problems } : { ok: true, definition: applyDefaults(definition) };
}

function readDefinition(top: Attributes): PipelineDefinition {
  const items = top.value('steps') ?? null;
  if (!Object.hasOwn(top.raw, 'steps')) top.problem('steps', 'The definition has no "steps".');
  else if (items !== null && !Array.isArray(items)) top.problem('steps', '"steps" must be a list.');
  return {
    env: top.stringMap('env'),
    agents: readAgents(top),
    priority: top.integer(['priority']) ?? 0,
    image: top.text('image'),
    secrets: readSecrets(top),
    notify: top.items('notify'),
    checkout: top.object('checkout'),
    steps: Array.isArray(items) ? items.flatMap((item, index) => readStep(item, `steps[${index}]`, top.reading)) : [],
  };
}

/** One step, or none where it could not be read. */
function readStep(item: Json, path: string, reading: Reading): Step[] {
  const attributes = stepAttributes(item, path, reading);
  const type = attributes && inferType(attributes);
  if (type !== 'group' || attributes === undefined) return readPlainStep(attributes, type);
  return [readGroupStep(attributes, (items, within) => items.flatMap((member, index) => readMember(member, `${within}[${index}]`, reading)))];
}

function readMember(item: Json, path: string, reading: Reading): PlainStep[] {
  const attributes = stepAttributes(item, path, reading);
  const type = attributes && inferType(attributes);
  if (type === 'group') report(reading, path, 'A group cannot be inside another group.');
  return readPlainStep(attributes, type);
}

function readPlainStep(attributes: Attributes | undefined, type: StepType | undefined): PlainStep[] {
  if (attributes === undefined) return [];
  switch (type) {
    case 'command':
      return [readCommandStep(attributes)];
    case 'wait':
      return [readWaitStep(attributes)];
    case 'block':
    case 'input':
      return [readBlockStep(attributes, type)];
    case 'trigger':
      return [readTriggerStep(attributes)];
    case 'group':
    case undefined:
      return [];
  }
}

function stepAttributes(item: Json, path: string, reading: Reading): Attributes | undefined {
  if (isObject(item)) return new Attributes(unnest(item), path, reading);
  const type = typeof item === 'string' ? wordStep(item) : undefined;
  if (type !== undefined) return new Attributes({ type }, path, reading);
  report(reading, path, typeof item === 'string' ? `"${item}" is not a step; a step of one word is wait, block or input.` : 'A step must be a map.');
  return undefined;
}

/** The jobs steps plan, as far as variables let it be known. */
function jobCount(steps: Step[]): number {
  return steps.reduce((count, step) => {
    if (step.type === 'group') return count + jobCount(step.steps);
    if (step.type !== 'command' && step.type !== 'trigger') return count + 1;
    const matrix = step.type === 'command' && step.matrix !== null ? parseMatrix(step.matrix) : undefined;
    return count + (matrix?.ok ? matrixJobs(matrix.matrix).length : Math.max(step.parallelism ?? 1, 1));
  }, 0);
}
