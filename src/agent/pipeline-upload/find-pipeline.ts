import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { PipelineTextError } from './pipeline-text.js';

const folders = ['', '.buildkite/', 'buildkite/'];
const extensions = ['yml', 'yaml', 'json'];

/** Where a repository's pipeline is looked for. */
export const pipelineFiles = folders.flatMap((folder) =>
  extensions.map((extension) => `${folder}${folder === '' ? 'buildkite' : 'pipeline'}.${extension}`),
);

/**
 * Finds the one pipeline file of a folder.
 * @throws PipelineTextError when there is none, or more than one
 */
export function findPipeline(folder: string): string {
  const present = pipelineFiles.filter((name) => existsSync(join(folder, name)));
  if (present.length > 1)
    throw new PipelineTextError(`there are several pipeline files: ${present.join(', ')}; only one may be there`);
  if (present[0] === undefined)
    throw new PipelineTextError(`there is no pipeline file; looked for ${pipelineFiles.join(', ')}`);
  return present[0];
}
