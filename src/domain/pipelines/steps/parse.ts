import { isStorable } from '../../input-text.js';
import { readAgents } from './attributes/agents.js';
import { Attributes, isObject, report, type Reading, type UnknownAttribute } from './attributes/attributes.js';
import { readBlockStep } from './kinds/block-step.js';
import { readCommandStep } from './kinds/command-step.js';
import { applyDefaults } from './defaults.js';
import { nestsTooDeep, readDocument, tooDeep } from './document.js';
import { readGroupStep } from './kinds/group-step.js';
import { matrixJobs, parseMatrix } from './matrix/matrix.js';
import { readSecrets } from './attributes/secrets.js';
import { limitOf } from '../../limits/raised-limits.js';
import { inferType, namesOfEveryStep, unnest, wordStep } from './kinds/step-type.js';
import type { GroupStep, Json, ParseResult, PipelineDefinition, Step, StepType } from './step.js';
import { readTriggerStep } from './kinds/trigger-step.js';
import { readWaitStep } from './kinds/wait-step.js';

const unstorableText =
  'A definition cannot have null characters or half of a surrogate pair, which no build could store.';

type PlainStep = GroupStep['steps'][number];

export interface ParseOptions {
  /** Checks one `if`; returns null, or a sentence with its problem. */
  checkCondition?: (expression: string) => string | null;
  /**
   * True if the definition is not interpolated yet: a number or flag may then be a `$VARIABLE` and is left out rather
   * than refused. Default: true for text (stored steps), false for a document (uploads, interpolated steps).
   */
  pendingVariables?: boolean;
  /** True for a definition that an agent uploads: `if_changed` is refused there. Default: false. */
  uploaded?: boolean;
  /** Called for each attribute of the definition, a step or a map in it that nothing reads; servers accept those. */
  onUnknown?: (attribute: UnknownAttribute) => void;
}

/**
 * Reads a pipeline definition, YAML or JSON text or a parsed document, into the normalized step graph. A bare list is
 * its `steps`. Never throws: each problem has a path such as `steps[2].matrix`. Accepts unknown keys, and `if_changed`
 * in stored steps; refuses unknown kinds of steps.
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
  const unstorableAt = unstorablePath(document);
  if (unstorableAt !== null) return { ok: false, problems: [{ path: unstorableAt, message: unstorableText }] };
  const top = Array.isArray(document) ? { steps: document } : document;
  if (!isObject(top)) {
    return {
      ok: false,
      problems: [{ path: '', message: 'The definition must be a map with "steps", or a list of steps.' }],
    };
  }
  const reading: Reading = {
    problems: [],
    pendingVariables: options.pendingVariables ?? typeof input === 'string',
    checkCondition: options.checkCondition,
    uploaded: options.uploaded ?? false,
    keys: new Set(),
    onUnknown: options.onUnknown,
  };
  const definition = readDefinition(new Attributes(top, '', reading));
  if (reading.problems.length === 0 && !(jobCount(definition.steps) <= limitOf('jobsPerUpload'))) {
    report(reading, 'steps', `The definition makes more than ${limitOf('jobsPerUpload')} jobs.`);
  }
  return reading.problems.length > 0
    ? { ok: false, problems: reading.problems }
    : { ok: true, definition: applyDefaults(definition) };
}

/**
 * Path of the first text that the database cannot hold, such as `steps[2].label`, or of the map with such a key; null
 * for none.
 */
function unstorablePath(value: Json, path = ''): string | null {
  if (typeof value === 'string') return isStorable(value) ? null : path;
  if (value === null || typeof value !== 'object') return null;
  for (const [key, inner] of Object.entries(value)) {
    if (!isStorable(key)) return path;
    const within = Array.isArray(value) ? `${path}[${key}]` : `${path}${path === '' ? '' : '.'}${key}`;
    const field = unstorablePath(inner as Json, within);
    if (field !== null) return field;
  }
  return null;
}

function readDefinition(top: Attributes): PipelineDefinition {
  const items = top.value('steps') ?? null;
  if (!Object.hasOwn(top.raw, 'steps')) top.problem('steps', 'The definition has no "steps".');
  else if (items !== null && !Array.isArray(items)) top.problem('steps', '"steps" must be a list.');
  const definition = {
    env: top.environment('env'),
    agents: readAgents(top),
    priority: top.integer(['priority']) ?? 0,
    image: top.text('image'),
    secrets: readSecrets(top),
    notify: top.items('notify'),
    checkout: top.object('checkout'),
    cache: top.value('cache') ?? null,
    steps: Array.isArray(items) ? items.flatMap((item, index) => readStep(item, `steps[${index}]`, top.reading)) : [],
  };
  top.reportUnknown();
  return definition;
}

/** Parses one step; returns no step if it is invalid. */
function readStep(item: Json, path: string, reading: Reading): Step[] {
  const attributes = stepAttributes(item, path, reading);
  const type = attributes && inferType(attributes);
  if (type !== 'group' || attributes === undefined) return readPlainStep(attributes, type);
  const group = readGroupStep(attributes, (items, within) =>
    items.flatMap((member, index) => readMember(member, `${within}[${index}]`, reading)),
  );
  attributes.reportUnknown(...namesOfEveryStep);
  return [group];
}

function readMember(item: Json, path: string, reading: Reading): PlainStep[] {
  const attributes = stepAttributes(item, path, reading);
  const type = attributes && inferType(attributes);
  if (type === 'group') report(reading, path, 'A group cannot be inside another group.');
  return readPlainStep(attributes, type);
}

function readPlainStep(attributes: Attributes | undefined, type: StepType | undefined): PlainStep[] {
  if (attributes === undefined || type === undefined) return [];
  const steps = readStepOfType(attributes, type);
  attributes.reportUnknown(...namesOfEveryStep);
  return steps;
}

function readStepOfType(attributes: Attributes, type: StepType): PlainStep[] {
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
      return [];
  }
}

function stepAttributes(item: Json, path: string, reading: Reading): Attributes | undefined {
  if (isObject(item)) return new Attributes(unnest(item), path, reading);
  const type = typeof item === 'string' ? wordStep(item) : undefined;
  if (type !== undefined) return new Attributes({ type }, path, reading);
  report(
    reading,
    path,
    typeof item === 'string'
      ? `"${item}" is not a step; a step of one word is wait, block or input.`
      : 'A step must be a map.',
  );
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
