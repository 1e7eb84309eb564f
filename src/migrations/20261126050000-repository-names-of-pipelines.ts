import { OnlineIndexMigration } from './online-index-migration.js';

/** Finds the pipelines of a repository that a delivery for a whole connection names. */
export class RepositoryNamesOfPipelines20261126050000 extends OnlineIndexMigration {
  override readonly indexes = [
    {
      name: 'pipelines_repository_name_index',
      table: 'pipelines',
      definition: `("organization_id", (lower(regexp_replace(regexp_replace("repository", '(\\.git)?/*$', ''), '^.*[/:]', ''))))`,
    },
  ];
}
