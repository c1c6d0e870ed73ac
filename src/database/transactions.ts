declare const transactionBrand: unique symbol;

/** An open transaction. Services pass it on; only repositories can look inside. */
export interface Tx {
  readonly [transactionBrand]: true;
}

/** Opens transactions for services, which know nothing of the ORM. */
export abstract class Transactions {
  /**
   * Runs `work` in one transaction: all of it or nothing. No network call belongs inside, so it is run again when the
   * database chose it as the victim of a deadlock.
   */
  abstract run<T>(work: (tx: Tx) => Promise<T>): Promise<T>;

  /**
   * The same, for work that must not be repeated in doubt: when the connection is lost during the commit, the database
   * is asked what became of it. Costs one short question more.
   *
   * @throws the connection's error when the database stays away, so that nobody can say
   */
  abstract runDecided<T>(work: (tx: Tx) => Promise<T>): Promise<T>;

  /**
   * Lets this transaction's commit not wait for the disk. For what nobody has been told yet and a later transaction
   * will confirm: the log is written in order, so that one brings this one to the disk as well. It keeps locks on busy
   * rows short.
   */
  abstract commitWithoutWaiting(tx: Tx): Promise<void>;
}
