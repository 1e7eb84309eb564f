import type { ProviderRepository } from '../services/source-providers.js';

const shownAtMost = 100;

/** Collects repositories whose name contains a text, in any case; for hosts whose API cannot search. */
export class RepositorySearch {
  readonly repositories: ProviderRepository[] = [];
  private readonly text: string;

  constructor(search: string | null) {
    this.text = search?.toLowerCase() ?? '';
  }

  get isFull(): boolean {
    return this.repositories.length >= shownAtMost;
  }

  add(rows: readonly ProviderRepository[]): void {
    for (const row of rows)
      if (!this.isFull && row.fullName.toLowerCase().includes(this.text)) this.repositories.push(row);
  }
}
