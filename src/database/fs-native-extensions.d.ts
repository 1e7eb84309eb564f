declare module 'fs-native-extensions' {
  /** Takes an exclusive lock of the operating system on an open file; false where another has it. */
  export function tryLock(file: number): boolean;
}
