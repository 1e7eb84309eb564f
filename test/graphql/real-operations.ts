/** An operation that a public client sends. */
export interface Operation {
  id: string;
  repo: string;
  name: string | null;
  document: string;
  valid_against_public_schema: boolean;
}

/** Operations about what docs/graphql.md says is not here, each with the member that it is about. */
export const outOfScope: Readonly<Record<string, string>> = {
  'gql-072': 'Query.registry',
  'gql-165': 'OrganizationMemberSSO.authorizations',
  'gql-239': 'Organization.registries',
  'gql-258': 'Mutation.ssoProviderEnable',
  'gql-259': 'Mutation.ssoProviderCreate',
  'gql-260': 'Mutation.ssoProviderUpdate',
  'gql-261': 'Mutation.ssoProviderUpdate',
  'gql-262': 'Mutation.ssoProviderEnable',
  'gql-263': 'Organization.ssoProviders',
  'gql-265': 'Mutation.ssoProviderDisable',
  'gql-289': 'TOTPRecoveryCodesRegenerateInput',
  'gql-290': 'TOTPCreateInput',
  'gql-296': 'Viewer.totp',
  'gql-297': 'GraphQLSnippetCreateInput',
  'gql-298': 'Query.graphQLSnippet',
};

/** Written with a placeholder where a value belongs. */
export const placeholders = new Set(['gql-124']);
