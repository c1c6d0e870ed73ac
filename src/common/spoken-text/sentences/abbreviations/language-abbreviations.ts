export interface LanguageAbbreviations {
  /**
   * Words that are written with a full stop and have something behind them, such as a name or a number. In lower case, without
   * the last full stop, separated by spaces. Words that may end a sentence (`etc.`, `Ltda.`) are not here: they go on where the
   * next word is small. Neither are words that are no abbreviations elsewhere in the language.
   */
  readonly words: string;
  /** How compounds of such words end: `Hauptstr.` */
  readonly endings?: string;
  /** Whether a number with a full stop is an ordinal: `am 3. Oktober`. */
  readonly hasDottedOrdinals?: boolean;
}
