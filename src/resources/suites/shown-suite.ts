import type { OrganizationRow, SuiteRow } from '../../entities/database.js';

/** A suite as operations return it; `apiToken` is null unless it was requested and may be shown. */
export interface ShownSuite {
  organization: OrganizationRow;
  suite: SuiteRow;
  apiToken: string | null;
}
