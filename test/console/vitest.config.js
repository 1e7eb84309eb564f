import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** `npm run test:console`: stories in a real browser against the built product (`npm run build` first). */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['test/console/**/*.story.ts'],
    globals: true,
    // One browser and one server after the other: the stories need the machine's time more than each other's.
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 120_000,
  },
});
