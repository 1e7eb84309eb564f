/** The operations that the page in the browser begins with, a tab each; a test runs every one of them. */
export const exampleOperations: readonly string[] = [
  `# Who am I, and where? Put your API token into the Headers below: "Bearer …"
query WhoAmI {
  viewer {
    user { name email }
    organizations(first: 10) { edges { node { slug name } } }
  }
}
`,
  `# What runs in an organization. Variables below: { "organization": "acme" }
query WhatRuns($organization: ID! = "acme") {
  organization(slug: $organization) {
    pipelines(first: 20) {
      edges {
        node {
          slug
          builds(first: 5) { edges { node { number state branch message } } }
        }
      }
    }
  }
}
`,
  `# Follow the pipelines of an organization. Press play, then start a build.
subscription FollowPipelines($organization: ID! = "acme", $after: String) {
  pipelines(id: $organization, after: $after) {
    cursor
    event { type fromState toState createdAt }
    pipeline { slug }
    build { number state }
  }
}
`,
];
