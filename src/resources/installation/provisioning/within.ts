/** Organization of the entries. */
export interface Within {
  organizationId: string;
  /** Its slug, the first word of their names. */
  slug: string;
  path: string;
}
