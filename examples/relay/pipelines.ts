import { graphql } from 'relay-runtime';

export const pipelinesQuery = graphql`
  query pipelinesQuery($organization: ID!) {
    organization(slug: $organization) {
      id
      ...pipelines_list
    }
  }
`;

export const pipelinesList = graphql`
  fragment pipelines_list on Organization @refetchable(queryName: "pipelinesListQuery") @argumentDefinitions(first: { type: "Int", defaultValue: 20 }, after: { type: "String" }) {
    pipelines(first: $first, after: $after, order: NAME) @connection(key: "pipelines_list_pipelines") {
      edges {
        node {
          id
          name
          ...pipelines_latest
        }
      }
    }
  }
`;

export const latest = graphql`
  fragment pipelines_latest on Pipeline {
    builds(first: 1) {
      edges {
        node {
          id
          number
          state
        }
      }
    }
  }
`;

export const createBuild = graphql`
  mutation pipelinesCreateBuildMutation($input: BuildCreateInput!) {
    buildCreate(input: $input) {
      build {
        id
        number
        state
      }
    }
  }
`;

export const buildUpdates = graphql`
  subscription pipelinesBuildSubscription($id: ID!, $after: String) {
    build(id: $id, after: $after) {
      cursor
      build {
        id
        state
      }
    }
  }
`;

export const anything = graphql`
  query pipelinesNodeQuery($id: ID!) {
    node(id: $id) {
      __typename
      id
      ... on Build {
        number
      }
    }
  }
`;
