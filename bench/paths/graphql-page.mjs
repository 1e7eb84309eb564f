// Ten pipelines with five builds of 20 jobs each over GraphQL, beside PostGraphile 5 on the same tables.
import { fileURLToPath } from 'node:url';
import { compare } from '../harness/compare.mjs';
import { callOk, graphqlOk } from '../harness/load.mjs';
import { startOther, startProduct } from '../harness/product.mjs';
import { assertSame } from '../harness/same.mjs';

const ours = `{ organization(slug: "bench") { pipelines(first: 10, order: NAME) { edges { node { uuid name slug
  builds(first: 5) { edges { node { uuid number message commit branch createdAt
    jobs(first: 20) { edges { node { ... on JobTypeCommand { uuid label command exitStatus createdAt finishedAt } } } } } } } } } } } }`;
const theirs = `{ allPipelines(first: 10, orderBy: NAME_ASC) { nodes { rowId name slug
  buildsByPipelineId(first: 5, orderBy: PRIMARY_KEY_DESC) { nodes { rowId number message commit branch createdAt
    jobsByBuildId(first: 20, orderBy: PRIMARY_KEY_DESC) { nodes { rowId label command exitStatus createdAt finishedAt } } } } } } }`;

/** PostGraphile needs a newer Node than the product does; both run on the one that is installed with it. */
const node = fileURLToPath(new URL('../peers/node_modules/.bin/node', import.meta.url));

/** Both replies in one form. */
function plain(connection, fields, [inner, ...further]) {
  return (connection.nodes ?? connection.edges.map(({ node }) => node)).map((node) => ({
    id: node.uuid ?? node.rowId,
    ...Object.fromEntries(fields[0].map((name) => [name, formOf(name, node[name])])),
    ...(inner ? { inner: plain(node[inner], fields.slice(1), further) } : {}),
  }));
}
const formOf = (name, value) => (/At$/.test(name) ? Date.parse(value) : name === 'exitStatus' ? String(value) : value);
const fields = [
  ['name', 'slug'],
  ['number', 'message', 'commit', 'branch', 'createdAt'],
  ['label', 'command', 'exitStatus', 'createdAt', 'finishedAt'],
];

export const paths = [
  {
    name: 'graphql-page',
    peers: true,
    title: 'GraphQL, 10 pipelines of 5 builds of 20 jobs',
    async run(bench, report) {
      await bench.seeds.copied('pages', async (database) => {
        // The product keeps no foreign keys, which PostGraphile reads relations from.
        await database.pool
          .query(`alter table builds add constraint bench_pipeline foreign key (pipeline_id) references pipelines (id);
          alter table jobs add constraint bench_build foreign key (build_id) references builds (id); analyze`);
        const product = await startProduct(database, { node });
        // The same with nothing kept in memory.
        const cold = await startProduct(database, { node, environment: { REPLY_MEMORY_MB: '0' } });
        const peer = await startOther(new URL('../peers/postgraphile.mjs', import.meta.url), database, { node });
        try {
          const shown = await graphqlOk(`${product.url}/graphql`, ours);
          const reply = await callOk(`${peer.url}/graphql`, { method: 'POST', body: { query: theirs } });
          if (reply.errors) throw new Error(`PostGraphile: ${JSON.stringify(reply.errors).slice(0, 500)}`);
          assertSame(
            'GraphQL',
            plain(shown.organization.pipelines, fields, ['builds', 'jobs']),
            plain(reply.data.allPipelines, fields, ['buildsByPipelineId', 'jobsByBuildId']),
          );
          const step = (url, query) => () => callOk(`${url}/graphql`, { method: 'POST', body: { query } });
          for (const [server, title, reach] of [
            [product, 'GraphQL, 10 pipelines of 5 builds of 20 jobs', '2.0'],
            [cold, 'GraphQL, the same with nothing kept', '1.0'],
          ])
            for (const loops of [1, 16]) {
              const figures = await compare({
                bench,
                ours: { ...server.contender, step: step(server.url, ours) },
                other: { ...peer.contender, step: step(peer.url, theirs) },
                loops,
              });
              report({ title, beside: 'PostGraphile 5', reach, ...figures });
            }
        } finally {
          await peer.stop();
          await cold.stop();
          await product.stop();
        }
      });
    },
  },
];
