/**
 * Copies bytes into memory that all threads read: what is sent to a thread otherwise is copied by the event loop, and
 * once more on its way back.
 */
export function sharedBytes(bytes: Uint8Array): Uint8Array {
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  return shared;
}
