import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseAllDocuments,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { expandEnvironment } from './environment.js';
import type { FileProblem, Position } from './problem.js';

/** A value of the file, with keys in camelCase like the plan's. */
export type Loose = string | number | boolean | null | Loose[] | { [key: string]: Loose };

export interface ReadYaml {
  value: Loose;
  /** Positions of values by path, such as `organizations.0.slug`. */
  values: Map<string, Position>;
  /** Positions of keys by the path of their value. */
  keys: Map<string, Position>;
  problems: FileProblem[];
  /** Paths of values that could not be read; the plan's problems with them would repeat that. */
  unreadable: Set<string>;
  /** Paths of values that are one variable of the environment and nothing else. */
  references: Set<string>;
}

const deepest = 20;

/** Keys whose maps hold names of others, which are read as they are written. */
export const verbatim: ReadonlySet<string> = new Set([
  'env',
  'steps',
  'provider_settings',
  'settings',
  'build_states',
  'value',
]);

/** Reads YAML into plain values with their positions, and replaces `${NAME}` by environment variables. */
export function readYaml(text: string, env: Record<string, string | undefined>): ReadYaml {
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, { lineCounter: lines, merge: false, version: '1.2', prettyErrors: false });
  const reader = new Reader(lines, env);
  const [document, second] = 'empty' in documents ? [] : documents;
  for (const error of document?.errors ?? []) reader.problem(error.pos[0], error.message);
  if (second) reader.problem(second.range[0], 'one document to a file');
  const value =
    document?.contents && document.errors.length === 0
      ? reader.read(document.contents as Node, '', 0, (alias) => alias.resolve(document))
      : {};
  return {
    value: value === null ? {} : value,
    values: reader.values,
    keys: reader.keys,
    problems: reader.problems,
    unreadable: reader.unreadable,
    references: reader.references,
  };
}

type Resolve = (alias: { resolve(document: unknown): Node | undefined }) => Node | undefined;

class Reader {
  readonly values = new Map<string, Position>();
  readonly keys = new Map<string, Position>();
  readonly problems: FileProblem[] = [];
  readonly unreadable = new Set<string>();
  readonly references = new Set<string>();

  constructor(
    private readonly lines: LineCounter,
    private readonly env: Record<string, string | undefined>,
  ) {}

  problem(offset: number, message: string): void {
    this.problems.push({ ...this.at(offset), message });
  }

  /** `asWritten`: keys stay as they are, and empty values are null. */
  read(node: Node | null, path: string, depth: number, resolve: Resolve, asWritten = false): Loose {
    if (!node) return null;
    const offset = node.range?.[0] ?? 0;
    this.values.set(path, this.at(offset));
    if (depth > deepest) {
      this.problem(offset, 'is nested too deeply');
      return null;
    }
    const actual = isAlias(node) ? resolve(node) : node;
    if (isMap(actual)) return this.readMap(actual, path, depth, resolve, asWritten);
    if (isSeq(actual))
      return (actual as YAMLSeq<Node>).items.map((item, index) =>
        this.read(item, join(path, index), depth + 1, resolve, asWritten),
      );
    return isScalar(actual) ? this.readScalar(actual, path, offset) : null;
  }

  private readMap(map: YAMLMap, path: string, depth: number, resolve: Resolve, asWritten: boolean): Loose {
    const result: { [key: string]: Loose } = Object.create(null) as { [key: string]: Loose };
    for (const { key, value } of map.items as { key: Node; value: Node | null }[]) {
      const offset = key.range?.[0] ?? 0;
      const name = isScalar(key) ? String(key.value) : '';
      if (!(asWritten ? name !== '' : /^[a-z][a-z0-9_]*$/.test(name))) {
        this.problem(offset, `unknown key ${JSON.stringify(name)}`);
        continue;
      }
      const camel = asWritten ? name : name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
      const inner = join(path, camel);
      this.keys.set(inner, this.at(offset));
      const read = this.read(value, inner, depth + 1, resolve, asWritten || verbatim.has(name));
      // An empty value means an absent key, not a value of the wrong type.
      if (read !== null || asWritten) result[camel] = read;
      if (!this.values.has(inner)) this.values.set(inner, this.at(offset));
    }
    return result;
  }

  private readScalar(scalar: Scalar, path: string, offset: number): Loose {
    const { value } = scalar;
    if (typeof value === 'string') return this.expand(value, scalar.type === 'PLAIN', path, offset);
    return typeof value === 'number' || typeof value === 'boolean' || value === null ? value : String(value);
  }

  private expand(text: string, plain: boolean, path: string, offset: number): Loose {
    const expansion = expandEnvironment(text, this.env);
    for (const message of expansion.problems) this.problem(offset, message);
    if (expansion.problems.length > 0) this.unreadable.add(path);
    if (/^\$\{\w+\}$/.test(text)) this.references.add(path);
    // An unquoted `${NAME}` may be a boolean.
    if (plain && expansion.expanded && /^(true|false)$/.test(expansion.text)) return expansion.text === 'true';
    return expansion.text;
  }

  private at(offset: number): Position {
    const { line, col } = this.lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  }
}

const join = (path: string, key: string | number) => (path === '' ? String(key) : `${path}.${key}`);
