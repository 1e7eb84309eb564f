import { Migration } from '@mikro-orm/migrations';

/** Who revoked an agent token, and why. */
export class AgentTokenRevocations20261122140000 extends Migration {
  override up(): void {
    this.addSql(
      `alter table "agent_tokens" add column "revoked_by_id" uuid null, add column "revoked_reason" text null`,
    );
  }

  override down(): void {
    this.addSql(`alter table "agent_tokens" drop column "revoked_by_id", drop column "revoked_reason"`);
  }
}
