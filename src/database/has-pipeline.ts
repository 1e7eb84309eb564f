import { sql } from 'kysely';

/**
 * The condition that a row's pipeline was not deleted, for rows that are found by their own id alone. `column` holds the id
 * of the row's pipeline, as `j.pipeline_id`.
 */
export const hasPipeline = (column: string) =>
  sql<boolean>`exists (select from pipelines p where p.id = ${sql.ref(column)})`;
