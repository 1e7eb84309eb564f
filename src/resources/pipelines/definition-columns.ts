import type { Context } from '../../request/context.js';
import { type FieldProblem, invalid } from '../../domain/problem.js';
import { withinSizes } from '../../domain/pipelines/steps/definition-sizes.js';
import type { JsonObject, ParseResult } from '../../domain/pipelines/steps/step.js';
import { parseConfiguration, parseVisual } from '../../engine/new-builds/parse-definition.js';

/** Fields of a request that define a pipeline's steps. */
export interface DefinitionInput {
  configuration?: string | null;
  steps?: unknown[] | null;
  env?: Record<string, string> | null;
}

/** Columns of a pipeline's own steps: YAML, or visual steps with their environment, or none beside a template. */
export interface DefinitionColumns {
  configuration: string | null;
  visualSteps: JsonObject[] | null;
  env: Record<string, string> | null;
}

export const noDefinition: DefinitionColumns = { configuration: null, visualSteps: null, env: null };

/** The documented refusal of a pipeline without steps. */
export const configurationMissing: FieldProblem = {
  field: 'configuration',
  code: 'Step configuration is missing, expected `steps: { yaml: "..." }`',
};

/** Whether a request contains YAML; blank text counts as absent, because clients send it with a template. */
export function hasConfiguration({ configuration }: DefinitionInput): boolean {
  return configuration != null && configuration.trim() !== '';
}

/**
 * Validates the steps of a request and returns their columns: YAML wins over visual steps and ignores `env`. Null
 * without steps. Throws one problem per error, at most ten.
 */
export async function definitionColumns(context: Context, input: DefinitionInput): Promise<DefinitionColumns | null> {
  if (hasConfiguration(input)) {
    const configuration = input.configuration as string;
    accept(withinSizes(await parseConfiguration(context, configuration)), (path, message) => ({
      field: 'configuration',
      code: path === '' ? message : `${path}: ${message}`,
    }));
    return { ...noDefinition, configuration };
  }
  if (!input.steps) return null;
  const visualSteps = input.steps as JsonObject[];
  const env = input.env ?? {};
  accept(withinSizes(parseVisual(visualSteps, env)), (path, message) => ({
    field: path === '' ? 'steps' : path,
    code: message,
  }));
  return { configuration: null, visualSteps, env };
}

const problemsShown = 10;

function accept(result: ParseResult, toField: (path: string, message: string) => FieldProblem): void {
  if (!result.ok)
    throw invalid(result.problems.slice(0, problemsShown).map(({ path, message }) => toField(path, message)));
}
