import { type Check, defineCheck, examineLocked, findingOf, firstId, pageOf } from '../check.js';
import { countsOfBuild } from './counts.js';
import { durations } from './durations.js';
import { isBuildFinished } from '../../../../domain/builds/build-state.js';
import { secondLook } from '../second-look.js';
import { type CheckedBuild, namedBuilds, readBuilds } from './facts.js';
import { rollupOfJobs } from './rollup-of-jobs.js';
import { retriesInPaths } from './retries-in-paths.js';
import type { BuildRule } from './rule.js';
import { deadlinesOfJobs, holdersOfJobs, triggersOfJobs } from './stuck-jobs.js';

const atOnce = 50;

/** In this order: the state of a build follows from that of its jobs, and both from which of them are retried. */
const rules: readonly BuildRule[] = [
  retriesInPaths,
  durations,
  deadlinesOfJobs,
  holdersOfJobs,
  triggersOfJobs,
  rollupOfJobs,
  countsOfBuild,
];

interface Suspect {
  buildId: string;
  rule: string;
}

/** All builds, with all rules. */
export const buildChecks: Check = defineCheck<Suspect>({
  name: 'builds',
  page: async ({ db, clock }, after, organizationId) => {
    const rows = await namedBuilds(db)
      .$if(organizationId !== null, (query) => query.where('b.organizationId', '=', organizationId ?? ''))
      .where('b.id', '>', after ?? firstId)
      .orderBy('b.id')
      .limit(atOnce)
      .execute();
    const now = clock.now();
    const isWrong = (facts: CheckedBuild) => rules.some(({ problems }) => isSuspect(() => problems(facts, now)));
    const wrong = (await readBuilds(db, rows)).filter(isWrong);
    // What ends while it is looked at has more rows the second time; only what is over may be in a deletion.
    const isOver = ({ build }: CheckedBuild) => isBuildFinished(build.state);
    const over = await secondLook(
      wrong.filter(isOver),
      ({ build }) => build.id,
      async (ids) => readBuilds(db, await namedBuilds(db).where('b.id', 'in', ids).execute()),
      ({ jobs, scheduled, events, appliedUploads }) =>
        [jobs.length, scheduled.steps.length, events?.count, appliedUploads].join(' '),
    );
    const suspects = [...wrong.filter((facts) => !isOver(facts)), ...over].flatMap((facts) =>
      rules.flatMap(({ name, problems }) =>
        isSuspect(() => problems(facts, now)) ? [{ buildId: facts.build.id, rule: name }] : [],
      ),
    );
    return pageOf(rows, atOnce, suspects);
  },
  examine: examineLocked(async (context, { buildId, rule: name }, repairs) => {
    const rule = rules.find((each) => each.name === name);
    const rows = await namedBuilds(context.db).where('b.id', '=', buildId).forUpdate('b').execute();
    const [facts] = await readBuilds(context.db, rows);
    if (!rule || !facts) return [];
    const problems = rule.problems(facts, context.now);
    if (repairs && problems.some(({ remedy }) => remedy !== null)) {
      const build = await context.db
        .selectFrom('builds')
        .selectAll()
        .where('id', '=', buildId)
        .executeTakeFirstOrThrow();
      await rule.mend(context, facts, build);
    }
    return problems.map((problem) => findingOf(problem, repairs));
  }),
});

/** A rule that cannot read the rows throws again under the lock, where that is a finding. */
function isSuspect(problems: () => readonly unknown[]): boolean {
  try {
    return problems().length > 0;
  } catch {
    return true;
  }
}
