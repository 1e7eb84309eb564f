// Results as lines for people, and as docs/performance.md.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';

export function describeMachine(postgres) {
  return {
    processor: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    memory_gb: Math.round(totalmem() / 2 ** 30),
    load_average_at_start: +loadavg()[0].toFixed(1),
    node: process.version,
    postgres: postgres.version,
    commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim(),
  };
}

const number = (value) =>
  value === null || value === undefined
    ? ''
    : Math.abs(value) >= 100
      ? String(Math.round(value))
      : Math.abs(value) >= 10
        ? value.toFixed(1)
        : value.toFixed(2);

/** The columns of a row, empty where a path has no such figure. */
function columns(row) {
  const spread = row.spread ? `${number(row.spread[0])} to ${number(row.spread[1])}` : '';
  return {
    path: row.title + (row.what ? `, ${row.what}` : ''),
    connections: row.connections ? String(row.connections) : '',
    ratio: row.ratio === undefined ? '' : `${number(row.ratio)} of ${row.beside}`,
    spread,
    figure: row.figure ?? (row.per_second === undefined ? '' : `${number(row.per_second)}/s`),
    server: number(row.server_cpu_ms),
    database: number(row.database_cpu_ms),
    statements: number(row.statements),
    rss: number(row.rss_mb),
    reach: row.reach ?? '',
  };
}

const headings = {
  path: 'path',
  connections: 'connections',
  ratio: 'ratio',
  spread: 'spread',
  figure: 'figure',
  server: 'server, ms of CPU',
  database: 'database, ms of CPU',
  statements: 'statements',
  rss: 'RSS, MB',
  reach: 'reach',
};

/** One line for the terminal: what is known of the row. */
export function formatRow(row) {
  const shown = columns(row);
  const words = Object.entries(headings)
    .filter(([key]) => key !== 'path' && shown[key] !== '')
    .map(([key, heading]) => `${heading} ${shown[key]}`);
  return `${shown.path}: ${words.join('; ')}`;
}

const document = new URL('../../docs/performance.md', import.meta.url);
const [begin, end] = ['<!-- figures: begin -->', '<!-- figures: end -->'];

/** Writes the figures between the marks of docs/performance.md. */
export function writeDocument(results) {
  const { machine } = results;
  const table = [Object.values(headings), Object.values(headings).map(() => '---')].concat(
    results.rows.map((row) => Object.values(columns(row))),
  );
  const failed = results.failed.map(({ name, error }) => `\n\`${name}\` could not be measured: ${error}`);
  const figures = [
    `Measured ${results.at.slice(0, 10)} at commit ${machine.commit}: ${machine.cores} cores (${machine.processor}), ${machine.memory_gb} GB, Node ${machine.node}, PostgreSQL ${machine.postgres}; load average at the start ${machine.load_average_at_start}; scale ${results.scale}, ${results.rounds} rounds.`,
    '',
    ...table.map((cells) => `| ${cells.join(' | ')} |`),
    ...failed,
  ].join('\n');
  const before = readFileSync(document, 'utf8');
  const [start, stop] = [before.indexOf(begin), before.indexOf(end)];
  if (start < 0 || stop < 0) throw new Error('docs/performance.md has no marks for the figures');
  writeFileSync(document, `${before.slice(0, start + begin.length)}\n\n${figures}\n\n${before.slice(stop)}`);
}
