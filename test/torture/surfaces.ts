import type { ApiUser, CreatedBuild } from '../replicas/api-user.js';
import type { Random } from '../simulation/random.js';

const samples = 20;
const query =
  'query($uuid: ID!) { build(uuid: $uuid) { uuid number state message commit branch jobs(first: 20) { edges { node { ... on JobTypeCommand { uuid exitStatus passed } } } } } }';

/** I17: some builds, as both surfaces answer; and I16: what is of nobody else's organization. */
export async function doorsDisagree(user: ApiUser, builds: readonly CreatedBuild[], random: Random): Promise<string[]> {
  const wrong: string[] = [];
  for (let sample = 0; sample < samples; sample += 1) {
    const chosen = random.pick(builds);
    if (!chosen) return wrong;
    const rest = (await user.rest('GET', `/organizations/acme/pipelines/${chosen.pipeline}/builds/${chosen.number}`))
      .body;
    const graphql = (await user.graphql(query, { uuid: chosen.id })).body?.data?.build;
    const here = {
      id: rest.id,
      number: rest.number,
      state: rest.state,
      message: rest.message,
      commit: rest.commit,
      branch: rest.branch,
      jobs: rest.jobs
        .filter(isScript)
        .map((job: RestJob) => [job.id, job.exit_status])
        .sort(),
    };
    const jobs = (graphql?.jobs.edges ?? [])
      .map(({ node }: { node: GraphqlJob }) => node)
      .filter(({ uuid }: GraphqlJob) => uuid !== undefined);
    const there = graphql && {
      id: graphql.uuid,
      number: graphql.number,
      state: graphql.state.toLowerCase(),
      message: graphql.message,
      commit: graphql.commit,
      branch: graphql.branch,
      jobs: jobs.map((job: GraphqlJob) => [job.uuid, job.exitStatus === null ? null : Number(job.exitStatus)]).sort(),
    };
    if (JSON.stringify(here) !== JSON.stringify(there))
      wrong.push(`I17 REST says ${JSON.stringify(here)}, GraphQL ${JSON.stringify(there)}`);
  }
  const { body } = await user.rest('GET', '/builds?per_page=100');
  const strangers = (body as { pipeline: { url: string } }[]).filter(
    ({ pipeline }) => !pipeline.url.includes('/organizations/acme/'),
  );
  return [...wrong, ...strangers.map(({ pipeline }) => `I16 a build of ${pipeline.url}`)];
}

interface RestJob {
  id: string;
  type: string;
  exit_status: number | null;
}

interface GraphqlJob {
  uuid: string;
  exitStatus: string | null;
}

const isScript = ({ type }: RestJob) => type === 'script';
