declare const transactionBrand: unique symbol;

/** An open transaction. Services pass it on; only repositories can look inside. */
export interface Tx {
  readonly [transactionBrand]: true;
}

/** Opens transactions for services, which do not know the ORM. `docs/explanation/database.md` says which method to use when. */
export abstract class Transactions {
  /**
   * Runs `work` in one transaction: all of it or nothing. Costs two round trips in addition to the statements of the work. The
   * work is run again when the database chose it as the victim of a deadlock, so it makes no network call.
   *
   * @throws DatabaseUnavailableError when the connection is lost; during the commit it stays open whether all was done
   */
  abstract run<T>(work: (tx: Tx) => Promise<T>): Promise<T>;

  /**
   * The same for work that a client must not repeat in doubt, such as placing a call. When the connection is lost during
   * the commit, the database is asked whether the transaction has committed. Costs one more statement in each transaction.
   *
   * @throws DatabaseUnavailableError when the transaction has not committed, or the database does not say so in time
   */
  abstract runWithVerifiedCommit<T>(work: (tx: Tx) => Promise<T>): Promise<T>;

  /**
   * Lets the commit of this transaction not wait for the disk, which keeps locks on busy rows short. For changes that no
   * client has seen and that are made again after a crash of the database server. Costs one statement.
   */
  abstract commitAsynchronously(tx: Tx): Promise<void>;
}
