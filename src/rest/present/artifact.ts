import type { Context } from '../../context.js';
import { splitArtifactPath } from '../../domain/artifact-path.js';
import type { JsonObject } from '../../domain/steps/step.js';
import type { ArtifactRow } from '../../entities/database.js';
import { placeBuildById } from './place.js';
import { Urls } from './urls.js';
import { existing } from './values.js';

/** An artifact (fields and order of rest-facts 3.2); `download_url` is the place that redirects to the bytes. */
export async function presentArtifact(context: Context, artifact: ArtifactRow): Promise<JsonObject> {
  const { urls } = existing(await placeBuildById(context, artifact.buildId), 'a build');
  const url = `${Urls.of(context).job(urls, { id: artifact.jobId }).api}/artifacts/${artifact.id}`;
  return {
    id: artifact.id,
    job_id: artifact.jobId,
    url,
    download_url: `${url}/download`,
    state: artifact.state,
    path: artifact.path,
    ...splitArtifactPath(artifact.path),
    mime_type: artifact.contentType,
    file_size: artifact.fileSize,
    glob_path: artifact.globPath,
    original_path: artifact.absolutePath,
    sha1sum: artifact.sha1sum,
  };
}
