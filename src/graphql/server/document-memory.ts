import { type ApolloServerOptions, type BaseContext } from '@apollo/server';
import type { DocumentNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { MemoryUse } from '../../services/memory-uses.js';

/** Bytes of the objects around a token of a parsed document: 240 to 490 as measured, most in lists of fields. */
const bytesOfToken = 500;
const overhead = 1_000;

/** Bytes that a parsed document takes, estimated from above: its tokens, nodes and text. */
export function documentBytes({ tokenCount = 0, loc }: DocumentNode): number {
  return overhead + bytesOfToken * tokenCount + 2 * (loc?.source.body.length ?? 0);
}

type DocumentStore = Exclude<NonNullable<ApolloServerOptions<BaseContext>['documentStore']>, null>;

/** Parsed and validated documents by a key, at most so many bytes; the one whose use is longest ago goes first. */
export class DocumentMemory implements DocumentStore {
  private readonly documents: LRUCache<string, DocumentNode>;

  constructor(bytes: number) {
    this.documents = new LRUCache({
      maxSize: bytes,
      sizeCalculation: (document, key) => documentBytes(document) + 2 * key.length,
    });
  }

  find(key: string): DocumentNode | undefined {
    return this.documents.get(key);
  }

  keep(key: string, document: DocumentNode): void {
    this.documents.set(key, document);
  }

  use(): MemoryUse {
    return { bytes: this.documents.calculatedSize, budget: this.documents.maxSize };
  }

  async get(key: string): Promise<DocumentNode | undefined> {
    return this.find(key);
  }

  async set(key: string, document: DocumentNode): Promise<void> {
    this.keep(key, document);
  }

  async delete(key: string): Promise<boolean> {
    return this.documents.delete(key);
  }
}
