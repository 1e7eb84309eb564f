import type { Context } from '../../../request/context.js';
import type { JobRow } from '../../../entities/database.js';
import type { StepSummary } from '../../../loaders/loaders.js';
import type { Links } from '../urls.js';

/** A job with the rows around it that its presentation reads. */
export interface JobSource {
  context: Context;
  job: JobRow;
  organization: { slug: string };
  step: StepSummary | null;
  links: Links;
  buildUrl: string;
  /** Whether the reply shows the build, or a list of its jobs: only then is the key of the group shown. */
  inBuild: boolean;
}
