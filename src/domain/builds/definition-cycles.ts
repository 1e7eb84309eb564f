import type { DefinitionProblem, PipelineDefinition } from '../pipelines/steps/step.js';
import { DefinitionOrder, placeSteps } from './definition-order.js';

/** Problems of the steps that wait for themselves through their dependencies. */
export function stepsInCycles(definition: PipelineDefinition): DefinitionProblem[] {
  const placed = placeSteps(definition);
  const order = new DefinitionOrder(placed);
  return placed
    .filter((_step, index) => order.isCyclic(index))
    .map(({ path }) => ({
      path: `${path}.depends_on`,
      message: 'The step waits for itself through its dependencies.',
    }));
}
