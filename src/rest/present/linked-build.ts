import type { Context } from '../../request/context.js';
import type { ShownBuildRow, OrganizationRow, ShownPipelineRow } from '../../entities/database.js';
import { loadOrNull } from '../../loaders/batch-loader.js';
import { type Links, Urls } from './urls.js';
import { existing } from './values.js';

/** A build with its URLs and the rows they are made of. */
export interface LinkedBuild {
  build: ShownBuildRow;
  organization: OrganizationRow;
  pipeline: ShownPipelineRow;
  links: Links;
}

/** Where a build is: all that its URLs are made of. */
export interface BuildAddress {
  organization: string;
  pipeline: string;
  number: number;
}

export function placeOf({ organization, pipeline, build }: LinkedBuild): BuildAddress {
  return { organization: organization.slug, pipeline: pipeline.slug, number: build.number };
}

export function linksOf(context: Context, { organization, pipeline, number }: BuildAddress): Links {
  return Urls.of(context).build({ slug: organization }, { slug: pipeline }, { number });
}

/** Loads pipeline, organization and URLs of a build. */
export async function linkBuild(context: Context, build: ShownBuildRow): Promise<LinkedBuild> {
  const [organizationRow, pipelineRow] = await Promise.all([
    context.load.organization.load(build.organizationId),
    context.references.pipeline.load(build.pipelineId),
  ]);
  const organization = existing(organizationRow, 'an organization');
  const pipeline = existing(pipelineRow, 'a pipeline');
  return { build, organization, pipeline, links: Urls.of(context).build(organization, pipeline, build) };
}

/** Presents a build that another row refers to; null if there is none or the caller may not see it. */
export async function linkBuildById(context: Context, id: string | null): Promise<LinkedBuild | null> {
  const build = await loadOrNull(context.references.build, id);
  return build && linkBuild(context, build);
}
