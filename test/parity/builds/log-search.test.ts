import type { Express } from 'express';
import { BothSurfaces, type Data } from '../../support/both-surfaces.js';
import { agentApp, ScriptedAgent } from '../../support/scripted-agent.js';
import { runUntilIdle } from '../../support/run-until-idle.js';
import type { Person } from '../../support/world.js';
import { logSearch, logSearchFields } from '../reads/failures.js';

const chunkBytes = 100_000;

describe('search in the logs of all jobs, the same on both surfaces', () => {
  let surfaces: BothSurfaces;
  let agents: Express;
  const builds: Record<string, Data> = {};
  beforeAll(async () => {
    surfaces = await BothSurfaces.open({ plan: 'enterprise' });
    agents = agentApp(surfaces.world);
    await surfaces.world.pipeline('steps: [{ command: make, key: make, label: Make }]', { slug: 'one' });
    await surfaces.world.pipeline('steps: [{ command: test }]', { slug: 'two' });
    builds['old'] = await run('one', 'first\nthe needle is here\nlast\n', { branch: 'main' });
    builds['red'] = await run('one', 'a \u001b[1mneed\u001b[0mle\n', { branch: 'topic/x', status: 1 });
    builds['many'] = await run('two', 'needle 1\nno\nneedle 2\nneedle 3\nneedle 4\n', { branch: 'main' });
  });
  afterAll(() => surfaces.close());

  async function run(slug: string, log: string, { branch = 'main', status = 0 } = {}): Promise<Data> {
    const path = `/organizations/acme/pipelines/${slug}/builds`;
    const made = await surfaces.read(['post', path, { commit: 'HEAD', branch }]);
    await runUntilIdle(surfaces.world.services);
    const runner = await ScriptedAgent.connected(agents, surfaces.world.agentToken, { name: 'one' });
    const job = await runner.takeJob();
    const bytes = Buffer.from(log);
    for (let from = 0, sequence = 1; from < bytes.length; from += chunkBytes, sequence += 1)
      await runner.chunk(job, sequence, from, bytes.subarray(from, from + chunkBytes)).expect(201);
    surfaces.world.clock.advance(2);
    await runner.finish(job, { exit_status: String(status) }).expect(200);
    await runner.call('post', '/disconnect').expect(200);
    await runUntilIdle(surfaces.world.services);
    return made;
  }

  /** One page, which both surfaces give alike. */
  async function page(query: Record<string, string>, person?: Person): Promise<Data> {
    const rest = await surfaces.read(
      ['get', `/organizations/acme/logs/search?${new URLSearchParams(query).toString()}`],
      person,
    );
    const {
      q: text,
      in: place,
      regexp,
      per_page: first,
      state,
      cursor: after,
      created_from,
      created_to,
      ...same
    } = query;
    const variables = {
      text: text ?? '',
      in: (place ?? 'logs').toUpperCase(),
      regexp: regexp === 'true',
      first: first === undefined ? 30 : Number(first),
      ...(state === undefined ? {} : { passed: state === 'passed' }),
      after,
      createdAtFrom: created_from,
      createdAtTo: created_to,
      ...same,
    };
    const select = `query ($text: String!, $in: LogSearchPlaces, $cluster: String, $regexp: Boolean!, $first: Int!, $passed: Boolean, $after: String,
      $createdAtFrom: DateTime, $createdAtTo: DateTime, $pipeline: String, $branch: String, $step: String) {
      organization(slug: "acme") { logSearch(text: $text, in: $in, cluster: $cluster, regexp: $regexp, first: $first, passed: $passed, after: $after,
        createdAtFrom: $createdAtFrom, createdAtTo: $createdAtTo, pipeline: $pipeline, branch: $branch, step: $step)
        ${logSearchFields} } }`;
    const answer = (await surfaces.select([select, variables], person)).organization;
    expect(logSearch(answer.logSearch)).toEqual(rest);
    return rest;
  }

  const found = ({ matches }: Data) =>
    matches.map(({ pipeline_slug: pipeline, build_number: build, line }: Data) => `${pipeline} ${build}:${line}`);

  test('lines of the newest job first, with their numbers and pages', async () => {
    const all = await page({ q: 'NEEDLE' });
    expect(found(all)).toEqual(['two 1:1', 'two 1:3', 'two 1:4', 'two 1:5', 'one 2:1', 'one 1:2']);
    expect(all).toMatchObject({ complete: true, cursor: null });
    const [job] = builds['old'].jobs;
    expect(all.matches.at(-1)).toEqual({
      build_number: 1,
      pipeline_slug: 'one',
      job_id: job.id,
      line: 2,
      text: 'the needle is here',
      url: `${builds['old'].web_url}#${job.id}/L2`,
      cluster: null,
    });
    expect(all.matches.at(-2).text).toBe('a needle');
  });

  test.each([1, 2, 3, 4, 5, 6, 7])('pages of %i lines give each line once', async (size) => {
    const lines: string[] = [];
    let cursor: string | undefined;
    for (let pages = 0; pages < 10; pages += 1) {
      const result: Data = await page({ q: 'needle', per_page: String(size), ...(cursor ? { cursor } : {}) });
      lines.push(...found(result));
      if (result.complete) break;
      ({ cursor } = result);
    }
    expect(lines).toEqual(['two 1:1', 'two 1:3', 'two 1:4', 'two 1:5', 'one 2:1', 'one 1:2']);
  });

  test.each([
    ['of a pipeline', { pipeline: 'one' }, ['one 2:1', 'one 1:2']],
    ['of a pipeline that is not there', { pipeline: 'none' }, []],
    ['of a branch', { branch: 'topic/*' }, ['one 2:1']],
    ['of failed jobs', { state: 'failed' }, ['one 2:1']],
    ['of a step by its key', { step: 'make' }, ['one 2:1', 'one 1:2']],
    ['of a step by its label', { step: 'Make' }, ['one 2:1', 'one 1:2']],
    ['by a regular expression', { q: '^needle [23]$', regexp: 'true' }, ['two 1:3', 'two 1:4']],
    ['of a time', { created_to: '2000-01-01T00:00:00.000Z' }, []],
  ])('only logs %s', async (_what, filters: Record<string, string>, wanted) => {
    expect(found(await page({ q: 'needle', ...filters }))).toEqual(wanted);
  });

  test('of a log of several mebibytes the lines have the numbers that they have in the whole', async () => {
    const filler = `${'x'.repeat(79)}\n`.repeat(40_000);
    await run('two', `${filler}a rare word\n${filler}`);
    const result = await page({ q: 'rare word' });
    expect(found(result)).toEqual(['two 2:40001']);
    expect(result.scanned_bytes).toBeLessThan(1_200_000);
    // Of an expression nothing is known beforehand, and all of the log is read.
    const expression = await page({ q: '^\\w\\sr\\wre?', regexp: 'true' });
    expect(found(expression)).toEqual(['two 2:40001']);
    expect(expression.scanned_bytes).toBeGreaterThan(6_000_000);
  });

  describe('in what is kept of failed jobs', () => {
    const clusters: Data = {};
    beforeAll(async () => {
      await surfaces.world.pipeline('steps: [{ command: sail, key: sail }]', { slug: 'three' });
      await surfaces.world.pipeline('steps: [{ command: row, key: row }]', { slug: 'four' });
      await run('three', 'got 3 ropes\nerror: calm seas\n', { status: 1 });
      await run('three', 'got 4 ropes\nerror: calm seas\nall is well\n');
      builds['storm'] = await run('three', 'got 9 ropes\nerror: storm 7 ahead\n  mast broke\nerror: calm seas\n', {
        branch: 'topic/x',
        status: 1,
      });
      await run('four', 'error: storm 12 ahead\nerror: kühl\nerror: \u212aelvin\n', { status: 2 });
      const all = await page({ q: 'storm', in: 'extracts' });
      clusters['storm'] = all.matches[0].cluster;
    });

    test('lines are found with the cluster of their failure, of the newest job first', async () => {
      const all = await page({ q: 'STORM', in: 'extracts' });
      expect(found(all)).toEqual(['four 1:1', 'three 3:2']);
      expect(all).toMatchObject({ complete: true, cursor: null });
      const [job] = builds['storm'].jobs;
      expect(all.matches.at(-1)).toEqual({
        build_number: 3,
        pipeline_slug: 'three',
        job_id: job.id,
        line: 2,
        text: 'error: storm 7 ahead',
        url: `${builds['storm'].web_url}#${job.id}/L2`,
        cluster: expect.stringMatching(/^[0-9a-f]{32}$/),
      });
    });

    test('a line that a passed run has too is found in whole logs alone', async () => {
      expect(found(await page({ q: 'calm', in: 'extracts' }))).toEqual(['three 1:2']);
      expect(found(await page({ q: 'calm' }))).toEqual(['three 3:4', 'three 2:2', 'three 1:2']);
    });

    test.each([
      ['of a pipeline', { pipeline: 'four' }, ['four 1:1']],
      ['of a pipeline that is not there', { pipeline: 'none' }, []],
      ['of a branch', { branch: 'topic/*' }, ['three 3:2']],
      ['of failed jobs', { state: 'failed' }, ['four 1:1', 'three 3:2']],
      ['of passed jobs', { state: 'passed' }, []],
      ['of a step', { step: 'sail' }, ['three 3:2']],
      ['by an expression', { q: '^error: [st]+orm \\d+', regexp: 'true' }, ['four 1:1', 'three 3:2']],
      ['by an expression in ASCII alone', { q: 'error: .{2}hl', regexp: 'true' }, ['four 1:2']],
      ['by letters in another case', { q: 'KÜHL' }, ['four 1:2']],
      ['by a letter of another script', { q: 'kelvin' }, ['four 1:3']],
      ['before a time', { created_to: '2000-01-01T00:00:00.000Z' }, []],
      ['since a time', { created_from: '2000-01-01T00:00:00.000Z' }, ['four 1:1', 'three 3:2']],
    ])('%s', async (_what, filters: Record<string, string>, wanted) => {
      expect(found(await page({ q: 'storm', in: 'extracts', ...filters }))).toEqual(wanted);
    });

    test('a cluster gives the line that decided of each job that failed alike, and narrows a text', async () => {
      const cluster = clusters['storm'];
      expect(found(await page({ in: 'extracts', cluster }))).toEqual(['four 1:1', 'three 3:2']);
      expect(found(await page({ in: 'extracts', cluster, q: 'mast' }))).toEqual(['three 3:3']);
      expect(found(await page({ in: 'extracts', cluster: 'a'.repeat(32) }))).toEqual([]);
      const [job] = builds['storm'].jobs;
      const failure = await surfaces.read(['get', `/organizations/acme/jobs/${job.id}/failure`]);
      expect(failure).toMatchObject({
        cluster,
        same_failures: 1,
        lines: [
          { line: 2, text: 'error: storm 7 ahead', kind: 'failure_only' },
          { line: 3, text: '  mast broke', kind: 'failure_only' },
        ],
      });
    });

    test('a member of teams finds, and is told the number of, those of the pipelines of the teams alone', async () => {
      const { world } = surfaces;
      const organizationId = world.organization.id;
      const { id: pipelineId } = await world.services.db
        .selectFrom('pipelines')
        .select('id')
        .where('slug', '=', 'three')
        .executeTakeFirstOrThrow();
      const teamId = await world.insert('teams', { organizationId, slug: 'sailors', name: 'Sailors' });
      await world.insert('team_pipelines', { organizationId, teamId, pipelineId, accessLevel: 'read_only' });
      const member = await world.person({ organizationId });
      await world.insert('team_members', { organizationId, teamId, userId: member.id, role: 'member' });
      const teams = (teamsEnabled: boolean) =>
        world.services.db.updateTable('organizations').set({ teamsEnabled }).execute();
      await teams(true);
      const query = { in: 'extracts', cluster: clusters['storm'] };
      expect(found(await page(query, member))).toEqual(['three 3:2']);
      expect(found(await page({ q: 'storm', in: 'extracts' }, member))).toEqual(['three 3:2']);
      expect(found(await page({ q: 'storm', in: 'extracts', pipeline: 'four' }, member))).toEqual([]);
      const failure = `/organizations/acme/jobs/${builds['storm'].jobs[0].id}/failure`;
      expect(await surfaces.read(['get', failure], member)).toMatchObject({ same_failures: 0 });
      await teams(false);
      expect(await surfaces.read(['get', failure], member)).toMatchObject({ same_failures: 1 });
    });

    test.each([1, 2, 3, 9])('pages of %i lines give each line once', async (size) => {
      const lines: string[] = [];
      let cursor: string | undefined;
      for (let pages = 0; pages < 10; pages += 1) {
        const query = { q: 'e', in: 'extracts', per_page: String(size), ...(cursor ? { cursor } : {}) };
        const result: Data = await page(query);
        lines.push(...found(result));
        if (result.complete) break;
        ({ cursor } = result);
      }
      expect(lines).toEqual(['four 1:1', 'four 1:2', 'four 1:3', 'three 3:2', 'three 3:3', 'three 1:2', 'one 2:1']);
    });
  });

  test('a log that the caller may not see is not searched, and one that is deleted is gone', async () => {
    const { world } = surfaces;
    const stranger = await world.person({ organizationId: world.organization.id, scopes: ['read_builds'] });
    expect((await surfaces.rest(['get', '/organizations/acme/logs/search?q=needle'], stranger)).status).toBe(403);
    const [job] = builds['red'].jobs;
    await surfaces.read(['delete', `/organizations/acme/jobs/${job.id}/log`]);
    expect(found(await page({ q: 'needle', pipeline: 'one' }))).toEqual(['one 1:2']);
  });

  test.each([
    ['', 422],
    ['q=', 422],
    ['q=%28&regexp=true', 400],
    ['q=a&cursor=abc', 400],
    ['q=a&in=nowhere', 422],
    ['in=extracts', 422],
    ['in=extracts&cluster=x', 422],
    [`q=a&cluster=${'a'.repeat(32)}`, 422],
    ['in=extracts&q=%28&regexp=true', 400],
    ['q=a&state=broke', 400],
    [`q=${'a'.repeat(1_001)}`, 422],
  ])('"%.20s" is refused with %i', async (query, status) => {
    const reply = await surfaces.rest(['get', `/organizations/acme/logs/search?${query}`]);
    expect([reply.status, typeof reply.body.message]).toEqual([status, 'string']);
  });
});
