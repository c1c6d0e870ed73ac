/** What is stored of a nickname as it was sent: nothing but spaces, like null, removes it. */
export function nicknameOf(sent: string | null | undefined): string | null {
  return sent?.trim() || null;
}
