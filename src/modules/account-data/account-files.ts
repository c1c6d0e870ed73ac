/** Where the files of an account are in the storage: recordings, documents and its own exports. */
export function filePrefixesOf(userId: number): string[] {
  return ['recordings', 'documents', 'exports'].map((kind) => `${kind}/${userId}/`);
}
