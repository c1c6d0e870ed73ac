export const billingPt = {
  title: 'Faturamento',
};
