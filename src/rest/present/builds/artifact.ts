import type { Context } from '../../../request/context.js';
import { splitArtifactPath } from '../../../domain/builds/artifact-path.js';
import { artifactStates } from '../../../domain/builds/artifact-state.js';
import type { JsonObject } from '../../../domain/pipelines/steps/step.js';
import type { ArtifactRow } from '../../../entities/database.js';
import { described, enumOf, largeInteger, nullable, object, text, url, uuid } from '../../openapi/schema.js';
import { field, resource } from '../fields.js';
import { linkBuildById } from '../linked-build.js';
import { Urls } from '../urls.js';
import { existing } from '../values.js';

export const artifactResource = resource<{ artifact: ArtifactRow; artifactUrl: string }>({
  id: field(uuid, 'ID of the artifact.', ({ artifact }) => artifact.id),
  job_id: field(uuid, 'ID of the job that uploaded the artifact.', ({ artifact }) => artifact.jobId),
  url: field(url, 'API URL of the artifact.', ({ artifactUrl }) => artifactUrl),
  download_url: field(
    url,
    'API URL that redirects to the bytes of the artifact.',
    ({ artifactUrl }) => `${artifactUrl}/download`,
  ),
  state: field(enumOf(...artifactStates), 'State of the upload.', ({ artifact }) => artifact.state),
  path: field(text, 'Path of the file, relative to the checkout.', ({ artifact }) => artifact.path),
  dirname: field(text, 'Directory part of `path`.', ({ artifact }) => splitArtifactPath(artifact.path).dirname),
  filename: field(text, 'Last part of `path`.', ({ artifact }) => splitArtifactPath(artifact.path).filename),
  mime_type: field(text, 'Media type of the file.', ({ artifact }) => artifact.contentType),
  file_size: field(largeInteger, 'Size of the file in bytes.', ({ artifact }) => artifact.fileSize),
  glob_path: field(
    nullable(text),
    'Pattern of `artifact_paths` that matched the file.',
    ({ artifact }) => artifact.globPath,
  ),
  original_path: field(
    nullable(text),
    'Absolute path of the file on the agent.',
    ({ artifact }) => artifact.absolutePath,
  ),
  sha1sum: field(text, 'SHA-1 checksum of the file, in hexadecimal.', ({ artifact }) => artifact.sha1sum),
});

export async function presentArtifact(context: Context, artifact: ArtifactRow): Promise<JsonObject> {
  const { links } = existing(await linkBuildById(context, artifact.buildId), 'a build');
  const artifactUrl = `${Urls.of(context).job(links, { id: artifact.jobId }).api}/artifacts/${artifact.id}`;
  return artifactResource.present({ artifact, artifactUrl });
}

/** The body of a redirection, for clients that do not follow `Location`. */
export const linkSchema = object({ url: described(url, 'Temporary URL of the bytes; needs no token.') });
