import { createHash } from 'node:crypto';
import type { Context } from '../../request/context.js';
import { outsideTransaction } from '../../database/transaction.js';
import {
  type BuildConfigurationResult,
  type InterpolationFacts,
  parseBuildConfiguration,
  parseConfigurationText,
  parseOptions,
  parseUploadText,
} from '../../domain/pipelines/steps/configuration.js';
import { definitionVariables } from '../../domain/pipelines/steps/interpolate-definition.js';
import type { Json, ParseResult } from '../../domain/pipelines/steps/step.js';
import { visualSteps } from '../../domain/pipelines/steps/visual.js';
import type { PipelineRow } from '../../entities/database.js';
import { TaskTooDear } from '../../workers/pool.js';
import { tasks } from '../../workers/tasks.js';
import { callerOf } from '../../auth/caller.js';
import type { MemoryUse } from '../../services/memory-uses.js';
import { definitionBytes, DefinitionMemory } from './definition-memory.js';

/** Pipeline columns that hold its steps. */
export type DefinitionSource = Pick<PipelineRow, 'configuration' | 'visualSteps' | 'env' | 'pipelineTemplateId'>;
export type TemplateSource = { configuration: string } | null;

/** Caller and worker threads for large texts. */
type Reader = Pick<Context, 'services' | 'actor'>;

/**
 * Returns the parsed steps of a pipeline without interpolation: those of its template, else its YAML, else its visual
 * steps with their environment. Throws with problems for the author.
 */
export async function pipelineDefinition(
  context: Reader,
  pipeline: DefinitionSource,
  template: TemplateSource = null,
): Promise<ParseResult> {
  if (pipeline.pipelineTemplateId !== null)
    return template
      ? parseConfiguration(context, template.configuration)
      : refused('The pipeline template does not exist.');
  const { configuration, visualSteps: steps, env } = pipeline;
  if (configuration !== null) return parseConfiguration(context, configuration);
  if (steps === null) return refused('The pipeline has no steps.');
  const result = visual.get(pipeline) ?? parseVisual(steps, env ?? {});
  visual.set(pipeline, result);
  return result;
}

/** By row object: lists show one pipeline's steps many times, and rows are never changed. */
const visual = new WeakMap<object, ParseResult>();

/**
 * Parses pipeline YAML, including `if` conditions; a large text in a thread, never inside a transaction. Results are
 * shared and must not be changed.
 */
export async function parseConfiguration(context: Reader, configuration: string): Promise<ParseResult> {
  const known = recent.get(configuration);
  if (known) return known;
  const small = configuration.length <= tasks['pipeline.parse'].smallSize;
  const result = small
    ? parseConfigurationText(configuration)
    : await outsideTransaction(
        () => `pipeline.parse ${digest(configuration)}`,
        () => parseOnce(context, configuration),
      );
  recent.keep(configuration, result);
  return result;
}

/** Texts that are being parsed: a list may show one pipeline many times, and all of them wait for the first parse. */
const underway = new Map<string, Promise<ParseResult>>();

async function parseOnce({ services, actor }: Reader, text: string): Promise<ParseResult> {
  const known = underway.get(text);
  if (known) return known;
  const result = orTooDear(services.workers.run('pipeline.parse', callerOf(actor), { text }));
  underway.set(text, result);
  try {
    return await result;
  } finally {
    underway.delete(text);
  }
}

/**
 * Parses the YAML of a pipeline for one build, its variables replaced: a large one in a thread, never inside a
 * transaction. Results are shared and must not be changed.
 */
export async function parseForBuild(
  { services, actor }: Reader,
  text: string,
  { standard, own }: InterpolationFacts,
): Promise<BuildConfigurationResult> {
  const alike = !mayNameVariables(text);
  const known = alike ? recentOfBuilds.get(text) : undefined;
  if (known) return known;
  const facts = {
    standard: Object.fromEntries(Object.entries(standard).filter(([name]) => definitionVariables.includes(name))),
    own,
  };
  // The replaced text counts too: a short text can name a long variable.
  if (text.length <= tasks['build.parse'].smallSize && JSON.stringify(facts).length <= 4 * 1024) {
    const result = parseBuildConfiguration(text, facts);
    if (alike) recentOfBuilds.keep(text, result);
    return result;
  }
  return outsideTransaction(
    () => `build.parse ${digest(text, facts)}`,
    () => orTooDear(services.workers.run('build.parse', callerOf(actor), { text, facts })),
  );
}

/** Parses the JSON text of a pipeline upload: a large one in a thread, never inside a transaction. */
export async function parseUpload({ services, actor }: Reader, text: string): Promise<ParseResult> {
  if (text.length <= tasks['upload.parse'].smallSize) return parseUploadText(text);
  return outsideTransaction(`upload.parse ${text}`, () =>
    orTooDear(services.workers.run('upload.parse', callerOf(actor), { text })),
  );
}

const recent = new DefinitionMemory<ParseResult>(definitionBytes);
/** Of texts that are the same for every build. */
const recentOfBuilds = new DefinitionMemory<BuildConfigurationResult>(definitionBytes);

/** What the results that are kept take together. */
export function useOfDefinitions(): MemoryUse {
  const [some, others] = [recent.use(), recentOfBuilds.use()];
  return { bytes: some.bytes + others.bytes, budget: some.budget + others.budget };
}

/** Whether a text may name a variable, also by an escape of YAML for the sign. */
const mayNameVariables = (text: string) => /[$\\]/.test(text);

async function orTooDear<Result>(work: Promise<Result>): Promise<Result | (ParseResult & { ok: false })> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof TaskTooDear)) throw error;
    return { ok: false, problems: [{ path: '', message: `The definition takes too much ${error.limit} to be read.` }] };
  }
}

function digest(...parts: unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64');
}

/** Parses visual steps; the environment given beside them becomes the definition's. */
export function parseVisual(steps: Json, env: Record<string, string>): ParseResult {
  const result = visualSteps(steps, parseOptions);
  return result.ok ? { ok: true, definition: { ...result.definition, env } } : result;
}

function refused(message: string): ParseResult {
  return { ok: false, problems: [{ path: '', message }] };
}
