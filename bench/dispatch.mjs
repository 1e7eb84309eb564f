// Jobs that eight agents take and finish (ping, accept, start, finish over HTTP), beside two prepared statements that claim and
// finish a row, and pings that find nothing beside one update: DATABASE_URL=… node bench/dispatch.mjs (after a build).
import {
  callOk,
  compare,
  ids,
  registrationToken,
  seedBuilds,
  seedOrganization,
  startProduct,
  withDatabase,
} from './support.mjs';

const claim = `update jobs set state = 'running', attempt = attempt + 1, started_at = now() where id = (
  select id from jobs where organization_id = $1 and cluster_queue_id = $2 and state = 'scheduled' and type = 'command'
  order by priority desc, scheduled_at, position, id for update skip locked limit 1) returning *`;
const finish = `update jobs set state = 'finished', passed = true, exit_status = 0, finished_at = now() where id = $1 and state = 'running'`;

await withDatabase(async (database) => {
  const { pool } = database;
  await seedOrganization(pool);
  await seedBuilds(pool, 10_000, { buildState: 'scheduled', jobState: 'scheduled' });
  const product = await startProduct(database);
  const v3 = `${product.url}/v3`;
  try {
    const register = async (name, tags) => {
      const registration = await callOk(`${v3}/register`, {
        method: 'POST',
        token: `Token ${registrationToken}`,
        body: { name, hostname: 'bench', os: 'linux', arch: 'amd64', version: '3.100.0', meta_data: tags },
      });
      const token = `Token ${registration.access_token}`;
      await callOk(`${v3}/connect`, { method: 'POST', token });
      return { token };
    };
    const eight = Array.from({ length: 8 }, (_, index) => index);
    const agents = await Promise.all(eight.map((index) => register(`agent-${index}`, ['queue=default'])));
    await compare('dispatch', {
      'floor: claim and finish by two prepared statements': async () => {
        const { rows } = await pool.query({ name: 'claim', text: claim, values: [ids.organization, ids.queue] });
        if (rows.length !== 1) throw new Error('no job left');
        await pool.query({ name: 'finish', text: finish, values: [rows[0].id] });
      },
      'ping, accept, start, finish': async (loop) => {
        const { token } = agents[loop];
        const { job } = await callOk(`${v3}/ping`, { token });
        // Every build with a job to give may be locked by another agent just now.
        if (!job) return;
        await callOk(`${v3}/jobs/${job.id}/accept`, { method: 'PUT', token, body: {} });
        await callOk(`${v3}/jobs/${job.id}/start`, {
          method: 'PUT',
          token,
          body: { started_at: new Date().toISOString() },
        });
        await callOk(`${v3}/jobs/${job.id}/finish`, {
          method: 'PUT',
          token,
          body: { exit_status: '0', finished_at: new Date().toISOString() },
        });
      },
    });
    await pool.query(`update jobs set agent_query_rules = '{gpu=true}' where state = 'scheduled'`);
    const first = pool.query.bind(pool, {
      name: 'sign',
      text: 'update agents set pinged_at = now() where id = (select id from agents order by id limit 1)',
    });
    await compare('ping, tens of thousands of jobs that no agent matches', {
      'floor: one update': () => first(),
      ping: (loop) => callOk(`${v3}/ping`, { token: agents[loop].token }),
    });
  } finally {
    await product.stop();
  }
});
