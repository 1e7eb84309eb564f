import { readFileSync } from 'node:fs';
import { Registry } from 'prom-client';
import { packageVersion } from '../../src/package/version.js';
import { createProgram } from '../../src/commands/program.js';
import { buildInfo } from '../../src/server/build-info.js';
import { buildMetric } from '../../src/server/metrics/build-metric.js';

describe('the version', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

  test('is that of the package for the server, its metrics, the program and the agent', async () => {
    const registry = new Registry();
    buildMetric(registry);
    expect(buildInfo().version).toBe(version);
    expect(packageVersion()).toBe(version);
    expect(createProgram().version()?.split(' ', 1)[0]).toBe(version);
    expect(await registry.metrics()).toContain(`slipway_build_info{version="${version}",commit=`);
  });
});
