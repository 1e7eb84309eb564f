import { matchesBranch } from '../../domain/branch-pattern.js';
import { evaluateCondition, type ConditionFacts } from '../../domain/conditional/condition.js';
import { wrongState } from '../../domain/problem.js';
import { expandStep, type BuildFacts, type PlannedJob } from '../../domain/steps/expand.js';
import type { GroupStep, PipelineDefinition, Step } from '../../domain/steps/step.js';

export type PlainStep = Exclude<Step, GroupStep>;

/** One step of a planned build, in pipeline order; children follow their group. */
export interface PlannedStep {
  id: string;
  groupId: string | null;
  position: number;
  step: Step;
  jobs: { id: string; plan: PlannedJob }[];
}

/** What of a build decides which of its steps run. */
export interface PlanFacts {
  branch: string;
  conditions: ConditionFacts;
}

/**
 * Lays a definition out as steps with their jobs, ids given, nothing stored. Positions count from `first`.
 * A condition that cannot be evaluated refuses the build: better than running what its author excluded.
 */
export function planSteps(definition: PipelineDefinition, facts: PlanFacts, newId: () => string, first = 0): PlannedStep[] {
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
      if (!result.ok) throw wrongState(`The condition \`${expression}\` could not be evaluated: ${result.message} (column ${result.column})`);
      return result.value;
    },
  };
}
