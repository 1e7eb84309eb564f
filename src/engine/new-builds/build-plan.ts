import { matchesBranch } from '../../domain/pipelines/branch-pattern.js';
import { evaluateCondition, type ConditionFacts } from '../../domain/pipelines/conditions/condition.js';
import { wrongState } from '../../domain/problem.js';
import { expandStep, type BuildFacts, type PlannedJob } from '../../domain/pipelines/steps/expand.js';
import type { PipelineDefinition, Step } from '../../domain/pipelines/steps/step.js';

/** One step of a planned build, in pipeline order; children follow their group. */
export interface PlannedStep {
  id: string;
  groupId: string | null;
  position: number;
  step: Step;
  jobs: { id: string; plan: PlannedJob }[];
}

/** Build facts that step conditions read. */
export interface PlanFacts {
  branch: string;
  conditions: ConditionFacts;
}

/**
 * Plans the steps of a definition and their jobs, with ids, without storing them. Positions count from `first`. Throws
 * if a condition cannot be evaluated, because running steps that their author excluded would be worse.
 */
export function planSteps(
  definition: PipelineDefinition,
  facts: PlanFacts,
  newId: () => string,
  first = 0,
): PlannedStep[] {
  const expansion = expansionFacts(facts);
  const planned: PlannedStep[] = [];
  const add = (step: Step, groupId: string | null): string => {
    const id = newId();
    const jobs = step.type === 'group' ? [] : expandStep(step, expansion).map((plan) => ({ id: newId(), plan }));
    planned.push({ id, groupId, position: first + planned.length, step, jobs });
    return id;
  };
  for (const step of definition.steps) {
    const id = add(step, null);
    if (step.type === 'group') for (const child of step.steps) add(child, id);
  }
  return planned;
}

function expansionFacts({ branch, conditions }: PlanFacts): BuildFacts {
  return {
    branchMatches: (patterns) => matchesBranch(patterns, branch),
    conditionHolds: (expression) => {
      const result = evaluateCondition(expression, conditions, 'build_condition');
      if (!result.ok)
        throw wrongState(
          `The condition \`${expression}\` could not be evaluated: ${result.message} (column ${result.column})`,
        );
      return result.value;
    },
  };
}
