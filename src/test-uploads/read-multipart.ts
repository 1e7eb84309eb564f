import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { limits } from '../domain/limits/limits.js';
import { Problem } from '../domain/problem.js';
import { inSlices, joinShared } from '../event-loop/shared-bytes.js';
import { nextTurn } from '../event-loop/turns.js';
import { bodyBudget } from '../http/body-budget.js';
import { encodedText } from '../domain/json-text.js';
import { isPacked, unpackFile } from './data-file.js';
import type { UploadFields } from './upload-fields.js';

type FormReader = InstanceType<typeof Busboy>;

const most = {
  fields: 200,
  files: 1,
  fieldNameSize: 200,
  fieldSize: limits.testUploadBytes,
  fileSize: limits.testUploadBytes,
  headerPairs: 50,
  headerSize: 8_192,
};
const inBrackets = /^(run_env|tags)\[([^\]]+)\]$/;

/**
 * Reads an upload that is a form: `format`, `run_env[…]`, `tags[…]`, and `data`, a file or a field.
 * Fields of other names are ignored.
 */
export async function readMultipart(request: IncomingMessage, body: Buffer): Promise<UploadFields> {
  const maps: Record<'run_env' | 'tags', Map<string, string>> = { run_env: new Map(), tags: new Map() };
  const { file, fields } = await readForm(request, body, 'data');
  for (const [name, value] of fields) {
    const [, map, key] = inBrackets.exec(name) ?? [];
    if (map && key) maps[map as 'run_env' | 'tags'].set(key, value);
  }
  return {
    format: fields.get('format'),
    runEnv: Object.fromEntries(maps.run_env),
    tags: Object.fromEntries(maps.tags),
    data: file ? encodedText(file) : fields.get('data'),
  };
}

/** The texts of a form, and the bytes of its file, which has this name; it may be sent packed. */
export async function readForm(
  request: IncomingMessage,
  body: Buffer,
  fileName: string,
): Promise<{ file: Buffer | null; fields: ReadonlyMap<string, string> }> {
  const fields = new Map<string, string>();
  const form = formReader(request.headers);
  form.on('field', (name: string, value: string) => void fields.set(name, value));
  const files: Buffer[] = [];
  form.on('file', (name: string, stream: Readable) => {
    // The form reports a body that ends inside its file; without this listener the file's error would end the process.
    stream.on('error', () => undefined);
    if (name === fileName) stream.on('data', (piece: Buffer) => files.push(piece));
    else stream.resume();
  });
  await finished(form, body);
  if (files.length === 0) return { file: null, fields };
  const file = await joinShared(files);
  if (isPacked(file)) bodyBudget.bodyOf(request).grow(body.length + limits.testUploadBytes);
  return { file: await unpackFile(file), fields };
}

const unreadable = () => new Problem('malformed', 'The form cannot be read');

function formReader(headers: IncomingHttpHeaders): FormReader {
  try {
    return new Busboy({ headers: headers as BusboyHeaders, limits: most });
  } catch {
    throw unreadable();
  }
}

async function finished(form: FormReader, body: Buffer): Promise<void> {
  let isOver = false;
  const over = new Promise<void>((resolve, reject) => {
    const refuse = (message: string) => () => reject(new Problem('malformed', message));
    form.once('finish', resolve);
    form.on('error', () => reject(unreadable()));
    form.once('fieldsLimit', refuse(`The form has more than ${most.fields} fields`));
    form.once('filesLimit', refuse('The form has more than one file'));
  }).finally(() => {
    isOver = true;
  });
  await Promise.all([over, feed(form, body, () => isOver)]);
}

/** Hands a body over with turns of the event loop between, until the form has seen enough. */
async function feed(form: FormReader, body: Buffer, isOver: () => boolean): Promise<void> {
  let isFirst = true;
  for (const slice of inSlices(body)) {
    if (!isFirst) await nextTurn();
    if (isOver()) return;
    form.write(slice);
    isFirst = false;
  }
  form.end();
}
