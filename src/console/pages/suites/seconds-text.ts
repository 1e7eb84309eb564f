/** Seconds of a test as people say them: "12 ms", "3.40 s"; nothing for null. */
export function secondsText(seconds: number | null | undefined): string {
  if (seconds == null) return '';
  return seconds < 1 ? `${Math.round(seconds * 1000)} ms` : `${seconds.toFixed(2)} s`;
}
