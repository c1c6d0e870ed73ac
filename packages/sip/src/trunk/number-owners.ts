/** User parts of the Request-URI, and of P-Called-Party-ID or To: what a call says of whom it is for. */
export interface DialledNames {
  readonly to: string;
  readonly wanted: string;
}

/** A trunk that has a number. */
export interface NumberClaim {
  readonly trunkId: string;
  readonly owner: string;
  /** A name at an exchange, which several exchanges may give, and no number of the telephone network. */
  readonly isExtension: boolean;
}

/** Decides to whom the number belongs that is called. */
export interface NumberOwners {
  /**
   * @param couldTake whether the trunk of a claim takes calls from where the call comes from
   * @returns the owner of the number; null where no owner's trunk could take the call
   */
  ownerOf(names: DialledNames, couldTake: (claim: NumberClaim) => boolean): string | null;
}
