import type { Data, GraphqlCall } from '../../support/both-surfaces.js';
import { type At, byNodeId, leftOut, list, lower, type Read, user, userFields } from './read.js';

const build = 'uuid number url';
const searchFields = `id uuid state branch build { ${build} } steps { uuid key label } goodCommit goodBuild { ${build} }
  badCommit badBuild { ${build} } commitsCount commitsFrom suspectsCount suspects culpritCommit reason
  tests { commit position buildUuid buildNumber verdict reason createdAt judgedAt }
  createdAt createdBy { ${userFields} } deadlineAt finishedAt`;
const named = (found: Data) =>
  found && { id: found.uuid, number: found.number, url: leftOut.address, web_url: found.url };
const search = (found: Data) => ({
  id: found.uuid,
  graphql_id: found.id,
  url: leftOut.address,
  state: lower(found.state),
  build: named(found.build),
  branch: found.branch,
  steps: found.steps.map(({ uuid: id, key, label }: Data) => ({ id, key, label })),
  good_commit: found.goodCommit,
  good_build: named(found.goodBuild),
  bad_commit: found.badCommit,
  bad_build: named(found.badBuild),
  commits_count: found.commitsCount,
  commits_from: lower(found.commitsFrom),
  suspects_count: found.suspectsCount,
  suspects: found.suspects,
  culprit_commit: found.culpritCommit,
  reason: found.reason,
  tests: found.tests.map((each: Data) => ({
    commit: each.commit,
    position: each.position,
    build_id: each.buildUuid,
    build_number: each.buildNumber,
    verdict: lower(each.verdict),
    reason: each.reason,
    created_at: each.createdAt,
    judged_at: each.judgedAt,
  })),
  created_at: found.createdAt,
  created_by: user(found.createdBy),
  deadline_at: found.deadlineAt,
  finished_at: found.finishedAt,
});

const all = '/organizations/{org}/pipelines/{slug}';

/** Reads of searches for culprits. */
export const culpritReads: Readonly<Record<string, Read>> = {
  [`${all}/culprit-searches`]: list(
    (): GraphqlCall => [
      `{ pipeline(slug: "acme/app") { culpritSearches(first: 50) { edges { node { ${searchFields} } } } } }`,
    ],
    'pipeline.culpritSearches',
    search,
  ),
  [`${all}/builds/{number}/culprit-searches`]: list(
    ({ number }: At): GraphqlCall => [
      `query ($slug: ID!) { build(slug: $slug) { culpritSearches(first: 50) { edges { node { ${searchFields} } } } } }`,
      { slug: `acme/app/${number}` },
    ],
    'build.culpritSearches',
    search,
  ),
  [`${all}/culprit-searches/{search}`]: byNodeId(
    'CulpritSearch',
    'CulpritSearch',
    (at) => at['search'],
    searchFields,
    search,
  ),
};
