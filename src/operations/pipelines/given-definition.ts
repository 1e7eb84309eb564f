import { type FieldProblem, invalid } from '../../domain/problem.js';
import type { JsonObject, ParseResult } from '../../domain/steps/step.js';
import { parseConfiguration, parseVisual } from './definition.js';

/** What a request says about a pipeline's steps. */
export interface GivenDefinition {
  configuration?: string | null;
  steps?: unknown[] | null;
  env?: Record<string, string> | null;
}

/** The columns that hold a pipeline's own steps: YAML, or visual steps with their environment, or none beside a template. */
export interface DefinitionColumns {
  configuration: string | null;
  visualSteps: JsonObject[] | null;
  env: Record<string, string> | null;
}

export const noDefinition: DefinitionColumns = { configuration: null, visualSteps: null, env: null };

/** The documented refusal of a pipeline without steps (rest-facts 1.4). */
export const configurationMissing: FieldProblem = {
  field: 'configuration',
  code: 'Step configuration is missing, expected `steps: { yaml: "..." }`',
};

/** Whether a request carries YAML; blank text is none, as clients send it beside a template (compatibility 11). */
export function hasConfiguration({ configuration }: GivenDefinition): boolean {
  return configuration != null && configuration.trim() !== '';
}

/**
 * Checks the steps a request gives and returns them as columns: YAML wins over visual steps and ignores `env`
 * (rest-facts 2.1.4). Null where it gives none. Refuses with one entry a problem, at most ten.
 */
export function definitionColumns(given: GivenDefinition): DefinitionColumns | null {
  if (hasConfiguration(given)) {
    const configuration = given.configuration as string;
    accept(parseConfiguration(configuration), (path, message) => ({ field: 'configuration', code: path === '' ? message : `${path}: ${message}` }));
    return { ...noDefinition, configuration };
  }
  if (!given.steps) return null;
  const visualSteps = given.steps as JsonObject[];
  const env = given.env ?? {};
  accept(parseVisual(visualSteps, env), (path, message) => ({ field: path === '' ? 'steps' : path, code: message }));
  return { configuration: null, visualSteps, env };
}

const problemsShown = 10;

function accept(result: ParseResult, toField: (path: string, message: string) => FieldProblem): void {
  if (!result.ok) throw invalid(result.problems.slice(0, problemsShown).map(({ path, message }) => toField(path, message)));
}
