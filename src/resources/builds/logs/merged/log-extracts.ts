import {
  type ExtractKind,
  finishExtract,
  type FoundSoFar,
  nothingFound,
} from '../../../../domain/builds/failures/extract.js';
import type { Services } from '../../../../services/services.js';
import { digested, type LogReader } from './log-reader.js';
import { inUnchangedLog, type LogState } from './log-state.js';

export interface FailedJob {
  jobId: string;
  organizationId: string;
  pipelineId: string;
  command: string | null;
  /** Hashes of the lines of passed jobs of its step. */
  passed: readonly Uint8Array[];
}

/** Makes the extract of a failed job's log: what is stored of it as long as its build. */
export class ExtractWriter implements LogReader {
  private soFar: FoundSoFar = nothingFound;

  constructor(
    private readonly services: Services,
    private readonly state: LogState,
    private readonly job: FailedJob,
  ) {}

  async part(bytes: Buffer): Promise<boolean> {
    const { command, passed } = this.job;
    const next = await digested(this.services, 'log.extract', {
      before: this.soFar,
      part: { bytes, command, passed },
    });
    if (next === null) return false;
    this.soFar = next;
    return true;
  }

  async end(): Promise<void> {
    const { jobId, organizationId, pipelineId } = this.job;
    const extract = finishExtract(this.soFar);
    if (!extract) return;
    const { lines, cluster, decisive } = extract;
    const row = {
      jobId,
      organizationId,
      pipelineId,
      content: lines.map(({ text }) => text).join('\n'),
      places: lines.map(({ line, kind }): [number, ExtractKind] => [line, kind]),
      cluster,
      decisive,
    };
    await inUnchangedLog(this.services.db, jobId, this.state, async (trx) => {
      await trx.deleteFrom('log_extracts').where('jobId', '=', jobId).execute();
      await trx.insertInto('log_extracts').values(row).execute();
      return true;
    });
  }
}
