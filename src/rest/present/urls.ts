import type { Context } from '../../request/context.js';
import type { AgentRow, ShownBuildRow, JobRow, OrganizationRow, ShownPipelineRow } from '../../entities/database.js';
import { webUrls } from '../../services/web-urls.js';

type Slugged = Pick<OrganizationRow | ShownPipelineRow, 'slug'>;

/** URLs of a resource: `api` for programs, `web` for people. */
export interface Links {
  api: string;
  web: string;
}

/** Makes every URL in replies; all begin with the base URL of the installation. */
export class Urls {
  constructor(private readonly baseUrl: string) {}

  static of(context: Context): Urls {
    return new Urls(context.services.baseUrl);
  }

  organization({ slug }: Slugged): Links {
    return { api: `${this.baseUrl}/v2/organizations/${slug}`, web: webUrls.organization(this.baseUrl, slug) };
  }

  pipeline(organization: Slugged, { slug }: Slugged): Links {
    return {
      api: `${this.organization(organization).api}/pipelines/${slug}`,
      web: webUrls.pipeline(this.baseUrl, organization.slug, slug),
    };
  }

  build(organization: Slugged, pipeline: Slugged, { number }: Pick<ShownBuildRow, 'number'>): Links {
    return {
      api: `${this.pipeline(organization, pipeline).api}/builds/${number}`,
      web: webUrls.build(this.baseUrl, organization.slug, pipeline.slug, number),
    };
  }

  culpritSearch(organization: Slugged, pipeline: Slugged, id: string): string {
    return `${this.pipeline(organization, pipeline).api}/culprit-searches/${id}`;
  }

  schedule(organization: Slugged, pipeline: Slugged, id: string): string {
    return `${this.pipeline(organization, pipeline).api}/schedules/${id}`;
  }

  /** The web page of a job is an anchor on the page of its build. */
  job(build: Links, { id }: Pick<JobRow, 'id'>): Links {
    return { api: `${build.api}/jobs/${id}`, web: `${build.web}#${id}` };
  }

  agent(organization: Slugged, { id }: Pick<AgentRow, 'id'>): Links {
    return {
      api: `${this.organization(organization).api}/agents/${id}`,
      web: webUrls.agent(this.baseUrl, organization.slug, id),
    };
  }

  cluster(organization: Slugged, id: string): Links {
    return {
      api: `${this.organization(organization).api}/clusters/${id}`,
      web: webUrls.cluster(this.baseUrl, organization.slug, id),
    };
  }

  queue(organization: Slugged, clusterId: string, id: string): Links {
    return {
      api: `${this.cluster(organization, clusterId).api}/queues/${id}`,
      web: webUrls.queue(this.baseUrl, organization.slug, clusterId, id),
    };
  }

  pipelineTemplate(organization: Slugged, id: string): Links {
    return {
      api: `${this.organization(organization).api}/pipeline-templates/${id}`,
      web: webUrls.pipelineTemplate(this.baseUrl, organization.slug, id),
    };
  }

  suite(organization: Slugged, { slug }: Slugged): Links {
    return {
      api: `${this.baseUrl}/v2/analytics/organizations/${organization.slug}/suites/${slug}`,
      web: webUrls.suite(this.baseUrl, organization.slug, slug),
    };
  }

  emoji(name: string): string {
    return webUrls.emoji(this.baseUrl, name);
  }

  run(organization: Slugged, suite: Slugged, id: string): Links {
    return {
      api: `${this.suite(organization, suite).api}/runs/${id}`,
      web: webUrls.suiteRun(this.baseUrl, organization.slug, suite.slug, id),
    };
  }

  test(organization: Slugged, suite: Slugged, id: string): Links {
    return {
      api: `${this.suite(organization, suite).api}/tests/${id}`,
      web: webUrls.suiteTest(this.baseUrl, organization.slug, suite.slug, id),
    };
  }

  workflow(organization: Slugged, suite: Slugged, id: string): Links {
    return {
      api: `${this.suite(organization, suite).api}/workflows/${id}`,
      web: webUrls.testWorkflow(this.baseUrl, organization.slug, suite.slug, id),
    };
  }

  badge(token: string): string {
    return `${this.baseUrl}/badge/${token}.svg`;
  }

  webhook(token: string): string {
    return `${this.baseUrl}/webhooks/deliver/${token}`;
  }

  connectionWebhook(id: string): string {
    return webUrls.connectionWebhook(this.baseUrl, id);
  }
}
