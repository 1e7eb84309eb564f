/** An operation that a public client sends. */
export interface Operation {
  id: string;
  repo: string;
  name: string | null;
  document: string;
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

/** Documents that are not valid anywhere as they are written, by reason. */
export const wrongAsWritten: Readonly<Record<string, string>> = {
  'gql-124': 'a placeholder where a value belongs',
  'gql-206': 'a misspelt field',
  'gql-249': 'does not parse',
  'gql-251': 'a field that no schema has',
  'gql-286': 'for the compiler of Relay',
  'gql-300': 'does not parse',
};
