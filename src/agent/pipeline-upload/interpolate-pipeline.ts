import { interpolate, InterpolationError } from '../../domain/pipelines/steps/interpolate.js';
import { PipelineTextError, type PipelineDocument, type Plain } from './pipeline-text.js';

const maxCharacters = 32 * 1024 * 1024;

/**
 * Replaces variables in every key and text of a pipeline. The `env` at its top comes first, in order: a variable may
 * use those above it, and the rest of the pipeline uses them all, before those of `environment`.
 * @throws PipelineTextError naming the place of a required variable that is not set, or of a malformed expansion
 */
export function interpolatePipeline(
  pipeline: PipelineDocument,
  environment: Readonly<Record<string, string>>,
): PipelineDocument {
  const budget = { characters: maxCharacters };
  const variables = { ...environment };
  const env = pipeline['env'];
  const interpolatedEnv: Record<string, Plain> = {};
  const hasEnv = typeof env === 'object' && env !== null && !Array.isArray(env);
  if (hasEnv) {
    for (const [key, value] of Object.entries(env)) {
      const name = interpolateText(key, variables, 'env', budget);
      const interpolated = interpolateValue(value, variables, `env.${key}`, budget);
      interpolatedEnv[name] = interpolated;
      if (interpolated === null || typeof interpolated !== 'object')
        variables[name] = interpolated === null ? '' : String(interpolated);
    }
  }
  return Object.fromEntries(
    Object.entries(pipeline).map(([key, value]) =>
      key === 'env' && hasEnv
        ? [key, interpolatedEnv]
        : [interpolateText(key, variables, key, budget), interpolateValue(value, variables, key, budget)],
    ),
  );
}

interface Budget {
  characters: number;
}

function interpolateValue(value: Plain, variables: Record<string, string>, place: string, budget: Budget): Plain {
  if (typeof value === 'string') return interpolateText(value, variables, place, budget);
  if (Array.isArray(value))
    return value.map((item, index) => interpolateValue(item, variables, `${place}[${index}]`, budget));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const inner = `${place}.${key}`;
      return [interpolateText(key, variables, inner, budget), interpolateValue(item, variables, inner, budget)];
    }),
  );
}

function interpolateText(text: string, variables: Record<string, string>, place: string, budget: Budget): string {
  let result: string;
  try {
    result = interpolate(text, variables);
  } catch (error) {
    if (error instanceof InterpolationError) throw new PipelineTextError(`${place}: ${error.message}`);
    throw error;
  }
  budget.characters -= result.length;
  if (budget.characters < 0)
    throw new PipelineTextError(`the interpolated pipeline is longer than ${maxCharacters} characters`);
  return result;
}
