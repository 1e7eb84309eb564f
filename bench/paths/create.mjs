// A build with five jobs created over REST and GraphQL, beside one SQL statement that raises the number and makes the same rows.
import { compare } from '../harness/compare.mjs';
import { callOk, graphqlOk } from '../harness/load.mjs';
import { startOther, startProduct } from '../harness/product.mjs';

const mutation =
  'mutation($input: BuildCreateInput!) { buildCreate(input: $input) { build { uuid number state jobs(first: 5) { edges { node { __typename ... on JobTypeCommand { uuid state label } } } } } } }';

export const paths = [
  {
    name: 'create-build',
    title: 'A build of 5 jobs is created',
    async run(bench, report) {
      await bench.seeds.copied('empty', async (database) => {
        const product = await startProduct(database);
        const floor = await startOther(new URL('../floors/create-build.mjs', import.meta.url), database);
        try {
          const body = { commit: 'HEAD', branch: 'main', message: 'A change' };
          const graphql = `${product.url}/graphql`;
          const { pipeline } = await graphqlOk(graphql, '{ pipeline(slug: "bench/app") { id } }');
          const post = (url) => () => callOk(url, { method: 'POST', body });
          const doors = {
            REST: post(`${product.url}/v2/organizations/bench/pipelines/app/builds`),
            GraphQL: () => graphqlOk(graphql, mutation, { input: { pipelineID: pipeline.id, ...body } }),
          };
          const other = { ...floor.contender, step: post(floor.url) };
          for (const [what, step] of Object.entries(doors))
            for (const loops of [1, 16]) {
              const figures = await compare({ bench, ours: { ...product.contender, step }, other, loops });
              report({ what, beside: 'the floor', reach: '0.5', ...figures });
            }
        } finally {
          await floor.stop();
          await product.stop();
        }
      });
    },
  },
];
