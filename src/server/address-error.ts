/** Thrown when the address cannot be listened on; the message says which setting to change. */
export class AddressError extends Error {
  override readonly name = 'AddressError';
}
