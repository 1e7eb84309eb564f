import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { median, slopeOf } from './slope.js';

/** What is measured of the server at one moment; sizes in MB, delays in milliseconds. */
export interface Sample {
  /** Seconds since the load began. */
  at: number;
  rss: number;
  heapUsed: number;
  heapTotal: number;
  external: number;
  /**
   * Resident memory that is neither V8's heap nor external: code, stacks, the memory of WebAssembly, what the allocator
   * holds.
   */
  other: number;
  eventLoopP50: number;
  eventLoopP99: number;
  handles: number;
  descriptors: number;
  /** The embedded database on disk, and its write-ahead log alone; 0 where the server has none. */
  databaseFiles: number;
  walFiles: number;
  builds: number;
}

const megabyte = 1024 * 1024;

/** Asks `/metrics` and the kernel; throws where the server does not answer. */
export async function takeSample(
  { url, pid, dataDir }: { url: string; pid: number; dataDir: string },
  at: number,
  builds: number,
): Promise<Sample> {
  const response = await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(30_000) });
  const values = readMetrics(await response.text());
  const read = (name: string) => values.get(name) ?? NaN;
  const rss = Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  const heapTotal = read('nodejs_heap_size_total_bytes') / megabyte;
  const external = read('nodejs_external_memory_bytes') / megabyte;
  return {
    at,
    rss,
    heapUsed: read('nodejs_heap_size_used_bytes') / megabyte,
    heapTotal,
    external,
    other: rss - heapTotal - external,
    eventLoopP50: read('nodejs_eventloop_lag_p50_seconds') * 1000,
    eventLoopP99: read('nodejs_eventloop_lag_p99_seconds') * 1000,
    handles: read('nodejs_active_resources_total'),
    descriptors: read('process_open_fds'),
    databaseFiles: sizeOf(join(dataDir, 'database')),
    walFiles: sizeOf(join(dataDir, 'database', 'pg_wal')),
    builds,
  };
}

/** What the files in a directory and below occupy, in MB. */
function sizeOf(directory: string): number {
  if (!existsSync(directory)) return 0;
  const names = readdirSync(directory, { recursive: true }) as string[];
  return (
    names.reduce(
      (sum, name) => sum + (statSync(join(directory, name), { throwIfNoEntry: false })?.blocks ?? 0) * 512,
      0,
    ) / megabyte
  );
}

/** Metrics without labels, by name. */
function readMetrics(text: string): Map<string, number> {
  return new Map(
    [...text.matchAll(/^(\w+) ([\d.eE+-]+)$/gm)].map(([, name = '', value = '']) => [name, Number(value)]),
  );
}

export interface Growth {
  mbPerHour: number;
  standardError: number;
  /** Medians of the first and the last fifth of the samples after the warm-up. */
  first: number;
  last: number;
}

const measured = ['rss', 'heapUsed', 'heapTotal', 'external', 'other'] as const;

/** How each kind of memory grew once `warmUpSeconds` had passed; null where too few samples were taken. */
export function growthAfter(
  samples: readonly Sample[],
  warmUpSeconds: number,
): Record<(typeof measured)[number], Growth> | null {
  const warm = samples.filter(({ at }) => at >= warmUpSeconds);
  const fifth = Math.ceil(warm.length / 5);
  const of = (name: (typeof measured)[number]): Growth | null => {
    const slope = slopeOf(warm.map((sample) => ({ x: sample.at / 3600, y: sample[name] })));
    if (!slope) return null;
    const values = warm.map((sample) => sample[name]);
    return {
      mbPerHour: slope.perUnit,
      standardError: slope.standardError,
      first: median(values.slice(0, fifth)),
      last: median(values.slice(-fifth)),
    };
  };
  const entries = measured.map((name) => [name, of(name)] as const);
  return entries.some(([, growth]) => growth === null)
    ? null
    : (Object.fromEntries(entries) as Record<(typeof measured)[number], Growth>);
}

export function asCsv(samples: readonly Sample[]): string {
  const names = Object.keys(samples[0] ?? {}) as (keyof Sample)[];
  return (
    [names.join(','), ...samples.map((sample) => names.map((name) => Number(sample[name].toFixed(2))).join(','))].join(
      '\n',
    ) + '\n'
  );
}
