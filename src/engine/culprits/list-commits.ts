import { firstParents } from '../../domain/builds/culprit/bounds.js';
import type { CulpritCommitSource } from '../../domain/builds/culprit/search-state.js';
import { isCanonicalSha } from '../../domain/builds/git-commit-text.js';
import { limits } from '../../domain/limits/limits.js';
import type { CulpritSearchRow, Db } from '../../entities/database.js';
import type { Services } from '../../services/services.js';
import { ProviderRefusal } from '../../services/source-providers.js';
import { connectionOf, openConnection, repositoryAt } from '../notifications/connection-access.js';

export interface CommitList {
  /** Commits after the good one up to the bad one, oldest first. */
  commits: string[];
  from: CulpritCommitSource;
}

type Ends = Pick<CulpritSearchRow, 'pipelineId' | 'branch' | 'goodCommit' | 'goodBuildId' | 'badCommit' | 'badBuildId'>;

/**
 * Lists the commits of a search: as the source provider of the pipeline has them, where there is a connection that
 * answers and the commits lead from one to the other; else those that the branch had builds of. Outside a transaction,
 * because the provider may take long.
 */
export async function listCommits(services: Services, search: Ends): Promise<CommitList> {
  const commits = await commitsOfProvider(services, search);
  if (commits) return { commits, from: 'provider' };
  return { commits: await commitsOfBuilds(services.db, search), from: 'builds' };
}

async function commitsOfProvider(services: Services, search: Ends): Promise<string[] | null> {
  const { db, log } = services;
  const { goodCommit: after, badCommit: upTo } = search;
  const pipeline = await db
    .selectFrom('pipelines')
    .select(['organizationId', 'repository'])
    .where('id', '=', search.pipelineId)
    .executeTakeFirst();
  const connection = pipeline && (await connectionOf(db, pipeline));
  if (!pipeline || !connection) return null;
  try {
    const repository = repositoryAt(connection, pipeline);
    const commits = await openConnection(services, connection).branches.commits({ repository, after, upTo });
    return firstParents(commits, after, upTo);
  } catch (error) {
    if (!(error instanceof ProviderRefusal)) throw error;
    log.warn({ pipelineId: search.pipelineId, problem: error.reason }, 'the commits of a branch could not be listed');
    return null;
  }
}

async function commitsOfBuilds(db: Db, search: Ends): Promise<string[]> {
  const numberOf = async (id: string | null) =>
    id === null ? undefined : db.selectFrom('builds').select('number').where('id', '=', id).executeTakeFirst();
  const [good, bad] = [await numberOf(search.goodBuildId), await numberOf(search.badBuildId)];
  const rows =
    good && bad
      ? await db
          .selectFrom('builds')
          .select('commit')
          .where('pipelineId', '=', search.pipelineId)
          .where('branch', '=', search.branch)
          .where('number', '>', good.number)
          .where('number', '<', bad.number)
          .where('culpritSearchId', 'is', null)
          .orderBy('number')
          .limit(limits.culpritCommits + 1)
          .execute()
      : [];
  const { goodCommit, badCommit } = search;
  const commits = new Set(rows.map(({ commit }) => commit));
  return [
    ...[...commits].filter((each) => isCanonicalSha(each) && each !== goodCommit && each !== badCommit),
    badCommit,
  ];
}
