/** Fields of an upload under our names; the operation validates the values. */
export interface UploadFields {
  format?: unknown;
  runEnv?: unknown;
  tags?: unknown;
  data?: unknown;
}
