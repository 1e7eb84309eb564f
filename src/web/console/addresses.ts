import type { AnyOperation } from '../../core/operation.js';
import { isUuid } from '../../domain/node-id.js';
import { getAgent } from '../../operations/agents/get.js';
import { getCluster } from '../../operations/agents/clusters/get.js';
import { getQueue } from '../../operations/agents/queues/get.js';
import { getBuild } from '../../operations/builds/get.js';
import { getNotificationService } from '../../operations/integrations/notification-services/get.js';
import { getOrganization } from '../../operations/organizations/get.js';
import { getOrganizationMember } from '../../operations/organizations/members/get.js';
import { getTeam } from '../../operations/organizations/teams/get.js';
import { getPipeline } from '../../operations/pipelines/get.js';
import { getTemplate } from '../../operations/pipelines/templates/get.js';
import { getSuite } from '../../operations/suites/get.js';
import { getRun } from '../../operations/suites/suite-runs/get.js';
import { getSuiteTest } from '../../operations/suites/suite-tests/get.js';
import { getTestWorkflow } from '../../operations/suites/workflows/get.js';

/** Words of a path by their names in the template. */
export type Words = Readonly<Record<string, string>>;

/** Operation that finds what a page shows, with its input; it throws where the caller may not see it. */
export interface Lookup {
  operation: AnyOperation;
  input: object;
}

/** Addresses of the console that begin with the same words. */
export interface Address {
  /** Template of the path. */
  path: string;
  /** Title of the plain page, such as `Build 3 of acme/deploy`. */
  title: (words: Words) => string;
  /** Path of the same thing on the REST API. */
  api: (words: Words) => string;
  find: (words: Words) => Lookup;
}

const inOrganization = '/organizations/:organization';
const apiOf = (w: Words) => `/v2/organizations/${w['organization']}`;
const suiteApiOf = (w: Words) => `/v2/analytics${apiOf(w).slice('/v2'.length)}/suites/${w['suite']}`;
const pipelineOf = (w: Words) => `${w['organization']}/${w['pipeline']}`;

const organization = {
  title: (w: Words) => `Organization ${w['organization']}`,
  api: apiOf,
  find: (w: Words) => ({ operation: getOrganization, input: { organization: { slug: w['organization'] } } }),
};

/** Of a thing that has an id in its organization, by the name of its word: `/organizations/acme/agents/:agent`. */
function thing(operation: AnyOperation, word: string, path: string, member = word): Address {
  return {
    path: `${inOrganization}/${path}/:${word}`,
    title: (w) => `${word.charAt(0).toUpperCase()}${word.slice(1)} ${w[word]} of ${w['organization']}`,
    api: (w) => `${apiOf(w)}/${path}/${w[word]}`,
    find: (w) => ({ operation, input: { [member]: { organization: w['organization'], id: w[word] } } }),
  };
}

function ofSuite(operation: AnyOperation, word: string): Address {
  return {
    path: `${inOrganization}/analytics/suites/:suite/${word}s/:${word}`,
    title: (w) =>
      `${word.charAt(0).toUpperCase()}${word.slice(1)} ${w[word]} of suite ${w['organization']}/${w['suite']}`,
    api: (w) => `${suiteApiOf(w)}/${word}s/${w[word]}`,
    find: (w) => ({
      operation,
      input: { [word]: { organization: w['organization'], suite: w['suite'], id: w[word] } },
    }),
  };
}

/**
 * Every address of the console that is about something, the longest first: those of the replies (`web_url`), and
 * what follows them where the console has a page. Whether a page is there is decided by the operation that the
 * other surfaces read the same thing with; a page needs an address of its own here only to answer 404 for a thing
 * that is absent or hidden.
 */
export const addresses: readonly Address[] = [
  thing(getAgent, 'agent', 'agents'),
  {
    path: `${inOrganization}/clusters/:cluster/queues/:queue/agents/:agent`,
    title: (w) => `Agent ${w['agent']} of ${w['organization']}`,
    api: (w) => `${apiOf(w)}/agents/${w['agent']}`,
    find: (w) => ({ operation: getAgent, input: { agent: { organization: w['organization'], id: w['agent'] } } }),
  },
  {
    path: `${inOrganization}/clusters/:cluster/queues/:queue`,
    title: (w) => `Queue ${w['queue']} of ${w['organization']}`,
    api: (w) => `${apiOf(w)}/clusters/${w['cluster']}/queues/${w['queue']}`,
    find: (w) => ({
      operation: getQueue,
      input: { queue: { organization: w['organization'], id: w['queue'] }, clusterId: w['cluster'] },
    }),
  },
  thing(getCluster, 'cluster', 'clusters'),
  {
    path: `${inOrganization}/teams/:team`,
    title: (w) => `Team ${w['team']} of ${w['organization']}`,
    api: (w) => `${apiOf(w)}/teams/${w['team']}`,
    find: (w) => {
      const team = w['team'] ?? '';
      const address = isUuid(team) ? { id: team } : { slug: team };
      return { operation: getTeam, input: { team: { organization: w['organization'], ...address } } };
    },
  },
  {
    path: `${inOrganization}/users/:user`,
    title: (w) => `Member ${w['user']} of ${w['organization']}`,
    api: (w) => `${apiOf(w)}/members/${w['user']}`,
    find: (w) => ({
      operation: getOrganizationMember,
      input: { organizationMember: { organization: w['organization'], user: w['user'] } },
    }),
  },
  thing(getTemplate, 'template', 'pipeline-templates', 'pipelineTemplate'),
  {
    path: `${inOrganization}/notification-services/:service`,
    title: (w) => `Notification service ${w['service']} of ${w['organization']}`,
    api: (w) => `${apiOf(w)}/services/${w['service']}`,
    find: (w) => ({
      operation: getNotificationService,
      input: { service: { organization: w['organization'], id: w['service'] } },
    }),
  },
  ofSuite(getRun, 'run'),
  ofSuite(getSuiteTest, 'test'),
  ofSuite(getTestWorkflow, 'workflow'),
  {
    path: `${inOrganization}/analytics/suites/:suite`,
    title: (w) => `Test suite ${w['suite']} of ${w['organization']}`,
    api: suiteApiOf,
    find: (w) => ({ operation: getSuite, input: { suite: { organization: w['organization'], slug: w['suite'] } } }),
  },
  { path: inOrganization, ...organization },
  {
    path: '/:organization/:pipeline/builds/:number',
    title: (w) => `Build ${w['number']} of ${pipelineOf(w)}`,
    api: (w) => `${apiOf(w)}/pipelines/${w['pipeline']}/builds/${w['number']}`,
    find: (w) => ({
      operation: getBuild,
      input: { build: { organization: w['organization'], pipeline: w['pipeline'], number: w['number'] } },
    }),
  },
  {
    path: '/:organization/:pipeline',
    title: (w) => `Pipeline ${pipelineOf(w)}`,
    api: (w) => `${apiOf(w)}/pipelines/${w['pipeline']}`,
    find: (w) => ({
      operation: getPipeline,
      input: { pipeline: { organization: w['organization'], slug: w['pipeline'] } },
    }),
  },
  { path: '/:organization', ...organization },
];

/**
 * Pages of the installation and of the person who is signed in: everybody has them, and they show only what is theirs.
 */
export const ownPages: readonly string[] = ['/', '/account', '/organizations'];
