import { defineEntity, p } from '@mikro-orm/core';
import { at, textList, textOrNull } from '../columns.js';

/** Facts of a pull request from its deliveries: pushes of its branch and comments on it do not repeat them. */
export const PullRequestSchema = defineEntity({
  name: 'PullRequest',
  tableName: 'pull_requests',
  uniques: [{ properties: ['pipelineId', 'number'] }],
  indexes: [{ properties: ['pipelineId', 'branch'] }, { properties: ['updatedAt'] }],
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    pipelineId: p.uuid(),
    number: p.text(),
    title: textOrNull(),
    branch: textOrNull(),
    baseBranch: textOrNull(),
    commit: textOrNull(),
    headRepository: textOrNull(),
    headOwner: textOrNull(),
    headRepositoryUrl: textOrNull(),
    fork: p.boolean(),
    draft: p.boolean().nullable(),
    labels: textList(),
    closed: p.boolean(),
    createdAt: at(),
    updatedAt: at(),
  },
});
