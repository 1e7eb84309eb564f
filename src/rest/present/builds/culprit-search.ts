import type { Context } from '../../../request/context.js';
import { culpritVerdicts } from '../../../domain/builds/culprit/bisection.js';
import { culpritCommitSources, culpritSearchStates } from '../../../domain/builds/culprit/search-state.js';
import { encodeNodeId } from '../../../domain/node-id.js';
import type { JsonObject } from '../../../domain/pipelines/steps/step.js';
import { formatTime } from '../../../domain/time.js';
import type { CulpritTest } from '../../../loaders/culprit-tests.js';
import type { ShownSearch } from '../../../resources/builds/culprits/shown-search.js';
import {
  arrayOf,
  described,
  enumOf,
  integer,
  nullable,
  object,
  reference,
  text,
  time,
  url,
  uuid,
} from '../../openapi/schema.js';
import { field, resource } from '../fields.js';
import { linkBuildById, type LinkedBuild } from '../linked-build.js';
import { presentUserById } from '../organizations/user.js';
import { Urls } from '../urls.js';
import { existing, timeOrNull } from '../values.js';

const step = object({
  id: described(uuid, 'ID of the step in the failed build.'),
  key: described(nullable(text), 'Key of the step.'),
  label: described(nullable(text), 'Label of the step.'),
});

const namedBuild = object({
  id: described(uuid, 'ID of the build.'),
  number: described(integer, 'Number of the build in its pipeline.'),
  url: described(url, 'API URL of the build.'),
  web_url: described(url, 'URL of the page of the build.'),
});

const test = object({
  commit: described(text, 'Commit that was tested.'),
  position: described(integer, 'Place of the commit among those of the search, from 1, the oldest.'),
  build_id: described(uuid, 'ID of the build of the commit.'),
  build_number: described(nullable(integer), 'Number of that build; null if it was deleted.'),
  verdict: described(
    nullable(enumOf(...culpritVerdicts)),
    'Whether the steps passed (`good`) or failed (`bad`), could not be judged (`skipped`), or did not matter any ' +
      'more (`needless`); null while the build runs.',
  ),
  reason: described(nullable(text), 'Why the commit could not be judged.'),
  created_at: described(time, 'Time the build was created.'),
  judged_at: described(nullable(time), 'Time of the verdict.'),
});

interface SearchSource {
  context: Context;
  search: ShownSearch;
  failed: LinkedBuild;
}

/** A search for the commit that turned a branch red. */
export const culpritSearchResource = resource<SearchSource>({
  id: field(uuid, 'ID of the search.', ({ search }) => search.id),
  graphql_id: field(text, 'ID of the search in GraphQL.', ({ search }) => encodeNodeId('CulpritSearch', search.id)),
  url: field(url, 'API URL of the search.', ({ context, search, failed }) =>
    Urls.of(context).culpritSearch(failed.organization, failed.pipeline, search.id),
  ),
  state: field(
    enumOf(...culpritSearchStates),
    'State of the search; `preparing` while its commits are listed.',
    ({ search }) => search.state,
  ),
  build: field(namedBuild, 'Failed build whose culprit is looked for.', ({ failed }) => named(failed)),
  branch: field(text, 'Branch that turned red.', ({ search }) => search.branch),
  steps: field(arrayOf(step), 'Failed steps that are looked at.', ({ search }) =>
    search.steps.map(({ id, key, label }) => ({ id, key, label })),
  ),
  good_commit: field(text, 'Last commit that passed.', ({ search }) => search.goodCommit),
  good_build: field(
    nullable(namedBuild),
    'Build in which it passed; null if the caller named the commit, or the build was deleted.',
    ({ context, search }) => namedById(context, search.goodBuildId),
  ),
  bad_commit: field(text, 'First commit that is known to fail.', ({ search }) => search.badCommit),
  bad_build: field(nullable(namedBuild), 'Build in which it failed; null if it was deleted.', ({ context, search }) =>
    namedById(context, search.badBuildId),
  ),
  commits_count: field(
    integer,
    'Number of commits after the last that passed, up to the one that failed; 0 until they are listed.',
    ({ search }) => search.commitsCount,
  ),
  commits_from: field(
    nullable(enumOf(...culpritCommitSources)),
    'Where the commits come from: the caller, the source provider, or the builds of the branch.',
    ({ search }) => search.commitsFrom,
  ),
  suspects_count: field(integer, 'Number of commits that may be the culprit.', ({ search }) => search.suspectsCount),
  suspects: field(arrayOf(text), 'The first 50 of these commits, oldest first.', ({ search }) => search.suspects),
  culprit_commit: field(
    nullable(text),
    'Commit that turned the branch red; null until it is found, or where only suspects are.',
    ({ search }) => search.culpritCommit,
  ),
  reason: field(nullable(text), 'Why there is no culprit, or more than one suspect.', ({ search }) => search.reason),
  tests: field(arrayOf(test), 'Commits that were tested, oldest first.', async ({ context, search }) =>
    (await context.load.testsOfCulpritSearch.load(search.id)).map(presentTest),
  ),
  created_at: field(time, 'Time the search began.', ({ search }) => formatTime(search.createdAt)),
  created_by: field(nullable(reference('User')), 'User who asked for it.', ({ context, search }) =>
    presentUserById(context, search.createdById),
  ),
  deadline_at: field(time, 'Time at which it ends with what it knows.', ({ search }) => formatTime(search.deadlineAt)),
  finished_at: field(nullable(time), 'Time it ended.', ({ search }) => timeOrNull(search.finishedAt)),
});

export async function presentCulpritSearch(context: Context, search: ShownSearch): Promise<JsonObject> {
  const failed = existing(await linkBuildById(context, search.buildId), 'a build');
  return culpritSearchResource.present({ context, search, failed });
}

const named = ({ build: { id, number }, links }: LinkedBuild) => ({ id, number, url: links.api, web_url: links.web });

async function namedById(context: Context, id: string | null): Promise<JsonObject | null> {
  const build = await linkBuildById(context, id);
  return build && named(build);
}

const presentTest = (each: CulpritTest): JsonObject => ({
  commit: each.commit,
  position: each.position,
  build_id: each.buildId,
  build_number: each.buildNumber,
  verdict: each.verdict,
  reason: each.reason,
  created_at: formatTime(each.createdAt),
  judged_at: timeOrNull(each.judgedAt),
});
