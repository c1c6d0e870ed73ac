/**
 * Carries short texts to the other processes of the installation, about at once. Texts may be lost: they say that
 * something has changed, and the database says what.
 */
export abstract class LiveChannel {
  /**
   * Sends a text of at most 7,000 bytes to every process that listens, this one too.
   *
   * @throws when there is no connection; nothing is kept to be sent later
   */
  abstract publish(text: string): Promise<void>;

  /**
   * Hears from now on, over lost connections too. Called once.
   *
   * @param onGap called each time that texts may have been missed until now
   */
  abstract listen(hear: (text: string) => void, onGap: () => void): void;
}
