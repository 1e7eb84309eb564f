import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';

import { type ArtifactSearch, type FoundFile, findArtifacts } from './artifact-glob.js';
import { contentType } from './content-type.js';
import { AgentHttpError } from '../http.js';
import type { AnnouncedFile, ArtifactReport, JobClient } from '../job/job-client.js';

/** Files that one request registers. */
const batchSize = 30;
/** Files on their way at once. */
const atOnce = 4;

interface HashedFile extends FoundFile, AnnouncedFile {}

export interface ArtifactUpload extends ArtifactSearch {
  /** Patterns of files, below `folder` or absolute. */
  paths: string;
  folder: string;
  log: { line: (text: string) => Promise<void> };
  cancel?: AbortSignal;
  /** Media type of all files; default: by their names. */
  contentType?: string;
}

/**
 * Uploads the files that match the paths, each as a stream, and lists them in the log. True if all of them arrived.
 * @throws AgentHttpError if the server cannot be reached or the job is canceled
 */
export async function uploadArtifacts(client: JobClient, upload: ArtifactUpload): Promise<boolean> {
  const { log, paths, folder } = upload;
  const files = await findArtifacts(paths, folder, upload);
  if (files.length === 0) {
    await log.line(`No files matched paths: ${paths}`);
    return true;
  }
  await log.line(
    `Found ${files.length} ${files.length === 1 ? 'file' : 'files'} that ${files.length === 1 ? 'matches' : 'match'} "${paths}"`,
  );
  let failed = 0;
  for (let start = 0; start < files.length; start += batchSize)
    failed += await uploadBatch(client, upload, files.slice(start, start + batchSize));
  const done = `Uploaded ${files.length - failed} of ${files.length} ${files.length === 1 ? 'artifact' : 'artifacts'}`;
  await log.line(failed === 0 ? done : `🚨 Error: ${done}`);
  return failed === 0;
}

/** Registers, sends and reports some files; the number that did not arrive. */
async function uploadBatch(
  client: JobClient,
  { log, cancel, contentType: givenType }: ArtifactUpload,
  matches: readonly FoundFile[],
): Promise<number> {
  const files: HashedFile[] = [];
  for (const file of matches)
    files.push({ ...file, ...(await hash(file.absolutePath)), contentType: givenType ?? contentType(file.path) });
  const targets = await client.registerArtifacts(randomUUID(), files, cancel);
  const reports: ArtifactReport[] = [];
  const queue = files.map((file, index) => ({ file, target: targets[index] }));
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const { file, target } = next;
      if (!target)
        throw new AgentHttpError('artifacts create: the answer names fewer artifacts than were given', 'body');
      await log.line(`Uploading artifact ${file.path} (${file.fileSize} bytes)`);
      const problem = await client.sendArtifact(target.url, file, cancel).then(
        () => null,
        (error: unknown) => error,
      );
      if (problem !== null && !(problem instanceof AgentHttpError)) throw problem;
      if (problem) await log.line(`🚨 Error: ${file.path} was not uploaded: ${problem.message}`);
      reports.push({ id: target.id, state: problem ? 'error' : 'finished' });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  await client.reportArtifacts(reports, cancel);
  return reports.filter(({ state }) => state === 'error').length;
}

/** Reads size and hashes of a file for its registration; the upload reads it a second time. */
async function hash(path: string): Promise<Pick<AnnouncedFile, 'fileSize' | 'sha1sum' | 'sha256sum'>> {
  const sha1 = createHash('sha1');
  const sha256 = createHash('sha256');
  let fileSize = 0;
  for await (const bytes of createReadStream(path) as AsyncIterable<Buffer>) {
    fileSize += bytes.length;
    sha1.update(bytes);
    sha256.update(bytes);
  }
  return { fileSize, sha1sum: sha1.digest('hex'), sha256sum: sha256.digest('hex') };
}
