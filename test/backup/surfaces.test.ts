import { checkSecretKeys } from '../../src/resources/installation/secret-keys/check.js';
import { routes } from '../../src/rest/routes.js';
import { populated } from '../parity/reads/populated-world.js';
import { reads } from '../parity/reads/table.js';
import { BothSurfaces } from '../support/both-surfaces.js';
import type { PathValues } from '../support/one-of-everything.js';
import { Copies, storeArtifacts } from './copies.js';

describe('both surfaces of an installation that was restored from a backup', () => {
  let here: BothSurfaces;
  let there: BothSurfaces;
  let at: PathValues;
  const copies = new Copies();

  beforeAll(async () => {
    here = await BothSurfaces.open({ plan: 'enterprise' });
    at = await populated(here);
    await storeArtifacts(here.world, 1_000);
    await checkSecretKeys(here.world.services);
    await copies.backUp(here.world, 'backup');
    const { database, storage } = await copies.restore(here.world, 'backup');
    there = await BothSurfaces.of(here.world.over(database, storage));
  }, 120_000);
  afterAll(async () => {
    // Closes the database of the copy too.
    await (there as BothSurfaces | undefined)?.close();
    await copies.remove();
    await here.close();
  });

  const gets = routes.filter(({ method, path }) => method === 'get' && path in reads).map(({ path }) => path);

  test.each(gets)('%s is answered as before, on /v2 and on /graphql', async (path) => {
    const read = reads[path];
    if (!read) throw new Error(`no read of ${path}`);
    const address = path.replace(/\{(\w+)\}/g, (_, name: string) => at(path)[name] ?? `no ${name}`);
    const rest = await here.rest(['get', `${address}${read.query ?? ''}`]);
    const restThere = await there.rest(['get', `${address}${read.query ?? ''}`]);
    expect([restThere.status, restThere.text]).toEqual([200, rest.text]);
    expect(await there.select(read.graphql(at(path)))).toEqual(await here.select(read.graphql(at(path))));
  });
});
