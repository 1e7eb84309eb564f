import type { Context } from '../../request/context.js';
import { idIn } from '../../database/id-in.js';
import type { NeededStep } from '../../domain/builds/culprit/needed-steps.js';
import type { CommandStep, PipelineDefinition } from '../../domain/pipelines/steps/step.js';
import type { BuildRow } from '../../entities/database.js';
import { commandDefinition } from '../builds/load-facts.js';

/**
 * The definition of a build that runs some steps of the failed build at another commit, as they are stored; null if
 * they are gone. Conditions are left out, because they held; waits and groups are dependencies. The commit of the
 * failed build in unsigned steps, where its upload put it, becomes the other commit.
 */
export async function culpritDefinition(
  { db }: Context,
  failed: Pick<BuildRow, 'id' | 'commit' | 'pipelineEnv'>,
  plan: readonly NeededStep[],
  commit: string,
): Promise<PipelineDefinition | null> {
  const rows = await db
    .selectFrom('steps')
    .select(['id', 'definition'])
    .where('buildId', '=', failed.id)
    .where(
      idIn(
        'id',
        plan.map(({ id }) => id),
      ),
    )
    .execute();
  const definitions = new Map(
    rows.map((row) => {
      const step = commandDefinition(row);
      return [row.id, step && atCommit(step, failed.commit, commit)];
    }),
  );
  const places = new Map(plan.map(({ id }, index) => [id, index]));
  const keyOf = (id: string) => definitions.get(id)?.key ?? `step-${(places.get(id) ?? 0) + 1}`;
  const isNamed = new Set(plan.flatMap(({ dependsOn }) => dependsOn.map(({ id }) => id)));
  const steps = plan.flatMap(({ id, dependsOn }): CommandStep[] => {
    const step = definitions.get(id);
    if (!step) return [];
    const { notify: _notify, ...fields } = step;
    return [
      {
        ...fields,
        key: step.key ?? (isNamed.has(id) ? keyOf(id) : null),
        if: null,
        branches: null,
        skip: false,
        dependsOn: dependsOn.map((each) => ({ step: keyOf(each.id), allowFailure: each.allowFailure })),
        allowDependencyFailure: false,
        cancelOnBuildFailing: false,
      },
    ];
  });
  if (steps.length < plan.length) return null;
  return {
    env: failed.pipelineEnv,
    agents: [],
    priority: 0,
    image: null,
    secrets: null,
    notify: [],
    checkout: null,
    cache: null,
    steps,
  };
}

/** Agents verify the text of a signed step, which therefore stays as it is. */
function atCommit(step: CommandStep, from: string, to: string): CommandStep {
  if (step.signature !== null) return step;
  return JSON.parse(JSON.stringify(step).replaceAll(from, to)) as CommandStep;
}
