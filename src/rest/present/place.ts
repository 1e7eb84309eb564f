import type { Context } from '../../context.js';
import type { BuildRow, JobRow, OrganizationRow, PipelineRow } from '../../entities/database.js';
import { loadOrNull, type StepSummary } from '../../loaders.js';
import { type Place, Urls } from './urls.js';
import { existing } from './values.js';

/** A build with what its URLs are made of. */
export interface PlacedBuild {
  build: BuildRow;
  organization: OrganizationRow;
  pipeline: PipelineRow;
  urls: Place;
}

/** A job with what its presentation needs to know of its surroundings. */
export interface PlacedJob {
  job: JobRow;
  organization: OrganizationRow;
  step: StepSummary | null;
  urls: Place;
  buildUrl: string;
  /** Only replies that hold the build show the group's key (rest-facts 2.3.2). */
  inBuild: boolean;
}

/** Finds pipeline, organization and URLs of a build. */
export async function placeBuild(context: Context, build: BuildRow): Promise<PlacedBuild> {
  const [organizationRow, pipelineRow] = await Promise.all([context.load.organization.load(build.organizationId), context.load.pipeline.load(build.pipelineId)]);
  const organization = existing(organizationRow, 'an organization');
  const pipeline = existing(pipelineRow, 'a pipeline');
  return { build, organization, pipeline, urls: Urls.of(context).build(organization, pipeline, build) };
}

/** The same for a build that another row refers to; null where there is none. */
export async function placeBuildById(context: Context, id: string | null): Promise<PlacedBuild | null> {
  const build = await loadOrNull(context.load.build, id);
  return build && placeBuild(context, build);
}
