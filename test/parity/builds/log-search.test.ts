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
    const { q: text, regexp, per_page: first, state, cursor: after, created_from, created_to, ...same } = query;
    const variables = {
      text,
      regexp: regexp === 'true',
      first: first === undefined ? 30 : Number(first),
      ...(state === undefined ? {} : { passed: state === 'passed' }),
      after,
      createdAtFrom: created_from,
      createdAtTo: created_to,
      ...same,
    };
    const select = `query ($text: String!, $regexp: Boolean!, $first: Int!, $passed: Boolean, $after: String,
      $createdAtFrom: DateTime, $createdAtTo: DateTime, $pipeline: String, $branch: String, $step: String) {
      organization(slug: "acme") { logSearch(text: $text, regexp: $regexp, first: $first, passed: $passed, after: $after,
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
    ['q=a&state=broke', 400],
    [`q=${'a'.repeat(1_001)}`, 422],
  ])('"%.20s" is refused with %i', async (query, status) => {
    const reply = await surfaces.rest(['get', `/organizations/acme/logs/search?${query}`]);
    expect([reply.status, typeof reply.body.message]).toEqual([status, 'string']);
  });
});
