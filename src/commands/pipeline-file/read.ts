import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { findPipeline } from '../../agent/pipeline-upload/find-pipeline.js';
import { PipelineTextError } from '../../agent/pipeline-upload/pipeline-text.js';
import { raiseLimits, readLimits } from '../../domain/limits/raised-limits.js';
import { stepsInCycles } from '../../domain/builds/definition-cycles.js';
import { parseConfigurationText } from '../../domain/pipelines/steps/configuration.js';
import { nearestName } from '../../domain/nearest-name.js';
import { readDocument } from '../../domain/pipelines/steps/document.js';
import { parsePipeline } from '../../domain/pipelines/steps/parse.js';
import { undefinedVariables } from '../../domain/pipelines/steps/undefined-variables.js';
import { placeProblems, type PlacedProblem } from '../../domain/pipelines/steps/place.js';
import type { DefinitionProblem, PipelineDefinition } from '../../domain/pipelines/steps/step.js';
import { WrongUsage } from '../wrong-usage.js';

/** A pipeline file and its text; messages refer to it by `name`. */
export interface PipelineFile {
  name: string;
  text: string;
}

export type ReadPipeline = { ok: true; definition: PipelineDefinition } | { ok: false; problems: PlacedProblem[] };

/**
 * Reads a pipeline file, `-` for stdin, by default the one that `buildkite-agent pipeline upload` would find in
 * `folder`.
 * @throws WrongUsage if there is none or it cannot be read
 */
export function openPipelineFile(name: string | undefined, folder: string): PipelineFile {
  if (name === '-') return { name: 'stdin', text: readText(0, 'stdin') };
  const path = resolve(folder, name ?? defaultFile(folder));
  const shown = relative(process.cwd(), path);
  return { name: shown, text: readText(path, shown) };
}

function defaultFile(folder: string): string {
  try {
    return findPipeline(folder);
  } catch (error) {
    if (error instanceof PipelineTextError) throw new WrongUsage(error.message);
    throw error;
  }
}

function readText(file: string | number, name: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new WrongUsage(`${name} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** Parses a pipeline as a server with the same `LIMITS` does; steps that wait for themselves are problems too. */
export function parsePipelineFile({ text }: PipelineFile): ReadPipeline {
  raiseLimits(readLimits(process.env['LIMITS'] ?? '').values);
  const result = parseConfigurationText(text);
  if (!result.ok) return { ok: false, problems: placeProblems(text, result.problems) };
  const cyclic = stepsInCycles(result.definition);
  return cyclic.length > 0 ? { ok: false, problems: placeProblems(text, cyclic) } : result;
}

/**
 * What a server accepts in a pipeline and its author hardly meant: attributes that nothing reads and variables that
 * nothing defines. `misspelt` are those attributes that are nearly one that is read.
 */
export function lintPipelineFile({ text }: PipelineFile): { misspelt: PlacedProblem[]; warnings: PlacedProblem[] } {
  const misspelt: DefinitionProblem[] = [];
  const warnings: DefinitionProblem[] = [];
  parsePipeline(text, {
    onUnknown: ({ path, name, known }) => {
      const nearest = nearestName(name, known);
      if (nearest !== null)
        misspelt.push({ path, message: `There is no attribute "${name}"; did you mean "${nearest}"?` });
      // Names at the top are for anchors that steps refer to.
      else if (path !== name) warnings.push({ path, message: `Nothing reads the attribute "${name}".` });
    },
  });
  const document = readDocument(text);
  if (document.ok)
    for (const { path, name } of undefinedVariables(document.document))
      warnings.push({
        path,
        message:
          `Nothing here defines $${name}, which is replaced when the build is created or the file is ` +
          `uploaded; write $$${name} for a variable of the shell.`,
      });
  return { misspelt: placeProblems(text, misspelt), warnings: placeProblems(text, warnings) };
}

/** A line of a problem in the form that editors jump to: `file:line:column: message`. */
export function describeProblem({ name }: PipelineFile, { line, column, path, message }: PlacedProblem): string {
  return `${name}:${line}:${column}: ${path === '' ? '' : `${path}: `}${message}`;
}
