declare module 'pg/lib/utils.js' {
  /** The text that PostgreSQL reads as the value, or bytes; null for null and undefined. */
  export function prepareValue(value: unknown): string | Buffer | null;
}
