declare module 'picomatch' {
  /** Compiles a glob; the result tells whether a whole path matches. */
  const picomatch: (glob: string, options?: { dot?: boolean }) => (path: string) => boolean;
  export = picomatch;
}
