import { getHeapStatistics } from 'node:v8';
import { LRUCache } from 'lru-cache';
import { jsonSize } from '../../domain/json-size.js';
import { definitionMemoryBytes } from '../../domain/limits/memory-bounds.js';
import type { MemoryUse } from '../../services/memory-uses.js';

/** Characters of the longest text whose result is kept. */
const longestText = 64 * 1024;
/** Bytes of a character of a result as JSON, as its strings or as the objects around them, estimated from above. */
const bytesOfCharacter = 3;
const overhead = 1_000;

/**
 * Results of parsing by text, at most so many bytes: reading YAML is most of the work of showing a pipeline, and each
 * reply with builds shows one. Aliases make a result many times as large as its text.
 */
export class DefinitionMemory<Result extends object> {
  private readonly results: LRUCache<string, Result>;

  constructor(bytes: number) {
    const largest = Math.floor(bytes / 4);
    this.results = new LRUCache({
      maxSize: bytes,
      maxEntrySize: largest,
      sizeCalculation: (result, text) =>
        overhead + 2 * text.length + bytesOfCharacter * jsonSize(result, largest / bytesOfCharacter),
    });
  }

  get(text: string): Result | undefined {
    return this.results.get(text);
  }

  keep(text: string, result: Result): void {
    if (text.length <= longestText && !this.results.has(text)) this.results.set(text, result);
  }

  use(): MemoryUse {
    return { bytes: this.results.calculatedSize, budget: this.results.maxSize };
  }
}

/** Bytes of each of the memories of this process. */
export const definitionBytes = Math.floor(definitionMemoryBytes(getHeapStatistics().heap_size_limit) / 2);
