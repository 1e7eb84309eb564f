import { sql } from 'kysely';

/**
 * The condition that a row's pipeline was not deleted, for rows that are found by their own id alone. `column` holds
 * the id of the row's pipeline, as `j.pipeline_id`.
 */
export const hasPipeline = (column: string) =>
  sql<boolean>`exists (select from pipelines p where p.id = ${sql.ref(column)})`;

/**
 * The same for lists and queues, whose indexes are to be used as if it was not asked: `deletions` has few rows, which
 * are read once for a statement.
 */
export const isNotOfDeletedPipeline = (column: string) =>
  // The planner expects nearly all rows to pass such a test for null, and takes it for cheap; of `<> all` it expects
  // that no row passes where all are of one pipeline.
  sql<boolean>`case when array_position(array(select d.resource_id from deletions d where d.resource =
    'pipeline'), ${sql.ref(column)}) is null then true end is not null`;
