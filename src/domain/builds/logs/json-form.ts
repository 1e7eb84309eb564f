/** The fields of the JSON form of a log besides its content. */
export interface JobLogFields {
  url: string;
  /** Bytes of the whole log, also where the content is only its end. */
  size: number;
  /** Nanoseconds since the epoch, written digit by digit because they exceed the precision of JavaScript numbers. */
  headerTimes: readonly bigint[];
}

/**
 * Writes the JSON form of a log in pieces: `begin`, `content` for each run of bytes, `end`. Decodes the bytes as UTF-8
 * with replacement, also across runs.
 */
export class JobLogJson {
  private readonly decoder = new TextDecoder('utf-8', { ignoreBOM: true });

  /** `skipPartial`: the bytes begin inside the log, so a character cut in half at their beginning is left out. */
  constructor(
    private readonly fields: JobLogFields,
    private skipPartial = false,
  ) {}

  begin(): string {
    return `{"url":${JSON.stringify(this.fields.url)},"content":"`;
  }

  content(bytes: Uint8Array): string {
    let from = 0;
    if (this.skipPartial) {
      while (from < Math.min(3, bytes.length) && ((bytes[from] ?? 0) & 0xc0) === 0x80) from++;
      this.skipPartial = bytes.length === 0;
    }
    return escapeJson(this.decoder.decode(bytes.subarray(from), { stream: true }));
  }

  end(): string {
    const { size, headerTimes } = this.fields;
    return `${escapeJson(this.decoder.decode())}","size":${size},"header_times":[${headerTimes.join(',')}]}`;
  }
}

function escapeJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
