import { listCommitStatuses } from '../../../operations/builds/commit-statuses/list.js';
import { previewCommitStatuses } from '../../../operations/builds/commit-statuses/preview.js';
import { presentCommitStatus } from '../../present/builds/commit-status.js';
import { presentPlannedStatus } from '../../present/builds/planned-status.js';
import { type Route, wholeListRoute } from '../../route.js';
import { ofBuild } from '../addresses.js';

export const commitStatusRoutes: Route[] = [
  wholeListRoute(listCommitStatuses, {
    method: 'get',
    path: '/organizations/{org}/pipelines/{slug}/builds/{number}/commit_statuses',
    input: ofBuild,
    reply: { kind: 'list', schema: 'CommitStatus', present: presentCommitStatus },
  }),
  wholeListRoute(previewCommitStatuses, {
    method: 'get',
    path: '/organizations/{org}/pipelines/{slug}/builds/{number}/commit_statuses/preview',
    input: ofBuild,
    reply: { kind: 'list', schema: 'PlannedCommitStatus', present: presentPlannedStatus },
  }),
];
