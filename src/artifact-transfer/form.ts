import { Busboy, type BusboyInstance } from '@fastify/busboy';
import type { Request } from 'express';
import type { Readable } from 'node:stream';
import { limits } from '../domain/limits/limits.js';
import { Problem } from '../domain/problem.js';
import { inviteBody } from '../http/expect-continue.js';

export interface SentForm {
  fields: Readonly<Record<string, string>>;
  file: Readable;
}

/**
 * Reads a form up to its file, which must be last, and returns the file as a stream. `ended` settles when the whole
 * form is read. Throws for other forms, and for more fields than agents send.
 */
export function readForm(request: Request): { form: Promise<SentForm>; ended: Promise<void> } {
  let parser: BusboyInstance;
  try {
    parser = new Busboy({
      headers: request.headers as typeof request.headers & { 'content-type': string },
      // A path's characters take up to four bytes each.
      limits: {
        fields: 20,
        fieldNameSize: 100,
        fieldSize: 4 * limits.artifactPathLength,
        files: 1,
        parts: 21,
        headerPairs: 20,
        fileSize: limits.artifactBytes,
      },
    });
  } catch {
    throw new Problem('unsupported_media_type', 'The file must be sent as multipart/form-data');
  }
  const fields: Record<string, string> = {};
  let file: Readable | null = null;
  const failed = (reject: (problem: Problem) => void) => {
    parser.on('error', () => reject(new Problem('malformed', 'The form cannot be read')));
    request.once('close', () => {
      if (request.readableEnded) return;
      // A request that breaks off never ends its parser, so the reader of the file is ended here.
      file?.destroy();
      reject(new Problem('malformed', 'The upload broke off'));
    });
  };
  const form = new Promise<SentForm>((resolve, reject) => {
    parser.on('field', (name, value) => {
      fields[name] = value;
    });
    parser.on('file', (_name, stream) => {
      // Emitted without ending the stream when the body ends inside the file; its reader would wait for the end.
      stream.on('error', () => stream.destroy());
      file = stream;
      resolve({ fields, file: stream });
    });
    parser.on('finish', () => reject(new Problem('malformed', 'The form contains no file')));
    failed(reject);
  });
  const ended = new Promise<void>((resolve, reject) => {
    parser.on('finish', () => resolve());
    failed(reject);
  });
  // Awaiting the form reports the error; nothing may await the end any more by then.
  ended.catch(() => undefined);
  inviteBody(request);
  request.pipe(parser);
  return { form, ended };
}
