/** Larger images are downloaded, not shown. */
const largestImage = 2_000_000;
const textual = /^(text\/|application\/(.+\+)?(x-)?(json|ndjson|jsonl|xml|yaml|toml|javascript|typescript|sh|sql)\b)/i;

/** How a file is shown; null for what is downloaded only. Pages are shown as their text, never as pages. */
export function artifactKind({ mimeType, size }: { mimeType: string; size: number }): 'image' | 'text' | null {
  if (mimeType.startsWith('image/')) return size <= largestImage ? 'image' : null;
  return textual.test(mimeType) ? 'text' : null;
}
