/** Writes a command's result to stdout: one JSON document with `--json`, else the text. Resolves once it is written. */
export async function print(asJson: boolean | undefined, data: unknown, text: string): Promise<void> {
  const lines = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  await write(process.stdout, asJson ? `${JSON.stringify(data, null, 2)}\n` : lines);
}

/** Writes information beside a result to stderr, so that stdout can be captured. */
export async function note(text: string): Promise<void> {
  await write(process.stderr, `${text}\n`);
}

/** A reader that closes the pipe early (`| head`) is not an error. */
const readerLeft = (error: NodeJS.ErrnoException) => error.code === 'EPIPE';

/** Writes text; resolves once it is written, or its reader has left. */
export function write(stream: NodeJS.WriteStream, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException) => (readerLeft(error) ? resolve() : reject(error));
    // The stream also emits the error as an event; without a listener it would end the process with a stack trace.
    stream.once('error', failed);
    stream.write(text, (error) => {
      if (error) return failed(error);
      stream.off('error', failed);
      resolve();
    });
  });
}
