/** ESM mode: MikroORM 7 is ESM only, so jest runs under --experimental-vm-modules. */
export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: { '^.+\\.ts$': ['@swc/jest', { configFile: '.swcrc' }] },
  testTimeout: 30_000,
  maxWorkers: 2,
  workerIdleMemoryLimit: '2GB',
};
