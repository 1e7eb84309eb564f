import { buildReads } from './builds.js';
import { clusterReads, notificationReads } from './clusters.js';
import { culpritReads } from './culprit-searches.js';
import { explanationReads } from './explanations.js';
import { failureReads } from './failures.js';
import { historyReads } from './history.js';
import { jobReads } from './jobs.js';
import { organizationReads, teamReads, templateReads } from './organizations.js';
import type { Read } from './read.js';
import { suiteReads } from './suites.js';
import { testWorkflowReads } from './test-workflows.js';
import { webhookReads } from './webhooks.js';

/** Every read that both surfaces have, by the path of its REST route. */
export const reads: Readonly<Record<string, Read>> = {
  ...organizationReads,
  ...templateReads,
  ...teamReads,
  ...clusterReads,
  ...notificationReads,
  ...buildReads,
  ...jobReads,
  ...suiteReads,
  ...testWorkflowReads,
  ...culpritReads,
  ...webhookReads,
  ...historyReads,
  ...explanationReads,
  ...failureReads,
};

const ofTheToken = 'about the token of the request itself, which the schema does not show';
const signed = 'a redirect to a signed address, which the schema gives as downloadURL';
const signedReport = 'a redirect to a signed address, which the schema gives as reportURL';
const archived = 'a redirect to a signed address, which the schema gives as the url of artifactArchive';
const drawn = 'the log drawn for a browser, whose text the schema gives';

/** Reads of /v2 that GraphQL has no selection for, and why. The list only gets shorter. */
export const restOnly: Readonly<Record<string, string>> = {
  '/access-token': ofTheToken,
  '/organizations/{org}/repository_connections/{connection}/repositories':
    'asks the host of a connection, which a list of connections must not do for each',
  '/organizations/{org}/pipelines/{slug}/builds/{number}/artifacts/{artifact}/download': signed,
  '/organizations/{org}/pipelines/{slug}/builds/{number}/jobs/{job}/artifacts/{artifact}/download': signed,
  '/organizations/{org}/jobs/{job}/artifacts/{artifact}/download': signed,
  '/organizations/{org}/pipelines/{slug}/builds/{number}/artifacts/{artifact}/report': signedReport,
  '/organizations/{org}/pipelines/{slug}/builds/{number}/jobs/{job}/artifacts/{artifact}/report': signedReport,
  '/organizations/{org}/jobs/{job}/artifacts/{artifact}/report': signedReport,
  '/organizations/{org}/pipelines/{slug}/builds/{number}/artifacts.zip': archived,
  '/organizations/{org}/pipelines/{slug}/builds/{number}/jobs/{job}/artifacts.zip': archived,
  '/organizations/{org}/jobs/{job}/artifacts.zip': archived,
  '/organizations/{org}/pipelines/{slug}/builds/{number}/jobs/{job}/log.html': drawn,
  '/organizations/{org}/jobs/{job}/log.html': drawn,
};
