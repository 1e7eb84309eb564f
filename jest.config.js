/** ESM mode: MikroORM 7 is ESM only, so jest runs under --experimental-vm-modules. */
export default {
  testEnvironment: '<rootDir>/test/support/jest/environment.js',
  runtime: '<rootDir>/test/support/jest/runtime.js',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: { '^.+\\.ts$': ['@swc/jest', { configFile: '.swcrc' }] },
  testTimeout: 30_000,
  maxWorkers: 2,
  workerIdleMemoryLimit: '2GB',
};
