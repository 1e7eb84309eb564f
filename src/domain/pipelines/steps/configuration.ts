import { checkCondition } from '../conditions/condition.js';
import { limitOf } from '../../limits/raised-limits.js';
import { withinSizes } from './definition-sizes.js';
import { readDocument } from './document.js';
import { definitionEnvironment, interpolateDefinition } from './interpolate-definition.js';
import { InterpolationError } from './interpolate.js';
import { parsePipeline } from './parse.js';
import type { Json, ParseResult } from './step.js';

/** Standard variables known before a build's jobs are, and the build's own environment. */
export interface InterpolationFacts {
  standard: Record<string, string>;
  own: Record<string, string>;
}

/** A definition, its problems, or a sentence that says why its variables could not be replaced. */
export type BuildConfigurationResult = ParseResult | { ok: false; problems: []; interpolation: string };

/** Options for reading every definition: a condition that cannot be parsed is the author's problem. */
export const parseOptions = { checkCondition: conditionProblem };

/** Parses pipeline YAML as it was written, `if` conditions included. */
export function parseConfigurationText(text: string): ParseResult {
  return parsePipeline(text, parseOptions);
}

/** Parses pipeline YAML with the variables of one build in their places; refuses what is too large for a build. */
export function parseBuildConfiguration(text: string, { standard, own }: InterpolationFacts): BuildConfigurationResult {
  const document = readDocument(text);
  if (!document.ok) return document;
  try {
    const interpolated = interpolateDefinition(document.document, definitionEnvironment(standard, own));
    return withinSizes(parsePipeline(interpolated, parseOptions));
  } catch (error) {
    if (error instanceof InterpolationError) return { ok: false, problems: [], interpolation: error.message };
    throw error;
  }
}

/** Parses the JSON text of a definition that an agent uploads, its variables already replaced by the agent. */
export function parseUploadText(text: string): ParseResult {
  const bytes = Buffer.byteLength(text);
  if (bytes > limitOf('uploadBytes')) {
    const message = `The upload has ${bytes} bytes; it may have at most ${limitOf('uploadBytes')}.`;
    return { ok: false, problems: [{ path: '', message }] };
  }
  return withinSizes(
    parsePipeline(JSON.parse(text) as Json, { ...parseOptions, pendingVariables: false, uploaded: true }),
  );
}

function conditionProblem(expression: string): string | null {
  const problem = checkCondition(expression, 'build_condition');
  return problem === null ? null : `${problem.message} (column ${problem.column})`;
}
