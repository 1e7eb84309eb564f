import DataLoader from 'dataloader';
import { levelAllows, pipelineAccessOf, type GuardedPipeline } from '../../auth/authorize.js';
import type { Context } from '../../request/context.js';
import type { OrganizationRow, ShownPipelineRow } from '../../entities/database.js';

/**
 * Whether the caller may edit a visible pipeline: the rule of `pipelineAccess`, for the rows of a whole list in one
 * statement. Replies show it (`provider.webhook_url`); it guards nothing.
 */
export async function mayManage(
  context: Context,
  organization: OrganizationRow,
  pipeline: ShownPipelineRow,
): Promise<boolean> {
  const known = loaders.get(context) ?? newLoader(context);
  return known.load({ id: pipeline.id, visibility: pipeline.visibility, organization });
}

const loaders = new WeakMap<Context, DataLoader<GuardedPipeline, boolean, string>>();

function newLoader(context: Context): DataLoader<GuardedPipeline, boolean, string> {
  const batch = async (pipelines: readonly GuardedPipeline[]) => {
    const levels = await pipelineAccessOf(context.db, context.actor, pipelines);
    return pipelines.map(({ id }) => {
      const level = levels.get(id);
      return level ? levelAllows(level, 'manage') : false;
    });
  };
  const loader = new DataLoader(batch, { cacheKeyFn: (pipeline: GuardedPipeline) => pipeline.id });
  loaders.set(context, loader);
  return loader;
}
