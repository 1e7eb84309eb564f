import { p } from '@mikro-orm/core';

/**
 * Times keep milliseconds, as every reply shows them. Their names end in `_at`, by which row conversion knows them in
 * any statement.
 */
export const at = () => p.datetime(3);
export const atOrNull = () => p.datetime(3).nullable();
export const textOrNull = () => p.text().nullable();
export const idOrNull = () => p.uuid().nullable();
export const textList = () => p.array().columnType('text[]').defaultRaw(`'{}'`);
export const json = <T>() => p.json<T>();
