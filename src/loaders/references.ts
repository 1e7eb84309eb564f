import DataLoader from 'dataloader';
import type { Actor } from '../auth/actor.js';
import { pipelineIsVisible } from '../auth/authorize.js';
import { idIn } from '../database/id-in.js';
import { withVersion } from '../database/row-version.js';
import type { BuildRow, ShownBuildRow, Db, JobRow, ShownPipelineRow } from '../entities/database.js';
import { shownColumns } from '../entities/shown-columns.js';
import { batchLoader, orderByIds } from './batch-loader.js';

/**
 * References that may lead into another pipeline: null if the caller may not see that pipeline, exactly like an absent
 * one. Every surface loads pipelines, builds and jobs of a visible row only through this class, so no surface can
 * reveal an object that the same caller gets a 404 for. One statement for each level of references, for any number of
 * rows.
 */
export class References {
  readonly pipeline: DataLoader<string, ShownPipelineRow | null>;
  readonly build: DataLoader<string, ShownBuildRow | null>;
  /** Builds with the columns that no surface shows: the engine decides by them. */
  readonly wholeBuild: DataLoader<string, BuildRow | null>;
  readonly job: DataLoader<string, JobRow | null>;

  constructor(db: Db, actor: Actor) {
    const visible = () => visiblePipelines(db, actor);
    this.pipeline = batchLoader(
      async (ids) =>
        orderByIds(
          ids,
          await withVersion(visible().select(shownColumns('pipelines', 'p')), 'p')
            .where(idIn('p.id', ids))
            .execute(),
        ),
      'references pipeline',
    );
    this.build = batchLoader(
      async (ids) =>
        orderByIds(
          ids,
          await withVersion(
            visible().innerJoin('builds as b', 'b.pipelineId', 'p.id').select(shownColumns('builds', 'b')),
            'b',
          )
            .where(idIn('b.id', ids))
            .execute(),
        ),
      'references build',
    );
    this.wholeBuild = batchLoader(async (ids) =>
      orderByIds(
        ids,
        await visible()
          .innerJoin('builds as b', 'b.pipelineId', 'p.id')
          .selectAll('b')
          .where(idIn('b.id', ids))
          .execute(),
      ),
    );
    this.job = batchLoader(
      async (ids) =>
        orderByIds(
          ids,
          await withVersion(visible().innerJoin('jobs as j', 'j.pipelineId', 'p.id').selectAll('j'), 'j')
            .where(idIn('j.id', ids))
            .execute(),
        ),
      'references job',
    );
  }
}

/** A query of the pipelines, as `p`, that the actor may see. */
export function visiblePipelines(db: Db, actor: Actor) {
  return db
    .selectFrom('pipelines as p')
    .innerJoin('organizations as o', 'o.id', 'p.organizationId')
    .where(pipelineIsVisible(actor));
}
