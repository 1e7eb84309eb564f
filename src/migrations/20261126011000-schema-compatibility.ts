import { Migration } from '@mikro-orm/migrations';

/** Which releases work with the schema, beside the one that made it (docs/decisions/0023). */
export class SchemaCompatibility20261126011000 extends Migration {
  override up(): void {
    this.addSql(
      `create table "schema_compatibility" ("name" text not null primary key, "oldest_migration" text not null)`,
    );
  }

  override down(): void {
    this.addSql(`drop table "schema_compatibility"`);
  }
}
