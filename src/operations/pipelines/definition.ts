import { checkCondition } from '../../domain/conditional/condition.js';
import { parsePipeline } from '../../domain/steps/parse.js';
import type { Json, ParseResult } from '../../domain/steps/step.js';
import { visualSteps } from '../../domain/steps/visual.js';
import type { PipelineRow } from '../../entities/database.js';

/** What of a pipeline's row says where its steps come from. */
export type DefinitionSource = Pick<PipelineRow, 'configuration' | 'visualSteps' | 'env' | 'pipelineTemplateId'>;
export type TemplateSource = { configuration: string } | null;

/**
 * The parsed steps of a pipeline, variables as they were written: those of its template where it has one, else its
 * YAML, else its visual steps with their environment. A refusal carries problems fit for the author. A row is parsed
 * once however often it is asked for.
 */
export function pipelineDefinition(pipeline: DefinitionSource, template: TemplateSource = null): ParseResult {
  const source = pipeline.pipelineTemplateId === null ? pipeline : template;
  if (!source) return refused('The pipeline template does not exist.');
  const known = parsed.get(source);
  if (known) return known;
  const result = source === template ? parseConfiguration(template.configuration) : parseOwn(pipeline);
  parsed.set(source, result);
  return result;
}

/** By row object: lists show one pipeline's steps many times, and rows are never changed. */
const parsed = new WeakMap<object, ParseResult>();

function parseOwn({ configuration, visualSteps: steps, env }: DefinitionSource): ParseResult {
  if (configuration !== null) return parseConfiguration(configuration);
  return steps === null ? refused('The pipeline has no steps.') : parseVisual(steps, env ?? {});
}

/** How every definition is read: a condition that cannot be understood is the author's problem. */
export const parseOptions = { checkCondition: conditionProblem };

/** Parses pipeline YAML, `if` conditions included. Results are shared: nobody changes one. */
export function parseConfiguration(configuration: string): ParseResult {
  const known = recent.get(configuration);
  if (known) return known;
  const result = parsePipeline(configuration, parseOptions);
  if (configuration.length > longestKept) return result;
  if (recent.size >= keptAtMost) recent.delete(recent.keys().next().value as string);
  recent.set(configuration, result);
  return result;
}

/** By text, oldest out first: reading YAML is most of the work of showing a pipeline, and each reply with builds shows one. */
const recent = new Map<string, ParseResult>();
const keptAtMost = 200;
const longestKept = 20_000;

/** Parses visual steps; the environment given beside them becomes the definition's. */
export function parseVisual(steps: Json, env: Record<string, string>): ParseResult {
  const result = visualSteps(steps, parseOptions);
  return result.ok ? { ok: true, definition: { ...result.definition, env } } : result;
}

function conditionProblem(expression: string): string | null {
  const problem = checkCondition(expression, 'build_condition');
  return problem === null ? null : `${problem.message} (column ${problem.column})`;
}

function refused(message: string): ParseResult {
  return { ok: false, problems: [{ path: '', message }] };
}
