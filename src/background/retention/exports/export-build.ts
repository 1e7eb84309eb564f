import { randomUUID } from 'node:crypto';
import { exportFiles, exportFolder } from '../../../domain/retention/build-export.js';
import type { BuildRow, JobRow } from '../../../entities/database.js';
import { stepUploadSelection } from '../../../entities/pipelines/shown-step-upload.js';
import { Context } from '../../../request/context.js';
import { annotationColumns } from '../../../resources/builds/annotations/annotation.js';
import { logStore, logView } from '../../../resources/builds/logs/log-store.js';
import type { BuildExportPlace, Services } from '../../../services/services.js';
import { measureLog, readLog } from '../../../storage/logs/read-log.js';
import { jsonArray, type StoredFile, storeFile } from './store-file.js';

const formatVersion = 1;
const rowsAtOnce = 100;

/**
 * Stores a build as /v2 shows it, in the layout that the hosted service has for its exports: the build, its
 * annotations, artifacts (without their bytes) and pipeline uploads, each job and each log. The manifest with the
 * checksums of all files is stored last.
 */
export async function exportBuild(
  services: Services,
  { storage }: BuildExportPlace,
  build: BuildRow,
  signal: AbortSignal,
): Promise<void> {
  const { db, payloads, clock } = services;
  const folder = exportFolder(build);
  const files: StoredFile[] = [];
  const store = async (name: string, content: AsyncIterable<string | Uint8Array>) => {
    files.push(await storeFile(storage, folder, name, content, signal));
  };
  const context = () =>
    new Context(services, {
      actor: { kind: 'system', cause: 'retention' },
      surface: 'system',
      requestId: randomUUID(),
      signal,
    });
  const list = async <T extends { id: string }>(
    name: string,
    read: (after: string | null) => Promise<T[]>,
    present: (within: Context, row: T) => Promise<object>,
  ) => {
    // What is loaded for one page is forgotten with its context.
    let within = context();
    const pages = async function* () {
      for await (const page of pagesOf(read)) {
        within = context();
        yield page;
      }
    };
    await store(
      name,
      jsonArray(pages(), (row) => present(within, row)),
    );
  };

  await store(exportFiles.build, one(payloads.exported.build(context(), build)));
  await list(
    exportFiles.annotations,
    (after) =>
      db
        .selectFrom('annotations')
        .select(annotationColumns)
        .where('buildId', '=', build.id)
        .$if(after !== null, (query) => query.where('id', '<', after ?? ''))
        .orderBy('id', 'desc')
        .limit(rowsAtOnce)
        .execute(),
    (within, row) => payloads.exported.annotation(within, row),
  );
  await list(
    exportFiles.artifacts,
    (after) =>
      db
        .selectFrom('artifacts')
        .selectAll()
        .where('buildId', '=', build.id)
        .$if(after !== null, (query) => query.where('id', '<', after ?? ''))
        .orderBy('id', 'desc')
        .limit(rowsAtOnce)
        .execute(),
    (within, row) => payloads.exported.artifact(within, row),
  );
  await list(
    exportFiles.stepUploads,
    (after) =>
      db
        .selectFrom('step_uploads as u')
        .select(stepUploadSelection)
        .where('u.buildId', '=', build.id)
        .$if(after !== null, (query) => query.where('u.id', '<', after ?? ''))
        .orderBy('u.id', 'desc')
        .limit(rowsAtOnce)
        .execute(),
    (within, row) => payloads.exported.stepUpload(within, row),
  );
  const jobs = (after: string | null) =>
    db
      .selectFrom('jobs')
      .selectAll()
      .where('buildId', '=', build.id)
      .$if(after !== null, (query) => query.where('id', '>', after ?? ''))
      .orderBy('id')
      .limit(rowsAtOnce)
      .execute();
  for await (const page of pagesOf(jobs)) {
    const within = context();
    for (const job of page) {
      await store(exportFiles.job(job.id), one(payloads.exported.job(within, job, build)));
      await storeLog(services, job, store);
    }
  }
  const manifest = {
    format: formatVersion,
    build_id: build.id,
    pipeline_id: build.pipelineId,
    organization_id: build.organizationId,
    number: build.number,
    exported_at: clock.now().toISOString(),
    files,
  };
  await storeFile(storage, folder, exportFiles.manifest, one(Promise.resolve(manifest)), signal);
}

async function storeLog(
  services: Services,
  job: JobRow,
  store: (name: string, content: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<void> {
  if (job.type !== 'command' || job.logDeletedAt !== null || job.logExpiredAt !== null) return;
  const log = logStore(services, job.organizationId);
  const view = logView(job);
  if ((await measureLog(log, view)) > 0) await store(exportFiles.log(job.id), readLog(log, view));
}

async function* one(document: Promise<object>): AsyncGenerator<string> {
  yield JSON.stringify(await document);
}

/** Rows in pages, each after the last id of the one before. */
async function* pagesOf<T extends { id: string }>(read: (after: string | null) => Promise<T[]>): AsyncGenerator<T[]> {
  for (let after: string | null = null; ;) {
    const rows = await read(after);
    if (rows.length > 0) yield rows;
    if (rows.length < rowsAtOnce) return;
    after = rows.at(-1)?.id ?? null;
  }
}
