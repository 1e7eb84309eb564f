import type { Context } from '../../request/context.js';
import { invalidField, wrongState } from '../../domain/problem.js';
import { withinSizes } from '../../domain/pipelines/steps/definition-sizes.js';
import type { InterpolationFacts } from '../../domain/pipelines/steps/configuration.js';
import type { PipelineDefinition } from '../../domain/pipelines/steps/step.js';
import type { PipelineRow } from '../../entities/database.js';
import { loadOrNull } from '../../loaders/batch-loader.js';
import { parseForBuild, parseVisual } from './parse-definition.js';

/**
 * Loads the definition for a build of this pipeline: its template's configuration, else its own YAML or visual steps,
 * interpolated with the build's facts. Throws `invalid` or `wrong_state` with a sentence for the caller.
 */
export async function definitionForBuild(
  context: Context,
  pipeline: PipelineRow,
  facts: InterpolationFacts,
): Promise<PipelineDefinition> {
  const template = await loadOrNull(context.load.pipelineTemplate, pipeline.pipelineTemplateId);
  if (pipeline.pipelineTemplateId !== null && !template)
    throw invalidField('configuration', 'The pipeline template does not exist.');
  const text = template ? template.configuration : pipeline.configuration;
  const result =
    text === null
      ? withinSizes(parseVisual(pipeline.visualSteps ?? [], pipeline.env ?? {}))
      : await parseForBuild(context, text, facts);
  if ('interpolation' in result)
    throw wrongState(`The pipeline's steps could not be interpolated: ${result.interpolation}`);
  if (!result.ok) {
    const [problem] = result.problems;
    throw invalidField(
      problem?.path || 'configuration',
      problem?.message ?? 'The pipeline has no steps that can be read.',
    );
  }
  return result.definition;
}
