import { getHeapStatistics } from 'node:v8';
import { replyBytes } from '../domain/limits/memory-bounds.js';
import type { Services } from './services.js';

const ofThisProcess = replyBytes(getHeapStatistics().heap_size_limit);

/** Bytes that one reply may hold. */
export const replyBytesOf = ({ limits }: Pick<Services, 'limits'>): number => limits.replyBytes ?? ofThisProcess;
