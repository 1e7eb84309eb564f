import { Migration } from '@mikro-orm/migrations';

/** The HTML of annotations is made outside of the transaction that writes them, when it is first read. */
export class AnnotationHtml20261121126000 extends Migration {
  override up(): void {
    this.addSql(`alter table "annotations" alter column "body_html" drop not null`);
  }

  override down(): void {
    this.addSql(`update "annotations" set "body_html" = '' where "body_html" is null`);
    this.addSql(`alter table "annotations" alter column "body_html" set not null`);
  }
}
