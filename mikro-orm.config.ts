import { defineConfig } from '@mikro-orm/postgresql';
import { Migrator } from '@mikro-orm/migrations';
import { entities } from './src/entities/registry.js';
import { loadMigrations } from './src/migrations/registry.js';

/** For the MikroORM command line (`npx mikro-orm migration:create`); the server's is made in src/database/open.ts. */
export default defineConfig({
  entities: [...entities],
  clientUrl: process.env['DATABASE_URL'] ?? 'postgres://localhost:5432/slipway',
  extensions: [Migrator],
  migrations: {
    migrationsList: await loadMigrations(),
    snapshot: false,
    tableName: 'slipway_migrations',
    path: 'src/migrations',
  },
});
