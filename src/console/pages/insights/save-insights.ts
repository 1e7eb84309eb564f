import { csvOf, download } from '../../ui/download';
import type { Insight } from './use-insights';

/** Gives a person the rows as CSV, times in seconds and under the names of /v2. */
export async function saveInsights(by: string, days: number, rows: readonly Insight[]): Promise<void> {
  const group = by.toLowerCase();
  const text = await csvOf(
    rows.map((row) => ({
      [group]: row.key,
      builds: row.builds,
      failed: row.failed,
      duration_p50: row.durationP50 ?? null,
      duration_p90: row.durationP90 ?? null,
      duration_p95: row.durationP95 ?? null,
      wait_p50: row.waitP50 ?? null,
      wait_p90: row.waitP90 ?? null,
      wait_p95: row.waitP95 ?? null,
      retried: row.retried,
      agent_seconds: row.agentSeconds,
      cost: row.cost ?? null,
      log_bytes: row.logBytes,
      artifact_bytes: row.artifactBytes,
      agents_connected_seconds: row.agentsConnectedSeconds ?? null,
      agents_busy_share: row.agentsBusyShare ?? null,
    })),
  );
  download(`insights-by-${group}-${days}-days.csv`, new Blob([text], { type: 'text/csv' }));
}
