import { Text, type TextProps } from '@mantine/core';
import type { PropsWithChildren } from 'react';

/** Small grey text: explanations, times, what is less important. */
export function Dimmed(props: PropsWithChildren<TextProps>) {
  return <Text size="sm" c="dimmed" {...props} />;
}
