import type { Context } from '../../../request/context.js';
import type { JsonObject } from '../../../domain/pipelines/steps/step.js';
import type { LogSearch } from '../../../operations/builds/logs/search.js';
import type { FoundLogLine } from '../../../services/operator-socket.js';
import { webUrls } from '../../../services/web-urls.js';
import {
  arrayOf,
  boolean,
  described,
  integer,
  largeInteger,
  nullable,
  object,
  text,
  url,
  uuid,
} from '../../openapi/schema.js';
import { field, resource } from '../fields.js';

const matchSchema = object({
  build_number: described(integer, 'Number of the build.'),
  pipeline_slug: described(text, 'Slug of the pipeline.'),
  job_id: described(uuid, 'ID of the job.'),
  line: described(integer, 'Number of the line in the log, from 1.'),
  text: described(text, 'The line without escape sequences, at most 1,000 characters round the match.'),
  url: described(url, 'Page of the log at the line.'),
  cluster: described(
    nullable(text),
    'Hash of the failure of the job, the same where jobs failed alike; null in whole logs and where none is.',
  ),
});

/** A line that was found, as /v2 and the command line show it. */
export function presentMatch(
  { organization, pipeline, build, job, line, text: content, cluster }: LogSearch['matches'][number],
  baseUrl: string,
): FoundLogLine {
  return {
    build_number: build.number,
    pipeline_slug: pipeline.slug,
    job_id: job.id,
    line: line + 1,
    text: content,
    url: webUrls.logLine(baseUrl, organization.slug, pipeline.slug, build.number, job.id, line + 1),
    cluster,
  };
}

interface Source {
  search: LogSearch;
  baseUrl: string;
}

export const logSearchResource = resource<Source>({
  matches: field(arrayOf(matchSchema), 'Lines that match, of the newest job first.', ({ search, baseUrl }) =>
    search.matches.map((match) => ({ ...presentMatch(match, baseUrl) })),
  ),
  cursor: field(
    nullable(text),
    'Value of `cursor` with which the search goes on; null once all logs were looked through.',
    ({ search }) => search.cursor,
  ),
  scanned_bytes: field(
    largeInteger,
    'Bytes of logs that this request has read. Logs that cannot match are left unread.',
    ({ search }) => search.scannedBytes,
  ),
  complete: field(boolean, 'Whether all logs were looked through.', ({ search }) => search.complete),
});

export const presentLogSearch = ({ services }: Context, search: LogSearch): Promise<JsonObject> =>
  logSearchResource.present({ search, baseUrl: services.baseUrl });
