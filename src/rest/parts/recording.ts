import type { Context } from '../../request/context.js';
import type { Services } from '../../services/services.js';
import type { VersionedSource } from '../../response-cache/fragment-cache.js';
import { kindOf, sourceKey, versionOf, versionOfValue } from '../../request/source-versions.js';

interface Loader {
  name: string | null;
  load(key: string): Promise<unknown>;
}

/** Services that are the same in every request, so that what is made with them needs no version. */
const constantServices: ReadonlySet<string> = new Set<keyof Services>(['baseUrl', 'secretKey']);

const requests = new WeakMap<Context, Context>();

/** The context that is not recorded: only for calls whose result depends on their arguments alone. */
export function unrecorded(context: Context): Context {
  return requests.get(context) ?? context;
}

/**
 * Records the rows that a part is made of while it is presented. The presenter gets {@link Recording.context}: rows
 * that it loads are recorded with their versions. A part that reads anything else of the request (the time, the caller,
 * the database) is not kept, so a kept part shows nothing whose version is unknown.
 */
export class Recording {
  readonly context: Context;
  private readonly sources: { kind: string; key: string; version: string | undefined }[] = [];
  /** What the presenter read that has no version; null if there is nothing. */
  private reason: string | null = null;

  constructor(whole: Context) {
    const loads = this.loadersOf(whole.load);
    const references = this.loadersOf(whole.references);
    const services = new Proxy(whole.services, { get: (target, name) => this.service(target, name) });
    this.context = new Proxy(whole, {
      get: (target, name) => {
        if (name === 'load') return loads;
        if (name === 'references') return references;
        if (name === 'services') return services;
        this.spoil(`context.${String(name)}`);
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    requests.set(this.context, whole);
  }

  /** Notes a row that the part is made of. */
  note(kind: string, row: { id: string }): void {
    this.sources.push({ kind, key: row.id, version: versionOf(row) });
  }

  /** The sources of the part, once it was presented; the reason why it cannot be kept, else. */
  result(): { sources: readonly VersionedSource[] } | { reason: string } {
    if (this.reason !== null) return { reason: this.reason };
    const sources = new Map<string, VersionedSource>();
    for (const { kind, key, version } of this.sources) {
      if (version === undefined) return { reason: `${kind} without a version` };
      sources.set(`${kind} ${key}`, { kind, key, version });
    }
    return { sources: [...sources.values()] };
  }

  private loadersOf<T extends object>(loaders: T): T {
    return new Proxy(loaders, {
      get: (target, name) => {
        const loader = Reflect.get(target, name, target) as Loader;
        const kind = kindOf(loader, String(name));
        const load = (key: string) => this.load(loader, kind, key);
        return { load, loadMany: (keys: string[]) => Promise.all(keys.map(load)) };
      },
    });
  }

  private async load(loader: Loader, kind: string, key: string): Promise<unknown> {
    const source = { kind, key: sourceKey(kind, key), version: undefined as string | undefined };
    this.sources.push(source);
    const value = await loader.load(key);
    source.version = versionOfValue(kind, value);
    return value;
  }

  private service(services: Services, name: string | symbol): unknown {
    if (!constantServices.has(String(name))) this.spoil(`services.${String(name)}`);
    return Reflect.get(services, name, services);
  }

  private spoil(reason: string): void {
    this.reason ??= reason;
  }
}
