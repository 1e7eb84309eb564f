import type { OrganizationRow, SuiteRow } from '../../entities/database.js';

/** A suite as an operation gives it out; `apiToken` is null unless it was asked for and may be shown. */
export interface ShownSuite {
  organization: OrganizationRow;
  suite: SuiteRow;
  apiToken: string | null;
}
