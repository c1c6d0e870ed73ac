/** A base as it is found before its vectors are searched. */
export interface SearchedBase {
  /** Changes with what can be found in it. */
  readonly revision: number;
  /** How many passages it has. */
  readonly passages: number;
}
