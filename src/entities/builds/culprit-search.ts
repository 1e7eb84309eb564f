import { defineEntity, p } from '@mikro-orm/core';
import type { NeededStep } from '../../domain/builds/culprit/needed-steps.js';
import {
  type CulpritCommitSource,
  type CulpritSearchState,
  unfinishedCulpritStates,
} from '../../domain/builds/culprit/search-state.js';
import { at, atOrNull, idOrNull, json, textList, textOrNull } from '../columns.js';
import { sqlList } from '../sql-list.js';

/** A step whose failure is looked for. */
export interface CulpritStep {
  /** Id of the step in the failed build. */
  id: string;
  key: string | null;
  label: string | null;
}

/** A search for the commit that turned the branch of a failed build red. */
export const CulpritSearchSchema = defineEntity({
  name: 'CulpritSearch',
  tableName: 'culprit_searches',
  indexes: [
    { properties: ['pipelineId', 'id'] },
    { properties: ['buildId', 'id'] },
    {
      name: 'culprit_searches_unfinished_unique',
      properties: ['buildId'],
      expression:
        `create unique index "culprit_searches_unfinished_unique" on "culprit_searches" ("build_id") where ` +
        `"state" in ${sqlList(unfinishedCulpritStates)}`,
    },
    {
      name: 'culprit_searches_unfinished_index',
      properties: ['organizationId', 'pipelineId'],
      expression:
        `create index "culprit_searches_unfinished_index" on "culprit_searches" ("organization_id", "pipeline_id") ` +
        `where "state" in ${sqlList(unfinishedCulpritStates)}`,
    },
    {
      name: 'culprit_searches_due_index',
      properties: ['nextLookAt'],
      expression:
        `create index "culprit_searches_due_index" on "culprit_searches" ("next_look_at") where ` +
        `"next_look_at" is not null`,
    },
    {
      name: 'culprit_searches_answered_index',
      properties: ['badBuildId'],
      expression:
        `create index "culprit_searches_answered_index" on "culprit_searches" ("bad_build_id") where ` +
        `"culprit_commit" is not null`,
    },
  ],
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    pipelineId: p.uuid(),
    /** The failed build that it was asked of, whose steps run. */
    buildId: p.uuid(),
    state: p.text().$type<CulpritSearchState>(),
    branch: p.text(),
    /** Steps that are looked at. */
    steps: json<CulpritStep[]>(),
    /** Steps that its builds run, in their order: those and what they depend on. */
    plan: json<NeededStep[]>(),
    /** Whether a job that runs too long is a failure, as it was in the failed build. */
    timeouts: p.boolean().default(false),
    goodCommit: p.text(),
    /** The last passed build, which may be gone since; null where the caller named the commit. */
    goodBuildId: idOrNull(),
    badCommit: p.text(),
    /** The first failed build, which may be gone since. */
    badBuildId: p.uuid(),
    /** Commits after the good one up to the bad one, oldest first; empty until they are listed. */
    commits: textList(),
    commitsFrom: p.text().$type<CulpritCommitSource>().nullable(),
    /** Positions in `commits`, from 1, of the first and the last commit that may be the culprit. */
    firstSuspect: p.integer().nullable(),
    lastSuspect: p.integer().nullable(),
    /** The culprit where there is one suspect alone. */
    culpritCommit: textOrNull(),
    /** Why there is no culprit, or more than one suspect. */
    reason: textOrNull(),
    createdById: idOrNull(),
    createdAt: at(),
    /** When it is looked at next, if no build ends before; null once it has ended. */
    nextLookAt: atOrNull(),
    /** When it ends with what it knows. */
    deadlineAt: at(),
    finishedAt: atOrNull(),
  },
});
