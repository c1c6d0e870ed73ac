import { Textarea, type TextareaProps } from '@mantine/core';

/** Measuring the height by script lays the page out twice at each key, so only browsers without this feature do it. */
const GROWS_BY_STYLE = CSS.supports('field-sizing', 'content');

interface Props extends TextareaProps {
  readonly minRows?: number;
  readonly maxRows: number;
}

/** A textarea that grows with its content, between two numbers of lines. */
export function GrowingTextarea({ minRows = 1, maxRows, ...props }: Props) {
  if (!GROWS_BY_STYLE) return <Textarea autosize minRows={minRows} maxRows={maxRows} {...props} />;
  const styles = {
    input: {
      fieldSizing: 'content',
      resize: 'none',
      minHeight: `max(var(--input-height), ${heightOf(minRows)})`,
      maxHeight: heightOf(maxRows),
    },
  } as const;
  return <Textarea rows={minRows} styles={styles} {...props} />;
}

function heightOf(rows: number): string {
  return `calc(${rows} * 1lh + 2 * var(--input-padding-y) + 2px)`;
}
