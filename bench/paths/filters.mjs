// Every filter of the lists of builds, and of jobs over GraphQL, over 20,000 builds and over 1,000,000: the ratio says how much
// slower the second is.
import { performance } from 'node:perf_hooks';
import { call, callOk, graphqlOk, median } from '../harness/load.mjs';
import { startProduct } from '../harness/product.mjs';

const organization = '/v2/organizations/bench/builds';
const pipeline = '/v2/organizations/bench/pipelines/service-7/builds';
const jobs = (filter) =>
  `{ organization(slug: "bench") { jobs(first: 30, ${filter}) { edges { node { ... on JobTypeCommand { uuid } } } } } }`;

/** What is asked, given the latest time there is: a path of /v2 or a GraphQL document. */
const filters = ({ latest }) => {
  const before = (days) => new Date(Date.parse(latest) - days * 86_400_000).toISOString();
  const of = (path) => ({
    [`${path === pipeline ? 'pipeline' : 'organization'}: all`]: path,
    // A page that there is in the smaller database too.
    ...(path === pipeline
      ? { 'pipeline: page=30': `${path}?page=30` }
      : { 'organization: page=300': `${path}?page=300` }),
    ...Object.fromEntries(
      [
        'state=failed',
        'state=not_run',
        'state[]=running&state[]=scheduled',
        'branch=main',
        'branch=nothing',
        `commit=${'0'.repeat(40)}`,
        `created_from=${before(1)}`,
        `created_to=${before(2)}`,
        `finished_from=${before(1)}`,
        'creator=01920000-0000-7000-8000-000000000002',
        'meta_data[release]=v40',
      ].map((query) => [
        `${path === pipeline ? 'pipeline' : 'organization'}: ${query.replace(/=.*Z$|0{40}$|=01920.*$/, '=…')}`,
        `${path}?${query}`,
      ]),
    ),
  });
  return {
    ...of(organization),
    ...of(pipeline),
    'GraphQL jobs: state RUNNING': jobs('state: [RUNNING]'),
    'GraphQL jobs: state FINISHED, not passed': jobs('state: [FINISHED], passed: false'),
    'GraphQL jobs: agent query rule of few': jobs('agentQueryRules: ["gpu=true"]'),
    'GraphQL jobs: agent query rule of most': jobs('agentQueryRules: ["os=linux"]'),
    'GraphQL jobs: agent query rule of none': jobs('agentQueryRules: ["gpu=false"]'),
    'GraphQL jobs: type BLOCK': jobs('type: [BLOCK]'),
    'GraphQL jobs: step key': jobs('step: { key: ["none"] }'),
  };
};

/** Median milliseconds of each filter. */
async function times(bench, kind) {
  const database = await bench.seeds.seeded(kind);
  const product = await startProduct(database);
  try {
    const [newest] = await callOk(`${product.url}${organization}?per_page=1`);
    const measured = {};
    for (const [name, what] of Object.entries(filters({ latest: newest.created_at }))) {
      const step = () =>
        what.startsWith('/')
          ? call(`${product.url}${what}`).then(({ status, text }) => {
              if (status !== 200) throw new Error(`${what}: ${status} ${text.slice(0, 300)}`);
            })
          : graphqlOk(`${product.url}/graphql`, what);
      const rounds = [];
      for (let round = 0; round < 2 + bench.rounds * 3; round += 1) {
        const start = performance.now();
        await step();
        if (round >= 2) rounds.push(performance.now() - start);
      }
      measured[name] = median(rounds);
    }
    return measured;
  } finally {
    await product.stop();
  }
}

export const paths = [
  {
    name: 'filters',
    title: 'Filters of lists',
    async run(bench, report) {
      const [few, many] = [20_000, 1_000_000].map((builds) => (builds * bench.scale).toLocaleString('en'));
      const small = await times(bench, 'filters-small');
      const large = await times(bench, 'filters-large');
      for (const [what, ms] of Object.entries(large))
        report({
          what,
          beside: `the time with ${few} builds`,
          ratio: ms / small[what],
          figure: `${ms.toFixed(1)} ms with ${many} builds`,
          reach: '1.3',
        });
    },
  },
];
