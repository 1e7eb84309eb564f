import { BothSurfaces, type Data } from '../../support/both-surfaces.js';
import { RedBranch, shaOf } from '../../support/red-branch.js';

test("'culprit-search.create' and 'culprit-search.cancel' do and refuse the same on both surfaces", async () => {
  const surfaces = await BothSurfaces.open();
  try {
    const branch = await RedBranch.of(surfaces.world, 'steps: [{ label: test, key: test, command: test }]', {
      slug: 'red',
    });
    await branch.build(1);
    const [one, other] = [await branch.build(5, { test: 1 }), await branch.build(6, { test: 1 })];
    const pipeline = '/organizations/acme/pipelines/red';
    const commits = [2, 3, 4].map(shaOf);
    const fields = `uuid state branch goodCommit badCommit commitsCount commitsFrom suspectsCount steps { key label }`;
    const create = `mutation ($input: CulpritSearchCreateInput!) {
      culpritSearchCreate(input: $input) { culpritSearch { ${fields} } build { number } } }`;
    const cancel = `mutation ($input: CulpritSearchCancelInput!) {
      culpritSearchCancel(input: $input) { culpritSearch { state reason finishedAt } } }`;
    const idOf = (kind: string, uuid: string) => Buffer.from(`${kind}---${uuid}`).toString('base64');
    const of = (build: { id: string }) => ({ buildID: idOf('Build', build.id) });
    const path = (build: { number: number }) => `${pipeline}/builds/${build.number}/culprit-searches`;

    const made: Data = await surfaces.read(['post', path(one), { steps: ['test'], commits }]);
    const input = { ...of(other), steps: ['test'], commits: [...commits, shaOf(5)] };
    const { culpritSearchCreate } = await surfaces.select([create, { input }]);
    const { uuid, ...search } = culpritSearchCreate.culpritSearch;
    expect(culpritSearchCreate.build.number).toBe(other.number);
    expect(search).toEqual({
      state: made.state.toUpperCase(),
      branch: made.branch,
      goodCommit: made.good_commit,
      badCommit: made.bad_commit,
      commitsCount: made.commits_count,
      commitsFrom: made.commits_from.toUpperCase(),
      suspectsCount: made.suspects_count,
      steps: made.steps.map(({ key, label }: Data) => ({ key, label })),
    });

    const again = await surfaces.rest(['post', path(one), {}]);
    const { errors } = await surfaces.graphql([create, { input: of(other) }]);
    expect([again.status, again.body.message, errors?.[0]?.message]).toEqual([
      422,
      'A search for the culprit of this build is running',
      'A search for the culprit of this build is running',
    ]);

    const wrong = await surfaces.rest(['post', path(one), { commits: ['HEAD'] }]);
    const refused = await surfaces.graphql([create, { input: { ...of(other), commits: ['HEAD'] } }]);
    expect([wrong.status, wrong.body.errors]).toEqual([
      422,
      [{ field: 'commits.0', code: 'must be a full SHA in lower case' }],
    ]);
    expect(refused.errors?.[0]?.message).toContain('must be a full SHA in lower case');

    const canceled: Data = await surfaces.read(['put', `${pipeline}/culprit-searches/${made.id}/cancel`]);
    const { culpritSearchCancel } = await surfaces.select([cancel, { input: { id: idOf('CulpritSearch', uuid) } }]);
    expect(culpritSearchCancel.culpritSearch).toEqual({
      state: canceled.state.toUpperCase(),
      reason: canceled.reason,
      finishedAt: canceled.finished_at,
    });
    const twice = await surfaces.rest(['put', `${pipeline}/culprit-searches/${made.id}/cancel`]);
    const { errors: ended } = await surfaces.graphql([cancel, { input: { id: idOf('CulpritSearch', uuid) } }]);
    expect([twice.status, twice.body.message, ended?.[0]?.message]).toEqual([
      422,
      'The search has ended',
      'The search has ended',
    ]);
  } finally {
    await surfaces.close();
  }
});
