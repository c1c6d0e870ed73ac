/** The key that an account has brought for chat, opened. */
export interface AccountChatKey {
  readonly userId: number;
  /** Another one whenever anything of it is changed. */
  readonly version: string;
  /** Up to and with the version segment; null: OpenAI's own. A customer has chosen it. */
  readonly baseUrl: string | null;
  readonly apiKey: string;
  /** Used in place of the model that an assistant names. Null: the assistant's model, where the server has it. */
  readonly model: string | null;
  /** Whether the server has refused it, as far as is known. */
  readonly isRefused: boolean;
}

/** Where the keys are kept that accounts have brought. */
export interface AccountChatKeys {
  /**
   * Null for an account without one.
   *
   * @throws SecretUnreadableError for one that was sealed with a key that this installation does not have
   */
  findChatKey(userId: number): Promise<AccountChatKey | null>;

  /** Records a changed result of a key's check. Never fails, and the caller does not wait for it. */
  chatKeyTurnedOut(key: Pick<AccountChatKey, 'userId' | 'version'>, how: 'refused' | 'accepted'): void;
}
