// Time from the start of the process to `/healthz` 200 on a migrated PostgreSQL, and resident memory when idle,
// beside the limits that the product promises: DATABASE_URL=… node bench/start.mjs (after a build).
import { setTimeout as sleep } from 'node:timers/promises';
import { callOk, residentMegabytes, seedOrganization, startProduct, withDatabase } from './support.mjs';

const limits = { start_ms: 1500, idle_mb: 160 };

await withDatabase(async (database) => {
  await seedOrganization(database.pool);
  const starts = [];
  const cpu = [];
  let product;
  for (let time = 0; time < 5; time += 1) {
    if (product) await product.stop();
    product = await startProduct(database);
    starts.push(product.startedMs);
    cpu.push(product.startedCpuMs);
  }
  await sleep(10_000);
  const idle = residentMegabytes(product.pid);
  await callOk(`${product.url}/graphql`, { method: 'POST', body: { query: '{ viewer { user { name } } }' } });
  await callOk(`${product.url}/v2/organizations/bench/pipelines`);
  await sleep(2000);
  const used = residentMegabytes(product.pid);
  await product.stop();
  const median = (values) => values.sort((a, b) => a - b)[2];
  const startMs = median(starts);
  console.log(
    JSON.stringify({
      bench: 'start',
      start_ms: Math.round(startMs),
      cpu_ms: median(cpu),
      limit: limits.start_ms,
      ratio: +(startMs / limits.start_ms).toFixed(2),
    }),
  );
  console.log(
    JSON.stringify({
      bench: 'idle memory',
      after_10_s_mb: Math.round(idle),
      limit: limits.idle_mb,
      ratio: +(idle / limits.idle_mb).toFixed(2),
      after_a_request_of_each_door_mb: Math.round(used),
    }),
  );
});
