// npm install relay-runtime relay-compiler babel-plugin-relay; npx relay-compiler; babel-plugin-relay replaces the graphql tags
import { commitMutation, Environment, fetchQuery, graphql, Network, RecordSource, Store } from 'relay-runtime';
import type { mainCreatePipelineMutation } from './__generated__/mainCreatePipelineMutation.graphql';
import type { mainPassedBuildQuery } from './__generated__/mainPassedBuildQuery.graphql';

const network = Network.create(async ({ text: query }, variables) => {
  const headers = { Authorization: `Bearer ${process.env['SLIPWAY_TOKEN']}`, 'Content-Type': 'application/json' };
  const url = `${process.env['SLIPWAY_URL'] ?? 'http://127.0.0.1:3000'}/graphql`;
  return (await fetch(url, { method: 'POST', headers, body: JSON.stringify({ query, variables }) })).json();
});
const environment = new Environment({ network, store: new Store(new RecordSource()) });

const passedBuild = graphql`
  query mainPassedBuildQuery($organization: ID!, $build: ID!) {
    organization(slug: $organization) { id }
    build(slug: $build) { state jobs(first: 1) { edges { node { __typename ... on JobTypeCommand { exitStatus } } } } }
  }
`;
const createPipeline = graphql`
  mutation mainCreatePipelineMutation($input: PipelineCreateInput!) {
    pipelineCreate(input: $input) { pipeline { slug } }
  }
`;

async function main([name = 'Example', passed = 'example']: string[]) {
  const org = process.env['SLIPWAY_ORGANIZATION'] ?? 'demo';
  const wanted = { organization: org, build: `${org}/${passed}/1` };
  const read = await fetchQuery<mainPassedBuildQuery>(environment, passedBuild, wanted).toPromise();
  const repository = { url: 'https://git.example.com/demo/example.git' };
  const input = { organizationId: read!.organization!.id, name, repository, steps: { yaml: 'steps: []' } };
  const created = await new Promise<mainCreatePipelineMutation['response']>((onCompleted, onError) => {
    const mutation = createPipeline;
    commitMutation<mainCreatePipelineMutation>(environment, { mutation, variables: { input }, onCompleted, onError });
  });
  const job = read?.build?.jobs?.edges?.[0]?.node;
  const exitStatus = job?.__typename === 'JobTypeCommand' ? job.exitStatus : job?.__typename;
  console.log(created.pipelineCreate?.pipeline.slug, read?.build?.state, exitStatus);
}

void main(process.argv.slice(2));
