import type { PropsWithChildren } from 'react';
import classes from './card-label.module.css';

/** The name of a value where rows are cards, without the heads of their columns. */
export function CardLabel({ children }: PropsWithChildren) {
  return <span className={classes.label}>{children} </span>;
}
