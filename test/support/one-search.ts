import type { BuildRow, NewRow } from '../../src/entities/database.js';
import type { World } from './world.js';

const sha = (digit: number) => String(digit).repeat(40);

/**
 * Leaves a search for the culprit of a build that has ended with suspects, with two tests: one of the build itself, and
 * one whose build is gone. `fields` replace those of the search.
 */
export async function leaveSearch(
  world: World,
  build: Pick<BuildRow, 'id' | 'organizationId' | 'pipelineId' | 'branch'>,
  fields: Partial<NewRow<'culprit_searches'>> = {},
): Promise<string> {
  const { db } = world.services;
  const id = world.system().newId();
  const now = world.clock.now();
  const { organizationId, pipelineId, branch } = build;
  const row = {
    id,
    organizationId,
    pipelineId,
    buildId: build.id,
    state: 'finished' as const,
    branch,
    steps: [{ id, key: 'test', label: ':test_tube: Test' }],
    plan: [{ id, dependsOn: [] }],
    goodCommit: sha(1),
    goodBuildId: build.id,
    badCommit: sha(5),
    badBuildId: build.id,
    commits: [sha(2), sha(3), sha(4), sha(5)],
    commitsFrom: 'provider' as const,
    firstSuspect: 2,
    lastSuspect: 3,
    reason: 'The commits between could not be judged.',
    createdById: world.admin.id,
    createdAt: now,
    deadlineAt: now,
    finishedAt: now,
    ...fields,
  };
  await db.insertInto('culprit_searches').values(row).execute();
  const test = { searchId: id, organizationId, createdAt: now, judgedAt: now };
  await db
    .insertInto('culprit_builds')
    .values([
      { ...test, position: 1, buildId: build.id, verdict: 'good' },
      { ...test, position: 2, buildId: id, verdict: 'skipped', reason: 'Its build was deleted.' },
    ])
    .execute();
  return id;
}
