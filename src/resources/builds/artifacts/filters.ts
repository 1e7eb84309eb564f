import { type SelectQueryBuilder, sql } from 'kysely';
import { z } from 'zod';
import { artifactStates } from '../../../domain/builds/artifact-state.js';
import { likePattern } from '../../../domain/pipelines/branch-pattern.js';
import { limits } from '../../../domain/limits/limits.js';
import type { ArtifactRow, Database } from '../../../entities/database.js';
import { newestFirst, type Ordering } from '../../../core/paging.js';
import { oneOf, text } from '../../../domain/input-text.js';

/** Filters of every list of artifacts. */
export const artifactFilters = z.object({
  state: oneOf(artifactStates).nullish(),
  /** Exact, or with `*` for any text, `/` included. */
  path: text(limits.artifactPathLength).nullish(),
});

type ArtifactQuery = SelectQueryBuilder<Database & { a: Database['artifacts'] }, 'a', ArtifactRow>;

/** Applies the filters to a query over `artifacts as a`. */
export function filterArtifacts(
  artifacts: ArtifactQuery,
  { state, path }: z.output<typeof artifactFilters>,
): ArtifactQuery {
  let query = artifacts;
  if (state) query = query.where('a.state', '=', state);
  if (path) query = query.where(pathMatches(path));
  return query;
}

/** Whether `a.path` is a path, or matches one with stars. */
export function pathMatches(path: string) {
  return path.includes('*') ? sql<boolean>`a.path like ${likePattern(path)}` : sql<boolean>`a.path = ${path}`;
}

export const artifactOrdering: Ordering<ArtifactRow> = newestFirst('a.id');
