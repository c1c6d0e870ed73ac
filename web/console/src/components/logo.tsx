export function Logo({ size = 24 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="9" fill="var(--mantine-color-iris-8)" />
      <path
        d="M10 23V10.5h7.2a5 5 0 0 1 0 10H13.6"
        fill="none"
        stroke="var(--mantine-color-white)"
        strokeWidth="3.2"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
