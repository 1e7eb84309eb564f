import { parseAllDocuments } from 'yaml';
import { firstLine } from '../../domain/first-line.js';

/** Text that is no pipeline. */
export class PipelineTextError extends Error {
  override readonly name = 'PipelineTextError';
}

/** A value as YAML and JSON have it. */
export type Plain = string | number | boolean | null | Plain[] | { [key: string]: Plain };

/** A pipeline as it is uploaded: its steps and whatever else its document has. */
export type PipelineDocument = Record<string, Plain>;

const maxBytes = 10 * 1024 * 1024;
/** Bounds what aliases may grow a text to. */
const maxNodes = 1_000_000;
const maxDepth = 100;

/**
 * Reads the pipelines of a text: YAML 1.2 with anchors and merge keys, or JSON, of one or several documents. A document
 * that is a list is one of steps. Documents without content are passed over.
 * @throws PipelineTextError with line and column where the text is wrong
 */
export function readPipelines(text: string): PipelineDocument[] {
  if (Buffer.byteLength(text) > maxBytes) throw new PipelineTextError(`the pipeline is larger than ${maxBytes} bytes`);
  const documents = parseAllDocuments(text, { version: '1.2', merge: true, intAsBigInt: true, logLevel: 'silent' });
  const budget = { nodes: maxNodes };
  const pipelines: PipelineDocument[] = [];
  for (const document of Array.isArray(documents) ? documents : []) {
    const [error] = document.errors;
    if (error) throw new PipelineTextError(firstLine(error.message).replace(/:$/, ''));
    const value = plain(valueOf(document), budget, maxDepth);
    if (value === null) continue;
    if (Array.isArray(value)) pipelines.push({ steps: value });
    else if (typeof value === 'object') pipelines.push(value);
    else throw new PipelineTextError('a pipeline is a mapping with "steps", or a list of steps');
  }
  if (pipelines.length === 0) throw new PipelineTextError('the pipeline is empty');
  return pipelines;
}

function valueOf(document: { toJS: (options: { maxAliasCount: number }) => unknown }): unknown {
  try {
    return document.toJS({ maxAliasCount: 10_000 });
  } catch (error) {
    throw new PipelineTextError((error as Error).message);
  }
}

function plain(value: unknown, budget: { nodes: number }, depth: number): Plain {
  budget.nodes -= 1;
  if (budget.nodes < 0) throw new PipelineTextError(`the pipeline has more than ${maxNodes} values`);
  if (depth === 0) throw new PipelineTextError(`the pipeline nests deeper than ${maxDepth} levels`);
  // An account number longer than a double holds keeps its digits.
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value.toString();
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.map((item) => plain(item, budget, depth - 1));
  if (value === null || typeof value !== 'object') return null;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item, budget, depth - 1)]));
}
