import type { Readable } from 'node:stream';
import { z } from 'zod';
import { isId } from '../../../core/address.js';
import { artifactKey } from '../../../core/build-folder.js';
import { defineOperation } from '../../../core/operation.js';
import type { Subject } from '../../../core/subject.js';
import { ArchiveNames } from '../../../domain/builds/archive-names.js';
import {
  type ArchiveFile,
  type ArchiveGap,
  type ArchiveScope,
  filesOfArchive,
  gapsOfArchive,
  measureArchive,
} from '../../../resources/builds/artifacts/archive.js';
import { isSigned } from '../../../resources/builds/artifacts/links.js';
import { signedUntil } from '../../../resources/builds/artifacts/signed-until.js';

/** An archive whose files can be read one after another; none of their bytes is in memory yet. */
export interface ReadableArchive {
  /** Name of the archive itself, without its end. */
  name: string;
  organizationId: string;
  /** Names that are taken in the archive. */
  names: ArchiveNames;
  files(): AsyncIterable<ArchiveFile>;
  /** Opens a file; null for one that is gone meanwhile. */
  open(file: ArchiveFile): Promise<Readable | null>;
  gaps(): Promise<ArchiveGap[]>;
}

interface ArchivedBuild extends Subject {
  build: { number: number; slug: string; organizationId: string };
}

/** Opens the artifacts of a build or a job for an archive; the signed URL is the credential. */
export const readArtifactArchive = defineOperation({
  name: 'artifact-archive.read',
  summary: 'Returns an archive of all artifacts of a build or a job.',
  kind: 'query',
  scope: null,
  access: 'internal',
  input: z.object({ of: z.enum(['build', 'job']), id: z.string().max(300), ...signedUntil }),
  subject: async (context, { of, id, expires, signature }): Promise<ArchivedBuild | null> => {
    if (!isId(id) || !isSigned(context, 'artifact-archive', { expires, signature }, of, id)) return null;
    const builds = context.db
      .selectFrom('builds as b')
      .innerJoin('pipelines as p', 'p.id', 'b.pipelineId')
      .select(['b.number', 'b.organizationId', 'p.slug']);
    const build = await (
      of === 'build'
        ? builds.where('b.id', '=', id)
        : builds.innerJoin('jobs as j', 'j.buildId', 'b.id').where('j.id', '=', id)
    ).executeTakeFirst();
    return build ? { build } : null;
  },
  run: async (context, { of, id }, { build }): Promise<ReadableArchive> => {
    const scope: ArchiveScope = { of, id };
    // There may be more of them than when the address was made.
    await measureArchive(context, scope);
    const { slug, number, organizationId } = build;
    const names = new ArchiveNames();
    return {
      name: `${slug}-${number}${of === 'job' ? `-job-${id.slice(-12)}` : ''}-artifacts`,
      organizationId,
      names,
      files: () => filesOfArchive(context, scope, names),
      open: ({ artifact }) => context.services.storage.get(artifactKey(artifact)),
      gaps: () => gapsOfArchive(context, scope),
    };
  },
});
