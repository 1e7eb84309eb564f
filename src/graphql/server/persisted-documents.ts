import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { parse } from 'graphql';
import { z } from 'zod';
import { ConfigError } from '../../services/config-error.js';
import { byteLength, limits } from '../../domain/limits/limits.js';
import type { PersistedDocuments } from '../../services/services.js';

const body = z.string().min(1);
/** The manifest that `generate-persisted-query-manifest` and other tools of Apollo's clients write. */
const apolloManifest = z.object({
  format: z.literal('apollo-persisted-query-manifest'),
  version: z.literal(1),
  operations: z.array(z.object({ id: z.string().min(1), body })),
});
/** What Relay, GraphQL Code Generator and others write: documents by their hashes or other ids. */
const plainMap = z.record(z.string().min(1), body);

const manifestBytes = 16 * 1024 * 1024;
const documentsAtMost = 10_000;

/** Texts are compared by hash, so that a text of the caller is never a key. */
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

/**
 * Reads the manifest that `GRAPHQL_MANIFEST` names and, if there is one, the file with the hashes of the console's
 * documents. Throws {@link ConfigError} with the reason for a file that cannot be read, is no manifest, or has a
 * document that does not parse.
 */
export function readPersistedDocuments(path: string, consoleHashes: string): PersistedDocuments {
  const documents = new Map(readManifest(path));
  const texts = new Set([...documents.values()].map(hashOf));
  const ofConsole = new Set(hashesOfConsole(consoleHashes));
  return {
    byId: (id) => documents.get(id),
    includes: (text, { session }) => {
      const hash = hashOf(text);
      return texts.has(hash) || (session && ofConsole.has(hash));
    },
    texts: () => documents.entries(),
  };
}

const broken = (path: string, reason: string) => new ConfigError(`GRAPHQL_MANIFEST: ${path} ${reason}`);

function readManifest(path: string): [id: string, text: string][] {
  const value = readJson(path);
  const manifest = apolloManifest.safeParse(value);
  const map = manifest.success ? null : plainMap.safeParse(value);
  const entries: [string, string][] = manifest.success
    ? manifest.data.operations.map((operation) => [operation.id, operation.body])
    : Object.entries(map?.data ?? {});
  if (!manifest.success && !map?.success)
    throw broken(
      path,
      'is neither a manifest of Apollo (format "apollo-persisted-query-manifest", version 1) nor a map of documents',
    );
  if (entries.length > documentsAtMost)
    throw broken(path, `has ${entries.length} documents; at most ${documentsAtMost} are taken`);
  const ids = new Map<string, string>();
  for (const [id, text] of entries) {
    const shown = JSON.stringify(id.slice(0, 100));
    if (ids.has(id) && ids.get(id) !== text) throw broken(path, `has two documents with the id ${shown}`);
    ids.set(id, text);
    if (byteLength(text) > limits.graphqlDocumentBytes)
      throw broken(path, `has a document of more than ${limits.graphqlDocumentBytes} bytes, with the id ${shown}`);
    try {
      parse(text);
    } catch (error) {
      throw broken(path, `has a document that does not parse, with the id ${shown}: ${(error as Error).message}`);
    }
  }
  return entries;
}

function readJson(path: string): unknown {
  try {
    if (statSync(path).size > manifestBytes) throw broken(path, `is larger than ${manifestBytes} bytes`);
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw broken(path, `cannot be read: ${(error as Error).message}`);
  }
}

/** The hashes that the build of the console left; none where the console was not built. */
function hashesOfConsole(path: string): string[] {
  try {
    return z.array(z.string()).parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw broken(path, `cannot be read: ${(error as Error).message}`);
  }
}
