import type { Context } from '../../context.js';
import { invalidField, wrongState } from '../../domain/problem.js';
import { readDocument } from '../../domain/steps/document.js';
import { definitionEnvironment, interpolateDefinition } from '../../domain/steps/interpolate-definition.js';
import { InterpolationError } from '../../domain/steps/interpolate.js';
import { parsePipeline } from '../../domain/steps/parse.js';
import type { ParseResult, PipelineDefinition } from '../../domain/steps/step.js';
import type { PipelineRow } from '../../entities/database.js';
import { loadOrNull } from '../../loaders.js';
import { parseOptions, parseVisual } from '../pipelines/definition.js';

/** Standard variables known before a build's jobs are, and the build's own environment. */
export interface InterpolationFacts {
  standard: Record<string, string>;
  own: Record<string, string>;
}

/**
 * The steps a build of this pipeline runs: its template's configuration where it has a template, else its own YAML
 * or visual steps, interpolated with what the build knows (rest-facts 4.7). Refuses with a sentence for the caller.
 */
export async function buildDefinition(context: Context, pipeline: PipelineRow, facts: InterpolationFacts): Promise<PipelineDefinition> {
  const template = await loadOrNull(context.load.pipelineTemplate, pipeline.pipelineTemplateId);
  if (pipeline.pipelineTemplateId !== null && !template) throw invalidField('configuration', 'The pipeline template does not exist.');
  const text = template ? template.configuration : pipeline.configuration;
  const result = text === null ? parseVisual(pipeline.visualSteps ?? [], pipeline.env ?? {}) : parseText(text, facts);
  if (!result.ok) {
    const [problem] = result.problems;
    throw invalidField(problem?.path || 'configuration', problem?.message ?? 'The pipeline has no steps that can be read.');
  }
  return result.definition;
}

function parseText(text: string, { standard, own }: InterpolationFacts): ParseResult {
  const document = readDocument(text);
  if (!document.ok) return document;
  try {
    return parsePipeline(interpolateDefinition(document.document, definitionEnvironment(standard, own)), parseOptions);
  } catch (error) {
    if (error instanceof InterpolationError) throw wrongState(`The pipeline's steps could not be interpolated: ${error.message}`);
    throw error;
  }
}
