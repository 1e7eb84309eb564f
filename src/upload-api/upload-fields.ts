/** What an upload says, under our names; values are the operation's to judge. */
export interface UploadFields {
  format?: unknown;
  runEnv?: unknown;
  tags?: unknown;
  data?: unknown;
}
