// Contenders measured in turns, so that a noisy moment hits all of them.
import { cpuOf, residentMegabytes } from './processes.mjs';
import { median, repeat } from './load.mjs';

/**
 * Measures two contenders in turns after a round that warms up. A contender is `{ step, pid, database }`: what is done once,
 * the process that serves it, the name of its database (both may be absent). Gives the ratio of their rates with its spread
 * over the rounds and, of ours, what one step costs.
 */
export async function compare({ bench, ours, other, loops = 1, ms = 1500 }) {
  const contenders = { other, ours };
  const measured = { other: [], ours: [] };
  for (let round = 0; round <= bench.rounds; round += 1) {
    for (const [name, contender] of Object.entries(contenders)) {
      const figures = await measure(bench.postgres, contender, { ms: round === 0 ? ms / 2 : ms, loops });
      if (round > 0) measured[name].push(figures);
    }
  }
  const ratios = measured.ours.map(({ per_second }, round) => per_second / measured.other[round].per_second);
  const middle = (name, figure) => median(measured[name].map((figures) => figures[figure]));
  return {
    connections: loops,
    ratio: median(ratios),
    spread: [Math.min(...ratios), Math.max(...ratios)],
    per_second: middle('ours', 'per_second'),
    other_per_second: middle('other', 'per_second'),
    server_cpu_ms: middle('ours', 'server_cpu_ms'),
    database_cpu_ms: middle('ours', 'database_cpu_ms'),
    other_server_cpu_ms: middle('other', 'server_cpu_ms'),
    other_database_cpu_ms: middle('other', 'database_cpu_ms'),
    statements: middle('ours', 'statements'),
    rss_mb: ours.pid ? residentMegabytes(ours.pid) : null,
  };
}

/** One contender alone, in the same form without a ratio. */
export async function measureAlone({ bench, ours, loops = 1, ms = 1500 }) {
  await repeat(ours.step, { ms: ms / 2, loops });
  const rounds = [];
  for (let round = 0; round < bench.rounds; round += 1) rounds.push(await measure(bench.postgres, ours, { ms, loops }));
  const middle = (figure) => median(rounds.map((figures) => figures[figure]));
  const rates = rounds.map(({ per_second }) => per_second);
  return {
    connections: loops,
    per_second: middle('per_second'),
    spread: [Math.min(...rates), Math.max(...rates)],
    server_cpu_ms: middle('server_cpu_ms'),
    database_cpu_ms: middle('database_cpu_ms'),
    statements: middle('statements'),
    rss_mb: ours.pid ? residentMegabytes(ours.pid) : null,
  };
}

async function measure(postgres, { step, pid, database }, options) {
  const read = async () => ({
    server: pid ? cpuOf(pid) : 0,
    database: database ? postgres.cpuMs() : 0,
    statements: database ? await postgres.statements(database) : 0,
  });
  const before = await read();
  const { count, ms } = await repeat(step, options);
  const after = await read();
  const each = (name) => (after[name] - before[name]) / Math.max(1, count);
  return {
    per_second: (count * 1000) / ms,
    server_cpu_ms: pid ? each('server') : null,
    database_cpu_ms: database ? each('database') : null,
    statements: database ? each('statements') : null,
  };
}
