import { createHash } from 'node:crypto';

/** Pages of the console, as replies name them; `base` is BASE_URL. */
export const webUrls = {
  organization: (base: string, organization: string) => `${base}/${organization}`,
  pipeline: (base: string, organization: string, pipeline: string) => `${base}/${organization}/${pipeline}`,
  build: (base: string, organization: string, pipeline: string, number: number) =>
    `${base}/${organization}/${pipeline}/builds/${number}`,
  job: (base: string, organization: string, pipeline: string, number: number, job: string) =>
    `${base}/${organization}/${pipeline}/builds/${number}#${job}`,
  /** A line of a job's log; lines count from 1. */
  logLine: (base: string, organization: string, pipeline: string, number: number, job: string, line: number) =>
    `${webUrls.job(base, organization, pipeline, number, job)}/L${line}`,
  agent: (base: string, organization: string, agent: string) => `${base}/organizations/${organization}/agents/${agent}`,
  cluster: (base: string, organization: string, cluster: string) =>
    `${base}/organizations/${organization}/clusters/${cluster}`,
  queue: (base: string, organization: string, cluster: string, queue: string) =>
    `${base}/organizations/${organization}/clusters/${cluster}/queues/${queue}`,
  pipelineTemplate: (base: string, organization: string, template: string) =>
    `${base}/organizations/${organization}/pipeline-templates/${template}`,
  suite: (base: string, organization: string, suite: string) =>
    `${base}/organizations/${organization}/analytics/suites/${suite}`,
  suiteRun: (base: string, organization: string, suite: string, run: string) =>
    `${webUrls.suite(base, organization, suite)}/runs/${run}`,
  suiteTest: (base: string, organization: string, suite: string, test: string) =>
    `${webUrls.suite(base, organization, suite)}/tests/${test}`,
  testWorkflow: (base: string, organization: string, suite: string, workflow: string) =>
    `${webUrls.suite(base, organization, suite)}/workflows/${workflow}`,
  /** The page at which a person who has its address accepts an invitation. */
  invitation: (base: string, token: string) => `${base}/invitations/${token}`,
  badge: (base: string, token: string) => `${base}/badge/${token}.svg`,
  /** Drawn by this server from a hash of the e-mail address: no request leaves for another site. */
  avatar: (base: string, email: string | null) =>
    `${base}/avatars/${createHash('md5')
      .update((email ?? '').trim().toLowerCase())
      .digest('hex')}.svg`,
  /** Drawn by this server too. */
  emoji: (base: string, name: string) => `${base}/emojis/${encodeURIComponent(name)}.svg`,
  webhook: (base: string, token: string) => `${base}/webhooks/deliver/${token}`,
  connectionWebhook: (base: string, id: string) => `${base}/webhooks/connections/${id}`,
} as const;
