import { limits } from '../../src/domain/limits/limits.js';
import type { Finding } from '../../src/resources/installation/check/check.js';
import { runChecks } from '../../src/resources/installation/check/run-checks.js';
import { claimStorage } from '../../src/resources/installation/storage/claim-storage.js';
import { checkSecretKeys } from '../../src/resources/installation/secret-keys/check.js';
import { runUntilIdle } from '../support/run-until-idle.js';
import { World } from '../support/world.js';
import { type Damage, damageAll, finishedBuild } from './damages.js';

const lineOf = ({ promise, subject, is, expected }: Finding) =>
  `${promise} ${subject}: is ${is}; should be ${expected}`;

async function check(world: World, repairs = false, after?: string, organizationId?: string): Promise<Finding[]> {
  const findings: Finding[] = [];
  for await (const finding of runChecks(world.services, { repairs, after, organizationId })) findings.push(finding);
  return findings;
}

describe('a check of an installation that was damaged behind its back', () => {
  let world: World;
  let damages: Damage[];
  let findings: Finding[];
  beforeAll(async () => {
    world = await World.create();
    await checkSecretKeys(world.services);
    await claimStorage(world.services);
    await runUntilIdle(world.services);
    damages = await damageAll(world);
    // Objects have the time of the machine, and are nobody's only after some days.
    world.clock.set(new Date(Date.now() + (limits.orphanDays + 1) * 86_400_000));
    findings = await check(world);
  }, 120_000);
  afterAll(() => world.close());

  test('finds each damage, says what is and what should be, and finds nothing else', () => {
    const lines = findings.map(lineOf);
    expect(damages.length).toBeGreaterThan(20);
    expect(damages.filter(({ finding }) => !lines.some((line) => finding.test(line))).map(({ what }) => what)).toEqual(
      [],
    );
    expect(lines.filter((line) => !damages.some(({ finding }) => finding.test(line)))).toEqual([]);
  });

  test('changes nothing unless it is asked to', async () => {
    expect(findings.filter(({ mended }) => mended)).toEqual([]);
    expect((await check(world)).map(lineOf)).toEqual(findings.map(lineOf));
  });

  test('of one organization finds what is its own, and nothing of another', async () => {
    const nobody = await check(world, false, undefined, '99999999-9999-4999-8999-999999999999');
    expect(nobody.map(lineOf)).toEqual([]);
    const own = (await check(world, false, undefined, world.organization.id)).map(lineOf);
    expect(own.length).toBeGreaterThan(15);
    expect(findings.map(lineOf)).toEqual(expect.arrayContaining(own));
    for (const promise of ['I3', 'I5', 'I7', 'I8', 'I12', 'I19'])
      expect(own.some((line) => line.startsWith(`${promise} `))).toBe(true);
  });

  test('mends what can be mended, and finds nothing once the rest was done by hand', async () => {
    const outcomes = await check(world, true);
    const remaining = outcomes.filter(({ mended }) => !mended).map(lineOf);
    const byHand = damages.filter((damage) => damage.byHand);
    expect(remaining.filter((line) => !byHand.some(({ finding }) => finding.test(line)))).toEqual([]);
    expect((await check(world)).map(lineOf).sort()).toEqual(remaining.sort());
    for (const damage of byHand) await damage.byHand?.();
    expect((await check(world)).map(lineOf)).toEqual([]);
    await runUntilIdle(world.services);
    expect((await check(world)).map(lineOf)).toEqual([]);
  });

  test('one row that cannot be read is a finding, and stops no other', async () => {
    const broken = await finishedBuild(world);
    const wrong = await finishedBuild(world);
    const { db } = world.services;
    await db.updateTable('steps').set({ definition: {} }).where('buildId', '=', broken.build.id).execute();
    await db.updateTable('builds').set({ uploadCount: 3 }).where('id', '=', wrong.build.id).execute();
    const lines = (await check(world)).map(lineOf);
    expect(lines.some((line) => line.includes(broken.build.id) && line.includes('cannot be looked at'))).toBe(true);
    expect(lines.some((line) => line.includes('upload_count 3'))).toBe(true);
  });
});
