import { encodeNodeId } from '../../../src/domain/node-id.js';
import { BothSurfaces, type Data } from '../../support/both-surfaces.js';

describe('a request for a job of another type', () => {
  let surfaces: BothSurfaces;
  let jobs: Record<string, Data>;
  beforeAll(async () => {
    surfaces = await BothSurfaces.open();
    await surfaces.world.pipeline('steps: [{ command: make }, { block: Go?, key: gate }]', { slug: 'app' });
    const { body } = await surfaces.rest([
      'post',
      '/organizations/acme/pipelines/app/builds',
      { commit: 'HEAD', branch: 'main' },
    ]);
    jobs = Object.fromEntries(body.jobs.map((job: Data) => [job.type, job]));
  });
  afterAll(() => surfaces.close());

  const mutations: [verb: string, type: string, mutation: string, input: string, body?: object][] = [
    ['unblock', 'script', 'jobTypeBlockUnblock', 'id: $id'],
    ['retry', 'manual', 'jobTypeCommandRetry', 'id: $id'],
    ['reprioritize', 'manual', 'jobTypeCommandReprioritize', 'id: $id, priority: 5', { priority: 5 }],
  ];
  test.each(mutations)('to %s a %s job is refused on both surfaces, with the reason', async (...row) => {
    const [verb, type, mutation, input, body] = row;
    const { id } = jobs[type];
    const rest = await surfaces.rest(['put', `/organizations/acme/pipelines/app/builds/1/jobs/${id}/${verb}`, body]);
    expect(rest.status).toBe(400);
    const { errors } = await surfaces.graphql([
      `mutation ($id: ID!) { ${mutation}(input: { ${input} }) { clientMutationId } }`,
      { id: encodeNodeId('Job', id) },
    ]);
    expect(errors).toMatchObject([{ message: rest.body.message, extensions: { code: 'CONFLICT' } }]);
  });
});
