import { OnlineIndexMigration } from './online-index-migration.js';

/** Indexes for attempts to sign in and one-time addresses, which are forgotten by age in batches. */
export class IndexesOfSignIn20261124150001 extends OnlineIndexMigration {
  override readonly indexes = [
    { name: 'sign_in_attempts_expire_index', table: 'sign_in_attempts', definition: '("expire")' },
    { name: 'sign_in_addresses_expires_at_index', table: 'sign_in_addresses', definition: '("expires_at")' },
  ];
}
